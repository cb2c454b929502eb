import type { ChallengeConfig } from "../config/index.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import {
  createLimitsOfRanges,
  type KeyRing,
  type RoomEvents,
  type RoomSettings,
  type WaitingRoom,
} from "../room/index.ts";
import { createBlockCounts } from "./block-counts.ts";
import { type Answered, createChallenges } from "./challenges.ts";
import { createPasses, createUsedOnce, whereOf } from "./passes.ts";
import { createProofs, type ProofChallenge, type Proved, proofValidMs } from "./proof-of-work.ts";
import type { ProviderWidget } from "./providers.ts";
import { createWaits } from "./waits.ts";

type CheckSettings = NonNullable<RoomSettings["check"]>;
type Outcome = RoomEvents["join.checked"][0]["outcome"];
/** Why what was shown does not count. */
type Fault = Exclude<Outcome, "asked" | "passed" | "waited" | "let_in" | "provider_away" | "provider_busy">;

/** What the checks take of a room. */
export type CheckedRoom = Pick<WaitingRoom, "name" | "settings" | "emit" | "noteCheck">;

/** What a visitor shows of a check that was done. */
export interface Shown {
  /** Of a proof of work; see proof-of-work.ts. */
  readonly proof?: string | undefined;
  /** Of a provider's challenge. */
  readonly response?: string | undefined;
  readonly pass?: string | undefined;
}

/** What is to be done. */
export type Task =
  | { readonly type: "proof_of_work"; readonly challenge: ProofChallenge }
  | { readonly type: "challenge"; readonly widget: ProviderWidget };

/** The visitor has to do this first. */
export interface CheckNeeded {
  readonly result: "check";
  readonly task: Task;
  /** For a browser without scripts: a pass that counts after so many milliseconds; null where none is given. */
  readonly wait: { readonly pass: string; readonly leftMs: number } | null;
}

/** The visitor may join. */
export interface Entered {
  readonly result: "entered";
  /** Called once it is known whether they did: what was shown is used up by a place alone. */
  settle(hasJoined: boolean): void;
}

/** What was done cannot be judged now: the provider is away, or busy. */
export interface Unjudged {
  readonly result: "unjudged";
}

export type Checks = ReturnType<typeof createChecks>;

/** From the proof to the join is a reload of the page; a join may have to be tried again. */
const passMs = 120_000;
/** How long a wait counts that is over. */
const waitedMs = 300_000;
/** The least time until a page without scripts asks again. */
const waitMsMin = 5_000;

/** Where a check is asked of a visitor though the room has none. */
const usualCheck: CheckSettings = {
  type: "proof_of_work",
  whenAway: "hold",
  when: "always",
  share: 0.1,
  difficulty: 1,
  difficultyMax: 16,
  withoutScripts: "refuse",
  waitMs: 30_000,
};

interface CheckParts {
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly random: Random;
  readonly challenges: readonly ChallengeConfig[];
  /** Of the issuer. */
  readonly host: string;
}

/** What is asked before joins, of one issuer's rooms. */
export function createChecks({ ring, clock, random, challenges, host }: CheckParts) {
  const proofs = createProofs(ring, clock, random);
  const passes = createPasses(ring);
  const used = createUsedOnce(clock);
  const counts = createBlockCounts(clock);
  const waits = createWaits(clock);
  const limitOfRange = createLimitsOfRanges();
  const providers = createChallenges(challenges, host, clock);
  const randomId = () => random.bytes(12).toString("base64url");

  return {
    /**
     * Whether a visitor may join now.
     *
     * @param address see `addressBlock`; null where it is not counted
     * @param show asked only where a check is needed
     * @param isForced whether one is, whatever the room says
     */
    async enter(
      room: CheckedRoom,
      address: string | null,
      show: () => Shown | Promise<Shown>,
      isForced = false,
    ): Promise<Entered | CheckNeeded | Unjudged> {
      const before = visitOf(room, address);
      const isFree = !isForced && before.check.when === "suspicious" && !before.load.isSuspicious;
      if (isFree || before.asked === "nothing") {
        if (!isFree) before.note("let_in");
        return enteredBy(before.count());
      }
      const shown = await show();
      // Others may have joined while that came.
      const visit = visitOf(room, address);
      const earned = await findEarned(visit, shown);
      if (earned === "hold") return { result: "unjudged" };
      visit.note(typeof earned === "object" ? earned.outcome : earned);
      return typeof earned === "object" ? enteredBy(earned.giveBack) : ask(visit, shown);
    },

    /** The pass for what was done, which is used at the join that follows. */
    async prove(room: CheckedRoom, address: string | null, shown: Shown): Promise<string | CheckNeeded | Unjudged> {
      const visit = visitOf(room, address);
      const nowMs = clock.now();
      const [fromMs, untilMs] = [nowMs, nowMs + passMs];
      if (shown.response !== undefined) {
        const answered = await answer(visit, shown.response);
        if (answered === "hold") return { result: "unjudged" };
        if (typeof answered === "object") {
          const id = answered.id ?? randomId();
          return passes.encode(visit.where, { id, kind: "challenge", times: 0, fromMs, untilMs });
        }
        if (answered !== "proof") visit.note(answered);
        return ask(visit, {});
      }
      const proved = visit.asked === "proof" ? findProof(visit, shown.proof ?? "") : "asked";
      if (typeof proved === "object") return passes.encode(visit.where, { ...proved, kind: "proof", fromMs, untilMs });
      if (proved !== "asked") visit.note(proved);
      return ask(visit, {});
    },
  };

  /** A visit, with what is asked there. */
  function visitOf(room: CheckedRoom, from: string | null) {
    const check = room.settings.check ?? usualCheck;
    const limit = room.settings.joinsPerAddress;
    const range = from === null || limit === null ? undefined : limitOfRange(limit, from);
    // Addresses that have no limit are not counted here either.
    const address = range?.limit === null ? null : from;
    const bound = limit && { ...limit, ...range?.limit };
    const load = counts.loadOf(room.name, address, check, bound);
    const asked = providers.askedBy(check);
    // A challenge of a provider gets no harder.
    const isHarder = asked === "proof" && load.times > check.difficulty;
    return {
      ...{ room, check, address, bound, load, asked },
      where: whereOf(room.name, from),
      note: (outcome: Outcome) => room.noteCheck(outcome, from, isHarder),
      count: () => counts.count(room.name, address, check, bound),
    };
  }
  type Visit = ReturnType<typeof visitOf>;

  async function ask({ where, load, check }: Visit, { pass }: Shown): Promise<CheckNeeded> {
    // A provider may have failed at this visit.
    const asked = providers.askedBy(check);
    const wait = check.withoutScripts === "wait" ? waitFor(where, check, pass) : null;
    if (typeof asked === "object") return { result: "check", task: { type: "challenge", widget: asked.widget }, wait };
    const challenge = await proofs.make(where, load.times);
    return { result: "check", task: { type: "proof_of_work", challenge }, wait };
  }

  function answer({ room, check, address, bound, asked }: Visit, response: string): Promise<Answered> {
    // Where a proof of work is asked, no answer counts.
    if (typeof asked !== "object") return Promise.resolve("proof");
    return providers.answer(room, asked, response, address, check, bound);
  }

  /** A wait that has begun goes on. */
  function waitFor(where: string, { waitMs }: CheckSettings, shown: string | undefined) {
    const nowMs = clock.now();
    const known = passes.read(where, shown);
    const isGoingOn = known?.kind === "wait" && nowMs < known.untilMs && !used.has(known.id);
    if (shown !== undefined && isGoingOn) return { pass: shown, leftMs: Math.max(known.fromMs - nowMs, waitMsMin) };
    const fromMs = nowMs + waitMs;
    const pass = passes.encode(where, { id: randomId(), kind: "wait", times: 0, fromMs, untilMs: fromMs + waitedMs });
    return { pass, leftMs: waitMs };
  }

  /** A proof that is hard enough now: others may have joined from the block since. */
  function findProof({ where, load }: Visit, text: string): Proved | Fault {
    const proved = proofs.verify(where, text);
    return typeof proved === "object" && isTooEasy(proved, load) ? "too_easy" : proved;
  }

  /** By what the visitor may join, which is used from now on; else why not, `asked` where there is nothing wrong. */
  async function findEarned(visit: Visit, { proof, response, pass: token }: Shown) {
    if (response !== undefined) {
      const answered = await answer(visit, response);
      if (answered === "proof") return "asked" as const;
      return typeof answered === "string" ? answered : useEarned(visit, answered.id ?? randomId(), answered.outcome);
    }
    if (proof !== undefined) {
      if (visit.asked !== "proof") return "asked" as const;
      const proved = findProof(visit, proof);
      return typeof proved === "string" ? proved : useEarned(visit, proved.id);
    }
    if (token === undefined) return "asked" as const;
    const pass = passes.read(visit.where, token);
    const nowMs = clock.now();
    if (pass === null) return "elsewhere" as const;
    if (nowMs >= pass.untilMs) return "expired" as const;
    if (pass.kind === "challenge") return useEarned(visit, pass.id);
    if (pass.kind === "proof") return isTooEasy(pass, visit.load) ? ("too_easy" as const) : useEarned(visit, pass.id);
    if (nowMs < pass.fromMs || visit.check.withoutScripts !== "wait") return "asked" as const;
    return useWait(visit, pass);
  }

  /** The join is counted at once, or all that come together would be as the first. */
  function useEarned({ count }: Visit, id: string, outcome: "passed" | "let_in" = "passed") {
    // Until nothing can be earned by it any more.
    if (!used.use(id, clock.now() + proofValidMs + passMs)) return "used" as const;
    const discount = count();
    const giveBack = () => {
      used.giveBack(id);
      discount();
    };
    return { outcome, giveBack };
  }

  function useWait(
    { room, address, count }: Visit,
    { id, untilMs }: { readonly id: string; readonly untilMs: number },
  ) {
    if (used.has(id)) return "used" as const;
    if (!waits.take(room.name, address)) return "too_many_waits" as const;
    used.use(id, untilMs);
    const discount = count();
    const giveBack = () => {
      used.giveBack(id);
      discount();
      waits.giveBack(room.name, address);
    };
    return { outcome: "waited" as const, giveBack };
  }
}

/** @param giveBack where they do not join after all */
function enteredBy(giveBack: () => void): Entered {
  return { result: "entered", settle: (hasJoined) => void (hasJoined || giveBack()) };
}

/** One step harder than what was done is no reason to do it again: it gets harder while many join. */
function isTooEasy({ times }: Pick<Proved, "times">, load: { readonly times: number }): boolean {
  return times * 2 < load.times;
}
