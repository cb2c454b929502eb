/**
 * Plays rooms on the memory store whose crowd changes from absent to present and back, and records each estimate that a visitor
 * reads beside the wait that followed.
 */
import { estimateWait, peopleAhead } from "../../../src/room/line.ts";
import type { RoomSettings } from "../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createMovedClock } from "../../support/moved-clock.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";

export interface CrowdPlan {
  readonly seed: string;
  readonly inlet: Partial<RoomSettings["inlet"]>;
  /** The share of visitors who are away when it is their turn, at a time from the beginning. */
  readonly absentAt: (sec: number) => number;
  /** Of those, the share who return, after five minutes on average. */
  readonly returning?: number;
  /** How long a visitor stays inside, in seconds, a half more or less. Default: to the end. */
  readonly staySec?: number;
  /** How long the line is: visitors join as others are served, more and fewer by turns. */
  readonly waiting: number;
  readonly untilSec: number;
}

/** An estimate as a visitor read it, and the wait until that visitor entered. */
export interface Statement {
  readonly sec: number;
  readonly ahead: number;
  readonly low: number;
  readonly high: number;
  readonly actualSec: number;
}

const readEverySec = 10;
const watchedInLine = 12;
const returnsAfterSec = 300;
/** From the turn to the page's request: its interval near the front and the age of the status. */
const askWithinSec = 3;
const expirySec = 900;

export async function playCrowd(plan: CrowdPlan): Promise<Statement[]> {
  const clock = createMovedClock();
  const { fraction: chance } = createSeededRandom(plan.seed);
  const { rooms } = createMemoryStore({ clock, random: createSeededRandom(`store of ${plan.seed}`) });
  const fileSettings = { ...manualSettings, inlet: { ...manualSettings.inlet, ...plan.inlet } };
  const { incarnation } = await rooms.contribute({ room: "r", fileSettings, memory: null, isNewRoom: true });
  const asks = new Map<number, number>();
  const stays = new Map<number, number>();
  const watched = new Map<number, Omit<Statement, "actualSec">[]>();
  const joinedAtMs: number[] = [];
  const statements: Statement[] = [];
  const watchEvery = Math.max(1, Math.floor(plan.waiting / watchedInLine));
  let [edition, served, cursor, queued] = [0, 0, 0, 0];

  async function join(count: number): Promise<void> {
    for (let left = count; left > 0; left -= 10_000) {
      const joined = await rooms.join("r", incarnation, Math.min(left, 10_000));
      if (joined.result !== "ok") throw new Error("no places");
      const { first, last, joinedMs } = joined.value;
      ({ edition } = joined.value);
      queued = last;
      for (let position = first; position <= last; position++) {
        joinedAtMs[position] = joinedMs;
        if (position % watchEvery === 0) watched.set(position, []);
      }
    }
  }

  async function claim(position: number, sec: number): Promise<void> {
    const joinedMs = joinedAtMs[position] ?? 0;
    const nothing = { login: null, address: null, proof: null, bypass: null };
    const claim = { sub: `s${position}`, edition, position, joinedMs, ...nothing };
    const outcome = await rooms.claim("r", incarnation, [claim]);
    const value = outcome.result === "ok" ? outcome.value[0] : undefined;
    if (value === undefined) throw new Error("no answer");
    if (value.result === "held") return void asks.set(position, sec + Math.max(1, Math.ceil(value.retryMs / 1_000)));
    asks.delete(position);
    if (value.result !== "admitted") return;
    if (plan.staySec !== undefined) stays.set(position, sec + plan.staySec * (0.5 + chance()));
    for (const read of watched.get(position) ?? []) statements.push({ ...read, actualSec: sec - read.sec });
    watched.delete(position);
  }

  function call(position: number, sec: number): void {
    if (watched.has(position) || chance() >= plan.absentAt(sec))
      asks.set(position, sec + 1 + Math.floor(askWithinSec * chance()));
    else if (chance() < (plan.returning ?? 0)) {
      const afterSec = Math.ceil(-returnsAfterSec * Math.log(1 - chance()));
      if (afterSec < expirySec) asks.set(position, sec + afterSec);
    }
  }

  for (let sec = 1; sec <= plan.untilSec; sec++) {
    clock.advance(1_000);
    // A line that grows by a half and shrinks again.
    const wanted = Math.round(plan.waiting * (1 - 0.5 * Math.cos(sec / 200)));
    if (served + wanted > queued) await join(served + wanted - queued);
    const tick = await rooms.tick("r", incarnation, cursor);
    if (tick.result !== "ok") throw new Error("no state");
    const { state } = tick.value;
    ({ cursor } = tick.value);
    while (served < state.serving) call(++served, sec);
    for (const [position, atSec] of asks) if (atSec <= sec) await claim(position, sec);
    for (const [position, untilSec] of stays) {
      if (untilSec > sec) continue;
      await rooms.endAdmission("r", incarnation, `s${position}`, "completed");
      stays.delete(position);
    }
    if (sec % readEverySec !== 0) continue;
    for (const [position, read] of watched) {
      if (position <= state.serving) continue;
      const ahead = peopleAhead(state, position);
      const estimate = estimateWait(state, ahead);
      if (estimate !== null) read.push({ sec, ahead, ...estimate });
    }
  }
  return statements;
}

export interface Truth {
  readonly statements: number;
  /** The share of statements whose upper end was too low. */
  readonly tooLow: number;
  /** The share of statements whose lower end was too high. */
  readonly tooHigh: number;
  /** The median of upper end ÷ what it took. */
  readonly median: number;
}

export function judge(statements: readonly Statement[]): Truth {
  const ratios = statements.map(({ high, actualSec }) => high / actualSec).sort((a, b) => a - b);
  const share = (isSo: (statement: Statement) => boolean) => statements.filter(isSo).length / statements.length;
  return {
    statements: statements.length,
    tooLow: share(({ high, actualSec }) => high < actualSec),
    tooHigh: share(({ low, actualSec }) => low > actualSec),
    median: ratios[Math.floor(ratios.length / 2)] ?? Number.NaN,
  };
}

/** Rooms at these limits, a minute, whose crowd is there and away by turns. */
export function crowdPlans(limits: readonly number[]): CrowdPlan[] {
  const shapes: Record<string, (sec: number) => number> = {
    "nearly all come": () => 0.03,
    "half are away for ten minutes, again and again": (sec) => (Math.floor(sec / 600) % 2 === 0 ? 0.5 : 0.02),
    "a third are away for five minutes, again and again": (sec) => (Math.floor(sec / 300) % 2 === 0 ? 0.02 : 0.35),
    "four in five are away, and then all are there": (sec) => (sec < 900 ? 0.8 : 0),
  };
  return limits.flatMap((limit) =>
    Object.entries(shapes).map(([name, absentAt]) => ({
      seed: `${limit} a minute: ${name}`,
      inlet: { type: "periodic" as const, outflowPerMinute: limit },
      absentAt,
      returning: 0.15,
      waiting: limit * 6,
      untilSec: 2_400,
    })),
  );
}
