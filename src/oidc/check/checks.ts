/**
 * Checks before a join, which make a place cost more than a request: what a visitor has to do (a proof of work, or a provider's
 * challenge), how hard it is for their address block, and the signed pass that they get for it. Knows neither HTTP nor pages:
 * `web/visitor/join-check.ts` calls it before `room.join`. Never accesses the store.
 */
import type { ChallengeConfig } from "../../config/index.ts";
import { usualRate } from "../../lib/address-buckets.ts";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import {
  createLimitsOfRanges,
  type KeyRing,
  type RoomEvents,
  type RoomSettings,
  type WaitingRoom,
} from "../../room/index.ts";
import { createBlockCounts, shareOf } from "./block-counts.ts";
import { createMoves, createWaits, type Earned } from "./bounds.ts";
import { type Answered, createChallenges } from "./challenges.ts";
import { createPasses, createUsedOnce, type Pass, type Where, whereOf } from "./passes.ts";
import { createProofs, type ProofChallenge, type Proved, proofValidMs } from "./proof-of-work.ts";
import type { ProviderWidget } from "./providers.ts";

/** A finished check, as the visitor presents it. */
export interface Presented {
  /** Of a proof of work; see proof-of-work.ts. */
  readonly proof?: string | undefined;
  /** Of a provider's challenge. */
  readonly response?: string | undefined;
  readonly pass?: string | undefined;
  /** The session that came with the check (see `CheckNeeded`), or a later pass. */
  readonly session?: string | undefined;
}

/** The check to do. */
type Task =
  | { readonly type: "proof_of_work"; readonly challenge: ProofChallenge }
  | { readonly type: "challenge"; readonly widget: ProviderWidget };

/** The visitor has to do this first. */
export interface CheckNeeded {
  readonly result: "check";
  readonly task: Task;
  /** To be presented with the finished check, so that it also counts from another network. For a browser without scripts it is the pass. */
  readonly session: string;
  /** For a browser without scripts: milliseconds after which `session` counts as a pass; null where it never does. */
  readonly waitMs: number | null;
}

/** The visitor may join. */
export interface Entered {
  readonly result: "entered";
  /** Called once it is known whether they joined: only a place uses up the pass. */
  settle(hasJoined: boolean): void;
}

/** The check cannot be verified now: the provider is unreachable or busy. */
export interface Unjudged {
  readonly result: "unjudged";
}

type CheckSettings = NonNullable<RoomSettings["check"]>;
type Outcome = RoomEvents["join.checked"][0]["outcome"];
/** Why the presented check does not count. */
type Fault = Exclude<Outcome, "asked" | "passed" | "waited" | "let_in" | "provider_away" | "provider_busy">;

/** The parts of a room that checks use. */
export type CheckedRoom = Pick<WaitingRoom, "name" | "settings" | "emit" | "recordCheck">;

export type Checks = ReturnType<typeof createChecks>;

/** From the proof to the join is a reload of the page; a join may have to be tried again. */
const passMs = 120_000;
/** How long a finished wait stays valid. */
const waitedMs = 300_000;
/** Joins by a check from another network, as a multiple of one address's share: as many as a /48 of IPv6 has. */
const networkTimes = 8;
/** The least time until a page without scripts asks again. */
const waitMsMin = 5_000;

/** For a visitor who needs a check though the room has none. */
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

/** Checks before joins to the rooms of one issuer. */
export function createChecks({
  ring,
  clock,
  random,
  challenges,
  host,
}: {
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly random: Random;
  readonly challenges: readonly ChallengeConfig[];
  /** Of the issuer. */
  readonly host: string;
}) {
  const proofs = createProofs(ring, clock, random);
  const passes = createPasses(ring);
  const used = createUsedOnce(clock);
  const counts = createBlockCounts(clock);
  const waits = createWaits(clock);
  const moves = createMoves(clock);
  const limitOfRange = createLimitsOfRanges();
  const providers = createChallenges(challenges, host, clock);
  const randomId = () => random.bytes(12).toString("base64url");

  return {
    /**
     * Whether a visitor may join now.
     *
     * @param address see `addressBlock`; null where it is not counted
     * @param show called only if a check is needed
     * @param isForced whether a check is needed whatever the room's settings say
     */
    async enter(
      room: CheckedRoom,
      address: string | null,
      show: () => Presented | Promise<Presented>,
      isForced = false,
    ): Promise<Entered | CheckNeeded | Unjudged> {
      const before = visitOf(room, address);
      const isFree = !isForced && before.check.when === "suspicious" && !before.load.isSuspicious;
      if (isFree || before.asked === "nothing") {
        if (!isFree) before.note("let_in");
        return enteredBy(before.count());
      }
      const presented = await show();
      // Others may have joined in the meantime.
      const visit = visitOf(room, address);
      const earned = await findEarned(visit, presented);
      if (earned === "hold") return { result: "unjudged" };
      visit.note(typeof earned === "object" ? earned.outcome : earned);
      return typeof earned === "object" ? enteredBy(earned.refund) : ask(visit, presented);
    },

    /** The pass for a finished check, to be used by the join that follows. */
    async prove(
      room: CheckedRoom,
      address: string | null,
      presented: Presented,
    ): Promise<string | CheckNeeded | Unjudged> {
      const visit = visitOf(room, address);
      const nowMs = clock.now();
      const [fromMs, untilMs] = [nowMs, nowMs + passMs];
      if (presented.response !== undefined) {
        const answered = await answer(visit, presented.response);
        if (answered === "hold") return { result: "unjudged" };
        if (typeof answered === "object") {
          const id = answered.id ?? randomId();
          const earned = { ...sessionOf(visit, presented), id, times: 0 };
          return passes.encode(visit.where.line, { ...earned, kind: "challenge", fromMs, untilMs });
        }
        if (answered !== "proof") visit.note(answered);
        return ask(visit, presented);
      }
      const proved = visit.asked === "proof" ? findProof(visit, presented) : "asked";
      // The join counts it as a move: nothing is gained before.
      if (typeof proved === "object")
        return passes.encode(visit.where.line, { ...proved, kind: "proof", fromMs, untilMs });
      if (proved !== "asked") visit.note(proved);
      return ask(visit, presented);
    },
  };

  /** A visit, and the check that it needs. */
  function visitOf(room: CheckedRoom, from: string | null) {
    const check = room.settings.check ?? usualCheck;
    const limit = room.settings.joinsPerAddress;
    const range = from === null || limit === null ? undefined : limitOfRange(limit, from);
    // Addresses that have no limit are not counted here either.
    const address = range?.limit === null ? null : from;
    const bound = limit && { ...limit, ...range?.limit };
    const load = counts.loadOf(room.name, address, check, bound);
    const provider = providers.challengeOf(check);
    const where = whereOf(room.name, from);
    // A challenge of a provider gets no harder.
    const isHarder = provider === "proof" && load.times > check.difficulty;
    return {
      room,
      check,
      address,
      bound,
      load,
      asked: provider,
      where,
      note: (outcome: Outcome) => room.recordCheck(outcome, from, isHarder),
      count: () => counts.count(room.name, address, check, bound),
      move: (earned: Earned) => moves.take(where, earned, shareOf(check, bound ?? usualRate, networkTimes)),
    };
  }
  type Visit = ReturnType<typeof visitOf>;

  async function ask(visit: Visit, presented: Presented): Promise<CheckNeeded> {
    const { where, load, check } = visit;
    // A provider may have failed at this visit.
    const provider = providers.challengeOf(check);
    const { session } = sessionOf(visit, presented);
    const started =
      check.withoutScripts === "wait" ? waitFor(where, session, check, presented) : beginSession(where, session);
    const needed = { result: "check", session: started.token, waitMs: started.leftMs } as const;
    if (typeof provider === "object") return { ...needed, task: { type: "challenge", widget: provider.widget } };
    const challenge = await proofs.make(where, session, load.times);
    return { ...needed, task: { type: "proof_of_work", challenge } };
  }

  /** A session is extended whenever it is presented: by itself it is worth nothing. */
  function sessionOf({ where: { line, network } }: Visit, { session }: Presented): Earned {
    return { network, session: passes.read(line, session)?.session ?? randomId() };
  }

  function beginSession({ line, network }: Where, session: string) {
    const nothing = { id: "", kind: "session", times: 0, fromMs: 0, untilMs: 0 } as const;
    return { token: passes.encode(line, { network, session, ...nothing }), leftMs: null };
  }

  function answer({ room, check, address, bound, asked: provider }: Visit, response: string): Promise<Answered> {
    // Where a proof of work is required, an answer to a challenge does not count.
    if (typeof provider !== "object") return Promise.resolve("proof");
    return providers.answer(room, provider, response, address, check, bound);
  }

  /** Continues a wait that has begun. */
  function waitFor(
    { line, network }: Where,
    session: string,
    { waitMs }: CheckSettings,
    { session: token }: Presented,
  ) {
    const nowMs = clock.now();
    const pass = passes.read(line, token);
    const isGoingOn = pass?.kind === "wait" && nowMs < pass.untilMs && !used.has(pass.id);
    if (token !== undefined && isGoingOn) return { token, leftMs: Math.max(pass.fromMs - nowMs, waitMsMin) };
    const times = { times: 0, fromMs: nowMs + waitMs, untilMs: nowMs + waitMs + waitedMs };
    return { token: passes.encode(line, { network, session, id: randomId(), kind: "wait", ...times }), leftMs: waitMs };
  }

  /** A proof that is hard enough now: others may have joined from the block since. */
  function findProof({ where, load }: Visit, { proof = "", session }: Presented): Proved | Fault {
    const proved = proofs.verify(where.line, proof);
    if (typeof proved === "string") return proved;
    const isHere = proved.network === where.network || passes.read(where.line, session)?.session === proved.session;
    if (!isHere) return "elsewhere";
    return isTooEasy(proved, load) ? "too_easy" : proved;
  }

  /** The pass by which the visitor may join, which is used up from now on; else why not. `asked`: nothing was presented yet. */
  async function findEarned(visit: Visit, presented: Presented) {
    const { proof, response, pass: token } = presented;
    if (response !== undefined) {
      const answered = await answer(visit, response);
      if (answered === "proof") return "asked" as const;
      if (typeof answered === "string") return answered;
      return useEarned(visit, { ...sessionOf(visit, presented), id: answered.id ?? randomId() }, answered.outcome);
    }
    if (proof !== undefined) {
      if (visit.asked !== "proof") return "asked" as const;
      const proved = findProof(visit, presented);
      return typeof proved === "string" ? proved : useEarned(visit, proved);
    }
    if (token === undefined) return "asked" as const;
    const pass = passes.read(visit.where.line, token);
    const nowMs = clock.now();
    if (pass === null) return "elsewhere" as const;
    if (pass.kind === "session") return "asked" as const;
    if (nowMs >= pass.untilMs) return "expired" as const;
    if (pass.kind === "challenge") return useEarned(visit, pass);
    if (pass.kind === "proof") return isTooEasy(pass, visit.load) ? ("too_easy" as const) : useEarned(visit, pass);
    if (nowMs < pass.fromMs || visit.check.withoutScripts !== "wait") return "asked" as const;
    return useWait(visit, pass);
  }

  /** The join is counted at once, or all that come together would be as the first. */
  function useEarned(visit: Visit, earned: Earned & { readonly id: string }, outcome: "passed" | "let_in" = "passed") {
    if (used.has(earned.id)) return "used" as const;
    const moveBack = visit.move(earned);
    if (moveBack === null) return "elsewhere" as const;
    // Until it can be used for nothing any more.
    used.use(earned.id, clock.now() + proofValidMs + passMs);
    const discount = visit.count();
    const refund = () => {
      used.refund(earned.id);
      moveBack();
      discount();
    };
    return { outcome, refund };
  }

  function useWait(visit: Visit, pass: Pass) {
    const { room, address } = visit;
    if (used.has(pass.id)) return "used" as const;
    if (!waits.take(room.name, address)) return "too_many_waits" as const;
    const joined = useEarned(visit, pass);
    if (typeof joined === "string") {
      waits.refund(room.name, address);
      return joined;
    }
    const refund = () => {
      joined.refund();
      waits.refund(room.name, address);
    };
    return { outcome: "waited" as const, refund };
  }
}

/** @param refund called if they do not join after all */
function enteredBy(refund: () => void): Entered {
  return { result: "entered", settle: (hasJoined) => void (hasJoined || refund()) };
}

/** One step harder than what was done is no reason to do it again: it gets harder while many join. */
function isTooEasy({ times }: Pick<Proved, "times">, load: { readonly times: number }): boolean {
  return times * 2 < load.times;
}
