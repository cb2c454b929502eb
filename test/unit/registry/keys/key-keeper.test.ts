import type { KeyObject } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { cookieKeyId, deriveDrawKey, readSigningKey, readTicketKey } from "../../../../src/config/index.ts";
import { wrappedWith } from "../../../../src/registry/keys/key-wrapping.ts";
import { nextRsaKey, nextRsaPem } from "../../../support/rsa-keys.ts";
import {
  createKeyWorld,
  day,
  ecPem,
  hour,
  keyText,
  materialFrom,
  memoryFile,
  minute,
  type Process,
} from "../key-world.ts";

const ticketKid = (name: string) => readTicketKey(keyText(name)).kid;
const tickets = ({ keys }: Process) => keys.current.tickets.map(({ kid }) => kid);
const report = ({ keys }: Process, kid: string) => keys.list().find(({ key }) => key.kid === kid);
const stateOf = (process: Process, kid: string) => report(process, kid)?.key.state;
const pemOf = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();
const lifeOf = ({ events }: Process) =>
  events.map((event) => ("kid" in event ? `${event.event} ${event.kid}` : event.event));

describe("the keys of the configuration", () => {
  it("are in force as they stand there, and the first of each list is the active one", async () => {
    const world = createKeyWorld();
    const one = world.process({ sources: { tickets: [keyText("a"), keyText("b")] } });
    const before = materialFrom({ tickets: [keyText("a"), keyText("b")] });
    expect(one.keys.current).toMatchObject({ tickets: before.tickets, cookies: before.cookies, draw: before.draw });
    await world.settle(one);
    expect(tickets(one)).toEqual([ticketKid("a"), ticketKid("b")]);
    const states = one.keys
      .list()
      .map(({ key: { purpose, alg, state, source } }) => [purpose, alg, state, source].join(" "));
    expect(states.sort()).toEqual([
      "cookies  active configuration",
      "draw  active configuration",
      "draw  staged configuration",
      "signing RS256 active configuration",
      "tickets  active configuration",
      "tickets  staged configuration",
    ]);
    expect(one.keys.list().every(({ isAvailable }) => isAvailable)).toBe(true);
    expect(one.keys.faults("")).toEqual([]);
  });

  it("are looked after no more by a process that is stopped while it starts", async () => {
    const one = createKeyWorld().process();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const started = one.keys.start();
      one.keys.stop();
      await started;
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("are entered once by processes that start at once, and nothing is written afterwards", async () => {
    const world = createKeyWorld();
    const [one, two] = [world.process(), world.process()];
    await Promise.all([one.keys.tick(), two.keys.tick()]);
    await world.settle(one, two);
    expect(one.registry.content).toEqual(two.registry.content);
    expect(one.registry.content.keys).toHaveLength(4);
    const { version } = one.registry;
    await world.settle(one, two);
    expect(one.registry.version).toBe(version);
  });

  it("rotate by a restart: the new first one verifies for a quarter of an hour before it signs, in all processes at once", async () => {
    const world = createKeyWorld();
    const old = world.process({ sources: { tickets: [keyText("a")] } });
    await world.settle(old);
    const file = { tickets: [keyText("b"), keyText("a")] };
    const [one, two] = [world.process({ sources: file }), world.process({ sources: file })];
    await world.settle(one, two);
    expect(tickets(one)).toEqual([ticketKid("a"), ticketKid("b")]);
    world.clock.advance(15 * minute - 1);
    await world.settle(one, two);
    expect(tickets(two)).toEqual([ticketKid("a"), ticketKid("b")]);
    world.clock.advance(1);
    await world.settle(one, two);
    for (const each of [one, two]) expect(tickets(each)).toEqual([ticketKid("b"), ticketKid("a")]);
    expect(one.keys.current.draw.map(({ kid }) => kid)).toEqual(
      ["b", "a"].map((name) => deriveDrawKey(readTicketKey(keyText(name))).kid),
    );
    expect(lifeOf(one).filter((line) => line.includes(ticketKid("b")))).toEqual([
      `key.entered ${ticketKid("b")}`,
      `key.promoted ${ticketKid("b")}`,
    ]);
  });

  it("rotate at once where the new first one was verified with for long enough before", async () => {
    const world = createKeyWorld();
    await world.settle(world.process({ sources: { tickets: [keyText("a"), keyText("b")] } }));
    world.clock.advance(hour);
    const next = world.process({ sources: { tickets: [keyText("b"), keyText("a")] } });
    await world.settle(next);
    expect(tickets(next)).toEqual([ticketKid("b"), ticketKid("a")]);
  });

  it("of signing wait for the relying parties: a day", async () => {
    const world = createKeyWorld();
    const signing = materialFrom().signing;
    const one = world.process({ wanted: ["ES256"] });
    await world.settle(one);
    const [made] = one.keys.current.signing.filter(({ alg }) => alg === "ES256");
    const pem = ecPem();
    const [rsaJwk] = signing;
    const two = world.process({ sources: { signing: [pem, JSON.stringify(rsaJwk)] } });
    await world.settle(one, two);
    world.clock.advance(day - 1);
    await world.settle(two);
    expect(two.keys.current.signing.map(({ kid }) => kid)).toEqual([rsaJwk?.kid, made?.kid, readSigningKey(pem).kid]);
    world.clock.advance(1);
    await world.settle(two);
    expect(two.keys.current.signing.map(({ kid }) => kid)).toEqual([rsaJwk?.kid, readSigningKey(pem).kid, made?.kid]);
  });

  it("rotate while the program runs, and what is gone from the source is verified with until the process ends", async () => {
    const world = createKeyWorld();
    const one = world.process({ sources: { tickets: [keyText("a")] } });
    await world.settle(one);
    let told = 0;
    one.keys.onChange(() => told++);
    one.keys.setSource("tickets", [keyText("b")]);
    await world.settle(one);
    expect(tickets(one)).toEqual([ticketKid("a"), ticketKid("b")]);
    expect(told).toBe(1);
    world.clock.advance(15 * minute);
    await world.settle(one);
    expect(tickets(one)).toEqual([ticketKid("b"), ticketKid("a")]);
    one.keys.setSource("cookies", [keyText("c2"), keyText("cookies one")]);
    await world.settle(one);
    expect(one.keys.current.cookies).toEqual([keyText("cookies one"), keyText("c2")]);
    const restarted = world.process({ sources: { tickets: [keyText("b")] } });
    await world.settle(restarted);
    expect(tickets(restarted)).toEqual([ticketKid("b")]);
    expect(restarted.keys.faults("")).toEqual([]);
  });

  it("that change in the middle of a round are not lost, wherever that round is", async () => {
    for (let turns = 0; turns < 60; turns++) {
      const world = createKeyWorld();
      const one = world.process({ sources: { cookies: [keyText("a")] } });
      const round = one.keys.tick();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      one.keys.setSource("cookies", [keyText("b"), keyText("a")]);
      await round;
      await world.settle(one);
      world.clock.advance(15 * minute);
      await world.settle(one);
      expect(one.keys.current.cookies, `after ${turns} turns`).toEqual([keyText("b"), keyText("a")]);
    }
  });

  it("of a process that comes back are compared with what the others know by now, not with what it knew", async () => {
    const world = createKeyWorld();
    const old = { tickets: [keyText("a")] };
    const next = { sources: { tickets: [keyText("b"), keyText("a")] }, file: memoryFile() };
    await world.settle(world.process({ sources: old }));
    await world.settle(world.process(next));
    await world.settle(world.process({ sources: old }));
    const back = world.process(next);
    await back.keys.tick();
    world.clock.advance(15 * minute);
    await world.settle(back);
    expect(tickets(back)).toEqual([ticketKid("b"), ticketKid("a")]);
  });

  it("that went back to the older first one sign with it again, and a restart with the same file changes nothing", async () => {
    const world = createKeyWorld();
    const [old, next] = [[keyText("a")], [keyText("b"), keyText("a")]];
    await world.settle(world.process({ sources: { tickets: old } }));
    await world.settle(world.process({ sources: { tickets: next } }));
    world.clock.advance(hour);
    await world.settle(world.process({ sources: { tickets: next } }));
    const rolledBack = world.process({ sources: { tickets: [keyText("a"), keyText("b")] } });
    await world.settle(rolledBack);
    expect(tickets(rolledBack)).toEqual([ticketKid("a"), ticketKid("b")]);
  });

  it("do not undo what an operator promoted since", async () => {
    const world = createKeyWorld();
    const one = world.process({ sources: { tickets: [keyText("a")] } });
    await world.settle(one);
    const two = world.process({ sources: { tickets: [keyText("b"), keyText("a")] } });
    await world.settle(two);
    const { key } = await two.keys.generate("tickets", null, "op");
    await two.keys.step("stage", key.kid, "op", false);
    world.clock.advance(minute);
    await two.keys.step("promote", key.kid, "op", false);
    world.clock.advance(30 * day);
    const restarted = world.process({ sources: { tickets: [keyText("b"), keyText("a")] } });
    await world.settle(two, restarted);
    for (const each of [two, restarted]) expect(tickets(each)[0]).toBe(key.kid);
    expect(stateOf(restarted, ticketKid("b"))).toBe("staged");
  });

  it("of a process that does not have the active key take nothing over, until it is told to", async () => {
    const world = createKeyWorld();
    const one = world.process({ sources: { tickets: [keyText("a")] } });
    await world.settle(one);
    const stranger = world.process({ sources: { tickets: [keyText("x")] } });
    world.clock.advance(30 * day);
    await world.settle(one, stranger);
    expect(tickets(one)).toEqual([ticketKid("a")]);
    expect(tickets(stranger)).toEqual([ticketKid("x")]);
    expect(stranger.keys.faults(" of it").join("\n")).toContain(
      `the active key ${ticketKid("a")} for tickets of it is not here: give this process the secrets file`,
    );
    expect(stranger.keys.faults("").join("\n")).toContain(`usher keys promote ${ticketKid("x")} --force`);
    await expect(stranger.keys.generate("cookies", null, "op")).rejects.toMatchObject({ code: "conflict" });
    await expect(stranger.keys.step("promote", ticketKid("x"), "op", false)).rejects.toThrow(/may be promoted from/);
    await stranger.keys.step("promote", ticketKid("x"), "op", true);
    await world.settle(one, stranger);
    expect(stranger.keys.faults("").join("\n")).not.toContain("for tickets");
    expect(one.keys.faults("").join("\n")).toContain(`the active key ${ticketKid("x")} for tickets is not here`);
    expect(tickets(one)).toEqual([ticketKid("a")]);
  });

  it("are first by the process that read them last: one that runs since before does not turn that back", async () => {
    const world = createKeyWorld();
    const before = world.process({ sources: { tickets: [keyText("a"), keyText("b")] } });
    await world.settle(before);
    world.clock.advance(hour);
    const next = world.process({ sources: { tickets: [keyText("b"), keyText("a")] } });
    await world.settle(next, before);
    const { version } = before.registry;
    await world.settle(before, next);
    for (const each of [before, next]) expect(tickets(each)).toEqual([ticketKid("b"), ticketKid("a")]);
    expect(before.registry.version).toBe(version);
  });

  it("that a single process tried, and took away with it, never sign", async () => {
    const world = createKeyWorld();
    const sources = { tickets: [keyText("a")] };
    const rest = [world.process({ sources }), world.process({ sources })];
    await world.settle(...rest);
    await world.settle(world.process({ sources: { tickets: [keyText("b"), keyText("a")] } }), ...rest);
    world.clock.advance(30 * day);
    await world.settle(...rest);
    for (const each of rest) expect([tickets(each), each.keys.faults("")]).toEqual([[ticketKid("a")], []]);
  });

  it("are entered once where two places of the configuration hold the same one", async () => {
    const world = createKeyWorld();
    const one = world.process({ sources: { tickets: [keyText("a"), keyText("b"), keyText("a")] } });
    await world.settle(one);
    const entered = one.registry.content.keys.filter(({ purpose }) => purpose === "tickets");
    expect(entered.map(({ kid, state }) => [kid, state])).toEqual([
      [ticketKid("a"), "active"],
      [ticketKid("b"), "staged"],
    ]);
  });

  it("are others when they are for another algorithm, and all else goes on", async () => {
    const world = createKeyWorld();
    const rsa = nextRsaKey();
    const before = world.process({ sources: { signing: [pemOf(rsa)] } });
    await world.settle(before);
    const asPs256 = JSON.stringify({ ...rsa.export({ format: "jwk" }), alg: "PS256" });
    const after = world.process({
      sources: { signing: [nextRsaPem(), asPs256], cookies: [keyText("c"), keyText("cookies one")] },
    });
    await world.settle(after);
    const [active] = before.keys.current.signing;
    expect(stateOf(after, cookieKeyId(keyText("c")))).toBe("staged");
    expect(after.registry.content.keys.find(({ alg }) => alg === "PS256")).toMatchObject({ state: "active" });
    expect(after.keys.faults("").join("\n")).toContain(`the active key ${active?.kid} for signing is not here`);
  });

  it("for RS256 go on, even a retired one, where a process has nothing else to sign with for it", async () => {
    const world = createKeyWorld();
    const signing = [nextRsaPem(), ecPem()];
    const one = world.process({ sources: { signing } });
    await world.settle(one);
    const [old] = one.keys.current.signing;
    const { key } = await one.keys.generate("signing", "RS256", "op");
    await one.keys.step("stage", key.kid, "op", false);
    await one.keys.step("promote", key.kid, "op", true);
    await one.keys.step("retire", old?.kid ?? "", "op", true);
    const stranger = world.process({ sources: { signing, tickets: [keyText("x")] } });
    await world.settle(stranger, one);
    expect(stranger.keys.current.signing.map(({ kid, alg }) => [kid, alg])).toEqual([
      [old?.kid, "RS256"],
      [expect.any(String), "ES256"],
    ]);
    expect(stranger.keys.faults("").join("\n")).toContain(`the active key ${key.kid} for signing cannot be unwrapped`);
    expect(one.keys.current.signing.map(({ kid }) => kid)).not.toContain(old?.kid);
  });

  it("are taken as they are by a store that nobody shares", async () => {
    const world = createKeyWorld();
    const file = memoryFile();
    await world.settle(world.process({ sources: { tickets: [keyText("a")] }, isShared: false, file }));
    world.wipe();
    const restarted = world.process({ sources: { tickets: [keyText("x")] }, isShared: false, file });
    await restarted.registry.refresh();
    world.clock.advance(3_000);
    await world.settle(restarted);
    expect(tickets(restarted)).toEqual([ticketKid("x")]);
    expect(restarted.keys.faults("")).toEqual([]);
    expect(stateOf(restarted, ticketKid("a"))).toBe("retiring");
  });
});

describe("keys made at run time", () => {
  it.each([
    ["tickets", null, minute, 400 * day],
    ["cookies", null, minute, day],
    ["draw", null, minute, 30 * day],
    ["signing", "RS256", day, day + hour],
  ] as const)(
    "for %s come to all processes, and the older one goes when its time is over",
    async (purpose, alg, staged, over) => {
      const world = createKeyWorld();
      const [one, two] = [world.process(), world.process()];
      await world.settle(one, two);
      const idsAt = ({ keys: { current } }: Process) =>
        purpose === "cookies" ? current.cookies.map(cookieKeyId) : current[purpose].map(({ kid }) => kid);
      const [first = ""] = idsAt(one);
      const { key } = await one.keys.generate(purpose, alg, "op");
      await world.settle(one, two);
      for (const each of [one, two]) expect(idsAt(each)).toEqual([first]);
      await two.keys.step("stage", key.kid, "op", false);
      await world.settle(one, two);
      for (const each of [one, two]) expect(idsAt(each)).toEqual([first, key.kid]);
      await expect(one.keys.step("promote", key.kid, "op", false)).rejects.toThrow(/may be promoted from/);
      world.clock.advance(staged);
      await one.keys.step("promote", key.kid, "op", false);
      await world.settle(two);
      for (const each of [one, two]) expect(idsAt(each)).toEqual([key.kid, first]);
      await expect(two.keys.step("retire", first, "op", false)).rejects.toThrow(/may be retired from/);
      world.clock.advance(over);
      await two.keys.step("retire", first, "op", false);
      await world.settle(one);
      for (const each of [one, two]) expect(idsAt(each)).toEqual([key.kid]);
      const asked = [...one.events, ...two.events].filter((event) => "kid" in event && event.admin === "op");
      expect(asked.filter((event) => "forced" in event)).toEqual([]);
      expect(asked).toMatchObject([
        { event: "key.generated", purpose, alg },
        { event: "key.promoted" },
        { event: "key.staged" },
        { event: "key.retired", kid: first },
      ]);
    },
  );

  it("outlive a restart of everything and a store that forgot everything", async () => {
    const world = createKeyWorld();
    const files = [memoryFile(), memoryFile()];
    const before = files.map((file) => world.process({ file }));
    await world.settle(...before);
    const [one] = before as [Process];
    const { key } = await one.keys.generate("tickets", null, "op");
    await one.keys.step("stage", key.kid, "op", false);
    await one.keys.step("promote", key.kid, "op", true);
    await world.settle(...before);
    world.wipe();
    const after = files.map((file) => world.process({ file }));
    await world.settle(...after);
    world.clock.advance(3_000);
    await world.settle(...after);
    for (const each of after) expect(tickets(each)[0]).toBe(key.kid);
    expect(JSON.stringify(files[0]?.read())).not.toContain(keyText("tickets one"));
  });

  it("are told as missing where they cannot be unwrapped, and what there is goes on", async () => {
    const world = createKeyWorld();
    const one = world.process();
    await world.settle(one);
    const { key } = await one.keys.generate("tickets", null, "op");
    await one.keys.step("stage", key.kid, "op", false);
    await one.keys.step("promote", key.kid, "op", true);
    const stranger = world.process({ sources: { tickets: [keyText("x")] } });
    await world.settle(stranger);
    expect(stranger.keys.faults("")).toContain(
      `the active key ${key.kid} for tickets cannot be unwrapped here: it takes the ticket key ${ticketKid("tickets one")}; ` +
        "give this process the secrets file (or keys.tickets) of the others; " +
        `if it is lost for good: usher keys promote ${ticketKid("x")} --force`,
    );
    expect(tickets(stranger)).toEqual([ticketKid("x")]);
    expect(report(stranger, key.kid)?.isAvailable).toBe(false);
    await expect(stranger.keys.step("promote", ticketKid("tickets one"), "op", false)).rejects.toThrow(
      /does not have the keys/,
    );
    stranger.keys.setSource("tickets", [keyText("x"), keyText("tickets one")]);
    await world.settle(stranger);
    expect(stranger.keys.faults("")).toEqual([]);
    expect(tickets(stranger)[0]).toBe(key.kid);
  });

  it("that are lost for good are replaced step by step, and nothing is told as missing in the end", async () => {
    const world = createKeyWorld();
    const lost = world.process({ wanted: ["ES256"] });
    await lost.keys.start();
    lost.keys.stop();
    const { key } = await lost.keys.generate("tickets", null, "op");
    await lost.keys.step("stage", key.kid, "op", false);
    await lost.keys.step("promote", key.kid, "op", true);
    const sources = { tickets: [keyText("x")], cookies: [keyText("y")], signing: [nextRsaPem()] };
    const left = world.process({ sources, wanted: ["ES256"] });
    await world.settle(left);
    const named = left.keys.faults("").flatMap((fault) => /promote (\S+) --force/.exec(fault)?.[1] ?? []);
    expect(named).toHaveLength(4);
    for (const kid of named) await left.keys.step("promote", kid, "op", true);
    const made = await left.keys.generate("signing", "ES256", "op");
    await left.keys.step("stage", made.key.kid, "op", false);
    await left.keys.step("promote", made.key.kid, "op", true);
    for (const fault of left.keys.faults("")) {
      await left.keys.step("retire", /key (\S+) for/.exec(fault)?.[1] ?? "", "op", true);
    }
    await world.settle(left);
    expect(left.keys.faults("")).toEqual([]);
    expect(left.keys.current.signing.map(({ alg }) => alg)).toEqual(["RS256", "ES256"]);
  });

  it("are wrapped anew with the ticket key that comes first, so that the older one may leave the configuration", async () => {
    const world = createKeyWorld();
    const one = world.process({ sources: { tickets: [keyText("a")] } });
    await world.settle(one);
    const { key } = await one.keys.generate("cookies", null, "op");
    await one.keys.step("stage", key.kid, "op", false);
    const both = world.process({ sources: { tickets: [keyText("b"), keyText("a")] } });
    await world.settle(both);
    const root = () => wrappedWith(report(both, key.kid)?.key.wrapped ?? "");
    expect(root()).toBe(ticketKid("a"));
    world.clock.advance(15 * minute);
    await world.settle(both, one);
    const alone = world.process({ sources: { tickets: [keyText("b")] } });
    await world.settle(alone, both);
    expect(root()).toBe(ticketKid("b"));
    expect(alone.keys.faults("")).toEqual([]);
    expect(alone.keys.current.cookies.map(cookieKeyId)).toContain(key.kid);
    expect(one.keys.current.cookies.map(cookieKeyId)).toContain(key.kid);
    const { version } = both.registry;
    await world.settle(one, both, alone);
    expect(both.registry.version).toBe(version);
  });

  it("are forgotten once they are retired, wherever they stood", async () => {
    const world = createKeyWorld();
    const one = world.process();
    await world.settle(one);
    const { key } = await one.keys.generate("tickets", null, "op");
    await one.keys.step("stage", key.kid, "op", false);
    expect(tickets(one)).toContain(key.kid);
    const retired = await one.keys.step("retire", key.kid, "op", false);
    expect(retired).toMatchObject({ isAvailable: false, key: { state: "retired", wrapped: null } });
    expect(tickets(one)).not.toContain(key.kid);
    await expect(one.keys.step("promote", key.kid, "op", true)).rejects.toThrow(/generate a new one/);
  });

  it("a leaked key of the configuration is out at once when another one is forced in", async () => {
    const world = createKeyWorld();
    const one = world.process();
    await world.settle(one);
    const { key } = await one.keys.generate("cookies", null, "op");
    await one.keys.step("stage", key.kid, "op", false);
    await one.keys.step("promote", key.kid, "op", true);
    await one.keys.step("retire", cookieKeyId(keyText("cookies one")), "op", true);
    expect(one.keys.current.cookies.map(cookieKeyId)).toEqual([key.kid]);
    expect(one.events.at(-1)).toMatchObject({ event: "key.retired", forced: true, admin: "op" });
    const restarted = world.process();
    await world.settle(restarted);
    expect(restarted.keys.current.cookies.map(cookieKeyId)).toEqual([key.kid]);
  });

  it("are read without a ticket key of the configuration that leaked, once another one is in its place", async () => {
    const world = createKeyWorld();
    const one = world.process({ sources: { tickets: [keyText("leaked")] } });
    await world.settle(one);
    const { key } = await one.keys.generate("cookies", null, "op");
    await one.keys.step("stage", key.kid, "op", false);
    const both = world.process({ sources: { tickets: [keyText("fresh"), keyText("leaked")] } });
    await world.settle(both);
    const kidsOf = (name: string) => [readTicketKey(keyText(name)), deriveDrawKey(readTicketKey(keyText(name)))];
    for (const { kid } of kidsOf("fresh")) await both.keys.step("promote", kid, "op", true);
    for (const { kid } of kidsOf("leaked")) await both.keys.step("retire", kid, "op", true);
    await world.settle(both);
    const alone = world.process({ sources: { tickets: [keyText("fresh")] } });
    await world.settle(alone);
    expect(alone.keys.faults("")).toEqual([]);
    expect(alone.keys.current.cookies.map(cookieKeyId)).toContain(key.kid);
    expect([tickets(alone), alone.keys.current.draw]).toMatchObject([[ticketKid("fresh")], [{}]]);
  });
});

describe("an algorithm that a client wants", () => {
  it("gets another key where the one that was made cannot be unwrapped any more, and nobody else is there", async () => {
    const world = createKeyWorld();
    const file = memoryFile();
    const first = world.process({ wanted: ["ES256"], isShared: false, file });
    await first.keys.start();
    first.keys.stop();
    const renamed = world.process({ wanted: ["ES256"], isShared: false, file, issuer: "https://new-name.example.com" });
    await renamed.keys.tick();
    world.clock.advance(3_000);
    await world.settle(renamed);
    const made = ({ keys }: Process) => keys.current.signing.filter(({ alg }) => alg === "ES256").map(({ kid }) => kid);
    expect(made(renamed)).toHaveLength(1);
    expect(made(renamed)).not.toEqual(made(first));
    expect(renamed.keys.current.signing[0]?.kid).toBe(first.keys.current.signing[0]?.kid);
  });

  it("gets one key, which signs at once, however many processes see that there is none", async () => {
    const world = createKeyWorld();
    const processes = [1, 2, 3].map(() => world.process({ wanted: ["ES256", "RS256"] }));
    await Promise.all(processes.map(({ keys }) => keys.start()));
    for (const { keys } of processes) keys.stop();
    await world.settle(...processes);
    const made = processes.map(({ keys }) =>
      keys.current.signing.filter(({ alg }) => alg === "ES256").map(({ kid }) => kid),
    );
    expect(made[0]).toHaveLength(1);
    expect(new Set(made.map(String)).size).toBe(1);
    expect(report(processes[0] as Process, made[0]?.[0] ?? "")?.key).toMatchObject({
      state: "active",
      source: "automatic",
      alg: "ES256",
    });
    expect(processes.flatMap(lifeOf).filter((line) => line.startsWith("key.generated"))).toHaveLength(1);
  });
});
