/** Who is asked for a check, how hard it is, and what an attacker gets by what was done once. */
import { beforeEach, describe, expect, test } from "vitest";
import { createBlockCounts } from "../../../../src/oidc/check/block-counts.ts";
import { type CheckNeeded, createChecks, type Entered, type Presented } from "../../../../src/oidc/check/checks.ts";
import { createKeyRing, type RoomSettings, type WaitingRoom } from "../../../../src/room/index.ts";
import { solve } from "../../../../src/web/browser/proof.ts";
import { createMovedClock, type MovedClock } from "../../../support/moved-clock.ts";
import { createLuckyRandom } from "./lucky-random.ts";

type Check = NonNullable<RoomSettings["check"]>;
type Room = Pick<WaitingRoom, "name" | "settings" | "emit" | "recordCheck">;

const usual: Check = {
  type: "proof_of_work",
  whenAway: "hold",
  when: "always",
  share: 0.1,
  difficulty: 1,
  difficultyMax: 16,
  withoutScripts: "refuse",
  waitMs: 30_000,
};
const limit = { perMinute: 600, burst: 1_200 };
const ring = createKeyRing([{ kid: "k1", secret: new Uint8Array(32).fill(1) }]);
const address = "203.0.113.9";

let clock: MovedClock;
let checks: ReturnType<typeof createChecks>;
let outcomes: string[];
let harder: boolean[];

beforeEach(() => {
  clock = createMovedClock();
  outcomes = [];
  harder = [];
  checks = processOf("checks");
});

const processOf = (seed: string) =>
  createChecks({ ring, clock, random: createLuckyRandom(seed), challenges: [], host: "queue.example" });

function roomWith(check: Partial<Check> | null = {}, joinsPerAddress: RoomSettings["joinsPerAddress"] = limit): Room {
  const settings = { check: check && { ...usual, ...check }, joinsPerAddress } as RoomSettings;
  const recordCheck: Room["recordCheck"] = (outcome, _, isHarder) => {
    outcomes.push(outcome);
    harder.push(isHarder);
  };
  return { name: "tickets", settings, emit: () => {}, recordCheck };
}

const enter = (room: Room, from: string | null, shown: Presented = {}, isForced = false) =>
  checks.enter(room, from, () => ({ session: shown.pass, ...shown }), isForced);

async function asked(room: Room, from: string | null, shown: Presented = {}): Promise<CheckNeeded> {
  const answer = await enter(room, from, shown);
  if (answer.result !== "check") throw new Error("nothing was asked");
  return answer;
}

async function entered(room: Room, from: string | null, shown: Presented = {}): Promise<Entered> {
  const answer = await enter(room, from, shown);
  if (answer.result !== "entered") throw new Error(`was asked: ${outcomes}`);
  return answer;
}

function challengeOf({ task }: CheckNeeded) {
  if (task.type !== "proof_of_work") throw new Error(`is asked for ${task.type}`);
  return task.challenge;
}

async function proofOf(need: CheckNeeded): Promise<string> {
  const challenge = challengeOf(need);
  const solution = await solve({ challenge, start: 0, step: 1 });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}

async function proved(room: Room, from: string | null, shown: Presented): Promise<string> {
  const pass = await checks.prove(room, from, shown);
  if (typeof pass !== "string") throw new Error("no pass");
  return pass;
}

async function passOf(room: Room, from: string | null): Promise<string> {
  return proved(room, from, { proof: await proofOf(await asked(room, from)) });
}

const timesOf = (need: CheckNeeded) => challengeOf(need).parameters.data.times;

describe("a check of every visitor", () => {
  test("is asked once: the proof itself, or the pass for it, is good for one place", async () => {
    const room = roomWith();
    const proof = await proofOf(await asked(room, address));
    (await entered(room, address, { proof })).settle(true);
    expect(await enter(room, address, { proof })).toMatchObject({ result: "check" });
    // Nor by a pass that is made of it now.
    const pass = await checks.prove(room, address, { proof });
    expect(await enter(room, address, { pass: String(pass) })).toMatchObject({ result: "check" });
    expect(outcomes.filter((each) => each !== "asked")).toEqual(["passed", "used", "used"]);
  });

  test("of twenty joins at once by one proof one passes", async () => {
    const room = roomWith();
    const pass = await passOf(room, address);
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter(room, address, { pass })));
    expect(answers.filter(({ result }) => result === "entered")).toHaveLength(1);
  });

  test("is known to be used at the process where it was, and at no other", async () => {
    const room = roomWith();
    const pass = await passOf(room, address);
    (await entered(room, address, { pass })).settle(true);
    checks = processOf("other");
    (await entered(room, address, { pass })).settle(true);
    expect(await enter(room, address, { pass })).toMatchObject({ result: "check" });
  });

  test("is not used up where no place is given", async () => {
    const room = roomWith();
    const pass = await passOf(room, address);
    (await entered(room, address, { pass })).settle(false);
    (await entered(room, address, { pass })).settle(true);
    expect(await enter(room, address, { pass })).toMatchObject({ result: "check" });
  });

  test("counts in its room, for two minutes", async () => {
    const room = roomWith();
    const proof = await proofOf(await asked(room, address));
    const pass = await proved(room, address, { proof });
    const another = { ...room, name: "tickets another" };
    const begun = await asked(another, address, { pass });
    expect(await enter(another, address, { proof, session: begun.session })).toMatchObject({ result: "check" });
    clock.advance(120_000);
    expect(await enter(room, address, { pass })).toMatchObject({ result: "check" });
    expect(outcomes.filter((each) => each !== "asked")).toEqual(["elsewhere", "elsewhere", "expired"]);
  });

  test("is worth nothing with any character changed, and neither are other signed things", async () => {
    const room = roomWith();
    const pass = await passOf(room, address);
    for (let at = 0; at < pass.length; at += 3) {
      const changed = pass.slice(0, at) + (pass[at] === "x" ? "y" : "x") + pass.slice(at + 1);
      expect(await enter(room, address, { pass: changed })).toMatchObject({ result: "check" });
    }
    const other = ring.sign("usher ticket v1", "a~b~c");
    for (const text of ["", "a.b.c", "%", "A".repeat(10_000), other]) {
      expect(await enter(room, address, { pass: text })).toMatchObject({ result: "check" });
    }
  });

  test("is asked where addresses are not known, too, at the least difficulty", async () => {
    const room = roomWith({ difficulty: 2 });
    const need = await asked(room, null);
    expect(timesOf(need)).toBe(2);
    (await entered(room, null, { proof: await proofOf(need) })).settle(true);
    expect(timesOf(await asked(room, null))).toBe(2);
  });
});

/** A room with a share so small that few joins are many: twelve for an address. */
const small = { share: 0.01 };

/** Networks of a carrier, and none that is known. */
const places = ["198.51.100.7", "203.0.113.9", "2001:db8:1:1::/64", null];

describe("a visitor whose address changes with each request", () => {
  const placeAt = (at: number) => places[at % places.length] ?? null;
  const ways = places.map((from, at): [string | null, string | null, string | null] => [
    from,
    ...([placeAt(at + 1), placeAt(at + 2)] as const),
  ]);

  test.each(ways)("is asked at %s, shows the proof from %s, and joins from %s", async (first, second, third) => {
    const room = roomWith();
    const need = await asked(room, first);
    // Each request may also meet another process.
    checks = processOf("second");
    const pass = await proved(room, second, { proof: await proofOf(need), session: need.session });
    checks = processOf("third");
    (await entered(room, third, { pass })).settle(true);
    // Of an app, which shows the proof with the join.
    const other = await asked(room, first);
    const shown = { proof: await proofOf(other), session: other.session };
    (await entered(room, second, shown)).settle(true);
    expect(outcomes).toEqual(["asked", "passed", "asked", "passed"]);
    for (const again of [{ pass }, shown]) expect(await enter(room, third, again)).toMatchObject({ result: "check" });
  });

  test("needs no session within one network: an IPv4 /24, or a /48 of IPv6", async () => {
    const room = roomWith();
    for (const [from, to] of [
      ["203.0.113.9", "203.0.113.200"],
      ["2001:db8:1:1::/64", "2001:db8:1:ff01::/64"],
    ] as const) {
      for (let joins = 0; joins < 4; joins++) {
        (await entered(room, to, { proof: await proofOf(await asked(room, from)) })).settle(true);
      }
    }
  });

  test("keeps the session of its first question, over a proof that came too late", async () => {
    const room = roomWith();
    const need = await asked(room, address);
    const late = await proofOf(need);
    clock.advance(301_000);
    const again = await checks.prove(room, placeAt(0), { proof: late, session: need.session });
    if (typeof again === "string" || again.result !== "check") throw new Error("is not asked again");
    const pass = await proved(room, address, { proof: await proofOf(again), session: need.session });
    expect(challengeOf(again).parameters.data.session).toBe(challengeOf(need).parameters.data.session);
    (await entered(room, placeAt(2), { pass })).settle(true);
  });

  test("is not somebody else: a proof counts elsewhere for its own session alone", async () => {
    const room = roomWith();
    const need = await asked(room, address);
    const proof = await proofOf(need);
    const others = await asked(room, placeAt(0));
    for (const session of [undefined, "", "x", need.session.slice(0, -1), others.session]) {
      expect(await checks.prove(room, placeAt(0), { proof, session })).toMatchObject({ result: "check" });
      expect(await enter(room, placeAt(0), { proof, session })).toMatchObject({ result: "check" });
    }
    expect(new Set(outcomes)).toEqual(new Set(["asked", "elsewhere"]));
    // A session has earned nothing.
    expect(await enter(room, address, { pass: need.session })).toMatchObject({ result: "check" });
  });

  test("waits without scripts as others do, within what each block has", async () => {
    const room = roomWith({ withoutScripts: "wait" });
    const need = await asked(room, placeAt(0));
    clock.advance(20_000);
    const still = await asked(room, placeAt(1), { pass: need.session });
    expect([still.waitMs, still.session]).toEqual([10_000, need.session]);
    clock.advance(10_000);
    for (let joins = 0; joins < 3; joins++) {
      const { session } = await asked(room, address);
      clock.advance(30_000);
      (await entered(room, address, { pass: session })).settle(true);
    }
    (await entered(room, placeAt(2), { pass: need.session })).settle(true);
    expect(await enter(room, placeAt(3), { pass: need.session })).toMatchObject({ result: "check" });
  });

  test("does so three times in a session, once more each minute, from however many networks it is shared", async () => {
    const room = roomWith();
    const { session } = await asked(room, "198.18.0.1");
    const join = async (at: number, from = `198.18.${at}.1`, to = `198.19.${at}.1`) => {
      const need = await asked(room, from, { session });
      const pass = await proved(room, to, { proof: await proofOf(need), session });
      const answer = await enter(room, to, { pass });
      if (answer.result === "entered") answer.settle(true);
      return answer.result;
    };
    const results = [];
    for (let at = 1; at <= 4; at++) results.push(await join(at));
    expect(results).toEqual(["entered", "entered", "entered", "check"]);
    expect(outcomes.filter((each) => each === "elsewhere")).toHaveLength(1);
    // Where it is, it joins as before.
    expect(await join(1, address, address)).toBe("entered");
    clock.advance(60_000);
    expect([await join(7), await join(8)]).toEqual(["entered", "check"]);
  });

  test("loses nothing by joins that come to nothing", async () => {
    const room = roomWith();
    const { session } = await asked(room, address);
    const pass = await proved(room, address, {
      proof: await proofOf(await asked(room, address, { session })),
      session,
    });
    for (let joins = 0; joins < 10; joins++) (await entered(room, placeAt(0), { pass })).settle(false);
    (await entered(room, placeAt(0), { pass })).settle(true);
  });

  test("does the work that is asked for where it joins, however easy it was elsewhere", async () => {
    const room = roomWith(small, { perMinute: 60, burst: 100 });
    const busy = "198.51.100.7";
    const calm = await asked(room, address);
    for (let joins = 0; joins < 3; joins++) {
      (await entered(room, busy, { proof: await proofOf(await asked(room, busy)) })).settle(true);
    }
    const shown = { proof: await proofOf(calm), session: calm.session };
    const harder = await checks.prove(room, busy, shown);
    if (typeof harder === "string" || harder.result !== "check") throw new Error("is not asked again");
    expect([timesOf(calm), timesOf(harder)]).toEqual([1, 4]);
    const pass = await proved(room, address, { proof: await proofOf(harder), session: calm.session });
    (await entered(room, busy, { pass })).settle(true);
    expect(outcomes.filter((each) => each === "too_easy")).toHaveLength(1);
  });
});

describe("the difficulty", () => {
  test("doubles with what joined from the block beyond its share, up to a bound, and comes down again", () => {
    const counts = createBlockCounts(clock);
    const check = { ...usual, ...small, difficultyMax: 8 };
    const timesAt = (from: string) => counts.loadOf("tickets", from, check, limit).times;
    const seen: [times: number, joins: number][] = [];
    for (let joins = 0; joins < 1_000; joins++) {
      if (timesAt(address) !== seen.at(-1)?.[0]) seen.push([timesAt(address), joins]);
      counts.count("tickets", address, check, limit);
    }
    // Shares of twelve: one, three and seven of them.
    expect(seen).toEqual([
      [1, 0],
      [2, 12],
      [4, 36],
      [8, 84],
    ]);
    // Neighbours, and other rooms, notice nothing.
    expect(timesAt("203.0.113.10")).toBe(1);
    expect(counts.loadOf("other", address, check, limit).times).toBe(1);
    // Of a thousand no more is remembered than makes a difference.
    clock.advance(40 * 60_000);
    expect(timesAt(address)).toBe(1);
  });

  test("cannot be kept low by asking for challenges, or earning passes, beforehand", async () => {
    const room = roomWith(small, { perMinute: 60, burst: 100 });
    const hoarded = await Promise.all(Array.from({ length: 6 }, () => asked(room, address)));
    expect(new Set(hoarded.map(timesOf))).toEqual(new Set([1]));
    const passes = await Promise.all(
      hoarded.map(async (need) => checks.prove(room, address, { proof: await proofOf(need) })),
    );
    let joined = 0;
    for (const pass of passes) {
      const answer = await enter(room, address, { pass: String(pass) });
      if (answer.result !== "entered") continue;
      answer.settle(true);
      joined++;
    }
    // One step harder is let pass, two are not: three shares of one.
    expect(joined).toBe(3);
    expect(outcomes).toContain("too_easy");
  });

  test("is told to the soft blocks where it is more than the least, and is none of a provider's challenge", async () => {
    const rate = { perMinute: 60, burst: 100 };
    const provider = { id: "own", provider: "turnstile", siteKey: "key", secret: "s", timeoutMs: 500 } as const;
    const random = createLuckyRandom("harder");
    checks = createChecks({
      ring,
      clock,
      random,
      host: "queue.example",
      challenges: [provider],
    });
    const room = roomWith(small, rate);
    (await entered(room, address, { proof: await proofOf(await asked(room, address)) })).settle(true);
    await asked(room, address);
    const { task } = await asked(roomWith({ ...small, type: "challenge", challenge: "own" }, rate), address);
    expect(task.type).toBe("challenge");
    expect(outcomes).toEqual(["asked", "passed", "asked", "asked"]);
    expect(harder).toEqual([false, false, true, false]);
  });

  test("counts the networks around an IPv6 address: other addresses of a /48 do not start anew", async () => {
    const room = roomWith({ ...small, when: "suspicious" });
    let joins = 0;
    for (; joins < 1_000; joins++) {
      const answer = await enter(room, `2001:db8:1:${joins.toString(16)}::/64`);
      if (answer.result !== "entered") break;
      answer.settle(true);
    }
    // A /48 has eight times the share of an address; one /56 of it four times.
    expect(joins).toBe(4 * 12);
    expect(await enter(room, "2001:db8:2:1::/64")).toMatchObject({ result: "entered" });
  });
});

describe("a check by suspicion", () => {
  test("is asked once more joined from the block than its share, and nobody is asked elsewhere", async () => {
    const room = roomWith({ ...small, when: "suspicious" });
    for (let joins = 0; joins < 12; joins++) (await entered(room, address)).settle(true);
    expect(outcomes).toEqual([]);
    expect(timesOf(await asked(room, address))).toBe(2);
    expect(await enter(room, "203.0.113.10")).toMatchObject({ result: "entered" });
    // Ten seconds let one more of its share go: 1 % of 600 a minute.
    clock.advance(10_000);
    (await entered(room, address)).settle(true);
    await asked(room, address);
  });

  test("is asked of those who come at once as of those who come one by one", async () => {
    const room = roomWith({ ...small, when: "suspicious" });
    const count = (answers: readonly { result: string }[]) =>
      answers.filter(({ result }) => result === "entered").length;
    const free = await Promise.all(Array.from({ length: 100 }, () => enter(room, address)));
    expect(count(free)).toBe(12);
    // What was earned before they joined is too easy by now, and no crowd is quicker than that.
    const other = "203.0.113.10";
    const always = roomWith(small, { perMinute: 60, burst: 100 });
    const passes = await Promise.all(Array.from({ length: 6 }, () => passOf(always, other)));
    const earned = await Promise.all(passes.map((pass) => enter(always, other, { pass })));
    expect(count(earned)).toBe(3);
    for (const answer of [...free, ...earned]) if (answer.result === "entered") answer.settle(false);
    expect(timesOf(await asked(always, other))).toBe(1);
    await entered(room, address);
  });

  test("counts places alone", async () => {
    const room = roomWith({ ...small, when: "suspicious" });
    for (let joins = 0; joins < 100; joins++) (await entered(room, address)).settle(false);
  });

  test("is not asked of ranges without a limit, and later of those with a higher one", async () => {
    const ranges = [
      { range: "198.51.100.0/24", limit: null },
      { range: "203.0.113.0/24", limit: { perMinute: 6_000, burst: 12_000 } },
    ];
    const room = roomWith({ ...small, when: "suspicious" }, { ...limit, ranges });
    for (let joins = 0; joins < 120; joins++) {
      (await entered(room, "198.51.100.7")).settle(true);
      (await entered(room, address)).settle(true);
    }
    await entered(room, "198.51.100.7");
    await asked(room, address);
  });

  test("is asked of a visitor of whom it is to be asked in any case, even where the room has none", async () => {
    const room = roomWith(null);
    expect(await enter(room, address, {}, true)).toMatchObject({ result: "check", waitMs: null });
    const calm = roomWith({ when: "suspicious" });
    expect(await enter(calm, address, {}, true)).toMatchObject({ result: "check" });
  });
});

describe("a browser without scripts", () => {
  const waiting = () => roomWith({ withoutScripts: "wait" });
  const waitOf = ({ waitMs, session }: CheckNeeded) => {
    if (waitMs === null) throw new Error("no wait is offered");
    return { pass: session, leftMs: waitMs };
  };

  test("gets nothing where the room refuses it, not even by a pass from before", async () => {
    expect((await asked(roomWith(), address)).waitMs).toBeNull();
    const { pass } = waitOf(await asked(waiting(), address));
    clock.advance(31_000);
    await asked(roomWith(), address, { pass });
  });

  test("joins once it has waited, once; asking before does not begin anew", async () => {
    const room = waiting();
    const first = waitOf(await asked(room, address));
    expect(first.leftMs).toBe(30_000);
    clock.advance(20_000);
    expect(waitOf(await asked(room, address, { pass: first.pass }))).toEqual({ pass: first.pass, leftMs: 10_000 });
    clock.advance(10_000);
    (await entered(room, address, { pass: first.pass })).settle(true);
    const next = waitOf(await asked(room, address, { pass: first.pass }));
    expect([next.leftMs, next.pass === first.pass]).toEqual([30_000, false]);
    expect(outcomes).toEqual(["asked", "asked", "waited", "used"]);
  });

  test("of a block so many join a minute, however many wait; the others keep their wait", async () => {
    const room = waiting();
    const passes = [];
    for (let visit = 0; visit < 10; visit++) passes.push(waitOf(await asked(room, address)).pass);
    clock.advance(30_000);
    const late: string[] = [];
    for (const pass of passes) {
      const answer = await enter(room, address, { pass });
      if (answer.result === "check") late.push(waitOf(answer).pass);
      else if (answer.result === "entered") answer.settle(true);
    }
    expect(late).toEqual(passes.slice(3));
    clock.advance(10_000);
    (await entered(room, address, { pass: late[0] ?? "" })).settle(true);
    await asked(room, address, { pass: late[1] ?? "" });
  });

  test("waits anew five minutes after its wait was over", async () => {
    const room = waiting();
    const { pass } = waitOf(await asked(room, address));
    clock.advance(330_000);
    expect(waitOf(await asked(room, address, { pass })).leftMs).toBe(30_000);
  });
});
