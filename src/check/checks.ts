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
import { createPasses, createUsedOnce, whereOf } from "./passes.ts";
import { createProofs, type ProofChallenge, type Proved, proofValidMs } from "./proof-of-work.ts";
import { createWaits } from "./waits.ts";

type CheckSettings = NonNullable<RoomSettings["check"]>;
type Outcome = RoomEvents["join.checked"][0]["outcome"];
/** Why what was shown does not count. */
type Fault = Exclude<Outcome, "asked" | "passed" | "waited">;

/** What the checks take of a room. */
export type CheckedRoom = Pick<WaitingRoom, "name" | "settings" | "emit">;

/** What a visitor shows of a check that was done. */
export interface Shown {
  /** Of a proof of work; see proof-of-work.ts. */
  readonly proof?: string | undefined;
  readonly pass?: string | undefined;
}

/** The visitor has to do this first. */
export interface CheckNeeded {
  readonly result: "check";
  readonly challenge: ProofChallenge;
  /** For a browser without scripts: a pass that counts after so many milliseconds; null where none is given. */
  readonly wait: { readonly pass: string; readonly leftMs: number } | null;
}

/** The visitor may join. */
export interface Entered {
  readonly result: "entered";
  /** Called once it is known whether they did: what was shown is used up by a place alone. */
  settle(hasJoined: boolean): void;
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
}

/** What is asked before joins, of one issuer's rooms. */
export function createChecks({ ring, clock, random }: CheckParts) {
  const proofs = createProofs(ring, clock, random);
  const passes = createPasses(ring);
  const used = createUsedOnce(clock);
  const counts = createBlockCounts(clock);
  const waits = createWaits(clock);
  const limitOfRange = createLimitsOfRanges();

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
    ): Promise<Entered | CheckNeeded> {
      const visit = visitOf(room, address);
      if (!isForced && visit.check.when === "suspicious" && !visit.load.isSuspicious) {
        return { result: "entered", settle: (hasJoined) => void (hasJoined && visit.count()) };
      }
      const shown = await show();
      const earned = findEarned(visit, shown);
      room.emit("join.checked", { outcome: typeof earned === "object" ? earned.outcome : earned });
      if (typeof earned !== "object") return ask(visit, shown);
      return {
        result: "entered",
        settle(hasJoined) {
          if (hasJoined) visit.count();
          else earned.giveBack();
        },
      };
    },

    /** The pass for a proof, which is used at the join that follows. */
    async prove(room: CheckedRoom, address: string | null, proof: string): Promise<string | CheckNeeded> {
      const visit = visitOf(room, address);
      const proved = findProof(visit, proof);
      if (typeof proved === "string") {
        room.emit("join.checked", { outcome: proved });
        return ask(visit, {});
      }
      const nowMs = clock.now();
      return passes.encode(visit.where, { ...proved, kind: "proof", fromMs: nowMs, untilMs: nowMs + passMs });
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
    return {
      ...{ room, check, address },
      where: whereOf(room.name, from),
      load: counts.loadOf(room.name, address, check, bound),
      count: () => counts.count(room.name, address, check, bound),
    };
  }
  type Visit = ReturnType<typeof visitOf>;

  async function ask({ where, load, check }: Visit, { pass }: Shown): Promise<CheckNeeded> {
    const challenge = await proofs.make(where, load.times);
    return { result: "check", challenge, wait: check.withoutScripts === "wait" ? waitFor(where, check, pass) : null };
  }

  /** A wait that has begun goes on. */
  function waitFor(where: string, { waitMs }: CheckSettings, shown: string | undefined) {
    const nowMs = clock.now();
    const known = passes.read(where, shown);
    const isGoingOn = known?.kind === "wait" && nowMs < known.untilMs && !used.has(known.id);
    if (shown !== undefined && isGoingOn) return { pass: shown, leftMs: Math.max(known.fromMs - nowMs, waitMsMin) };
    const fromMs = nowMs + waitMs;
    const id = random.bytes(12).toString("base64url");
    const pass = passes.encode(where, { id, kind: "wait", times: 0, fromMs, untilMs: fromMs + waitedMs });
    return { pass, leftMs: waitMs };
  }

  /** A proof that is hard enough now: others may have joined from the block since. */
  function findProof({ where, load }: Visit, text: string): Proved | Fault {
    const proved = proofs.verify(where, text);
    return typeof proved === "object" && isTooEasy(proved, load) ? "too_easy" : proved;
  }

  /** By what the visitor may join, which is used from now on; else why not, `asked` where there is nothing wrong. */
  function findEarned(visit: Visit, { proof, pass: token }: Shown) {
    if (proof !== undefined) {
      const proved = findProof(visit, proof);
      return typeof proved === "string" ? proved : useProof(proved);
    }
    if (token === undefined) return "asked" as const;
    const pass = passes.read(visit.where, token);
    const nowMs = clock.now();
    if (pass === null) return "elsewhere" as const;
    if (nowMs >= pass.untilMs) return "expired" as const;
    if (pass.kind === "proof") return isTooEasy(pass, visit.load) ? ("too_easy" as const) : useProof(pass);
    if (nowMs < pass.fromMs || visit.check.withoutScripts !== "wait") return "asked" as const;
    return useWait(visit, pass);
  }

  function useProof({ id }: Proved) {
    // Until nothing can be earned by it any more.
    if (!used.use(id, clock.now() + proofValidMs + passMs)) return "used" as const;
    return { outcome: "passed" as const, giveBack: () => used.giveBack(id) };
  }

  function useWait({ room, address }: Visit, { id, untilMs }: { readonly id: string; readonly untilMs: number }) {
    if (used.has(id)) return "used" as const;
    if (!waits.take(room.name, address)) return "too_many_waits" as const;
    used.use(id, untilMs);
    const giveBack = () => {
      used.giveBack(id);
      waits.giveBack(room.name, address);
    };
    return { outcome: "waited" as const, giveBack };
  }
}

/** One step harder than what was done is no reason to do it again: it gets harder while many join. */
function isTooEasy({ times }: Pick<Proved, "times">, load: { readonly times: number }): boolean {
  return times * 2 < load.times;
}
