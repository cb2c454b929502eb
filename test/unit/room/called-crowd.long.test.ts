// Long: plays 27 minutes of a room, several times.
/**
 * An operator calls many people at once. The visitors behind them are shown the truth at every moment, however many
 * of them come: those who are called come in first, and then the line goes on as it did. Nobody's estimate jumps.
 */
import { expect, test } from "vitest";
import { estimateWait, peopleAhead, type WaitEstimate } from "../../../src/room/line.ts";
import type { RoomSettings } from "../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createMovedClock } from "../../support/moved-clock.ts";
import { manualSettings } from "../../support/room-settings.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";

const perMinute = 60;
const endSec = 1_600;
/** How many of those who come are ahead of the visitors who are asked: more than are called. */
const watchedPeople = [1_000, 1_150, 1_300];
/** From here on the line has been measured. */
const measuredSec = 240;
/** Whoever was called looks at the page again within so long; ready to enter all ask every four seconds. */
const lookSec = 20;
const askSec = 4;
/** A slot is taken by whoever asks next, and the store moves the line once in a second. */
const slackSec = askSec + 1;
/** And who comes is chance. */
const luck = 0.1;

interface Scene {
  readonly inlet: Partial<RoomSettings["inlet"]>;
  /** Whoever came in leaves after so long, a half more or less. */
  readonly staySec?: number;
  /** How many come of those whom the operator calls then. */
  readonly called: (sec: number) => number;
  /** So much earlier than they can come in, some are called: nobody knows when the operator goes on. */
  readonly calledAheadSec?: number;
}

const onceAt = (atSec: number, people: number) => (sec: number) => (sec === atSec ? people : 0);
const scenes: Record<string, Scene> = {
  "a limit, 200 called": { inlet: { type: "periodic", outflowPerMinute: perMinute }, called: onceAt(300, 200) },
  "a limit, 600 called": { inlet: { type: "periodic", outflowPerMinute: perMinute }, called: onceAt(300, 600) },
  "so many at a time, 200 called": {
    inlet: { type: "max_active", maxActive: 60 },
    staySec: 60,
    called: onceAt(300, 200),
  },
  "a limit, and a line that is moved by hand every 30 s": {
    inlet: { outflowPerMinute: perMinute },
    called: (sec) => (sec % 30 === 1 ? 30 : 0),
  },
  "a limit, and a line that is moved by hand every 5 min": {
    inlet: { outflowPerMinute: perMinute },
    called: (sec) => (sec % 300 === 1 ? 300 : 0),
    calledAheadSec: 300,
  },
};
const cases = Object.entries(scenes).flatMap(([name, scene]) =>
  [0, 0.5, 0.9].map((absent) => ({ name, scene, absent })),
);

interface Told {
  readonly sec: number;
  readonly position: number;
  readonly estimate: WaitEstimate;
}

test.each(cases)(
  "$name, $absent of them absent: the estimate is true",
  async ({ scene, absent }) => {
    const { reported, servedSec } = await play(scene, absent);
    expect(servedSec.size).toBe(watchedPeople.length);
    // One question for all: there are thousands of them.
    const untrue: string[] = [];
    const check = (isTrue: boolean, what: () => string) => void (isTrue || untrue.push(what()));
    for (const [index, { sec, position, estimate }] of reported.entries()) {
      const realSec = (servedSec.get(position) ?? Number.NaN) - sec;
      // Shorter waits are told in steps of five seconds, and say little.
      if (realSec < 60) continue;
      const slack = slackSec + luck * realSec;
      const { low, high } = estimate;
      const what = () => `place ${position} after ${sec} s, ${realSec} s to go, ${slack} s of slack: ${low} to ${high}`;
      check(low <= realSec + slack + (scene.calledAheadSec ?? 0), what);
      check(high >= realSec - slack, what);
      const before = reported[index - 1];
      if (before?.position !== position) continue;
      const middle = (low + high) / 2;
      const toldBefore = () => `${what()}, and ${before.estimate.low} to ${before.estimate.high} before`;
      check(middle >= before.estimate.low, toldBefore);
      check(middle <= before.estimate.high, toldBefore);
    }
    expect(untrue).toEqual([]);
  },
  60_000,
);

/** What visitors far back were told, in every second from when the line was measured, and when they were served. */
async function play(scene: Scene, absent: number): Promise<{ reported: Told[]; servedSec: Map<number, number> }> {
  const clock = createMovedClock();
  const { rooms } = createMemoryStore({ clock, random: createSeededRandom("crowd") });
  const fileSettings = { ...manualSettings, inlet: { ...manualSettings.inlet, ...scene.inlet } };
  const { incarnation } = await rooms.contribute({ room: "r", fileSettings, memory: null, isNewRoom: true });
  const { fraction: chance } = createSeededRandom(`who comes, of ${absent}`);
  const joined = await rooms.join("r", incarnation, 10_000);
  for (let more = 0; more < 2; more++) await rooms.join("r", incarnation, 10_000);
  if (joined.result !== "ok") throw new Error("no places");
  const { edition, joinedMs } = joined.value;
  const isPresent = Array.from({ length: 30_001 }, () => chance() >= absent);
  /** Present visitors whose turn it is, by when they ask next. */
  const asks = new Map<number, number>();
  /** Those who are in, by when they leave. */
  const stays = new Map<number, number>();
  const watched = watchedPeople.map((people) => Math.round(people / (1 - absent)));
  const servedSec = new Map<number, number>();
  const reported = new Map<number, Told[]>(watched.map((position) => [position, []]));
  let served = 0;
  let cursor = 0;
  for (let sec = 1; sec <= endSec; sec++) {
    clock.advance(1_000);
    const called = Math.round(scene.called(sec) / (1 - absent));
    if (called > 0) await rooms.adminStep("r", incarnation, { step: "increment", by: called }, null);
    const tick = await rooms.tick("r", incarnation, cursor);
    if (tick.result !== "ok") throw new Error("no state");
    const { state } = tick.value;
    ({ cursor } = tick.value);
    const isCall = state.serving - served > 30 / (1 - absent);
    while (served < state.serving) {
      served++;
      if (watched.includes(served)) servedSec.set(served, sec);
      if (isPresent[served]) asks.set(served, sec + (isCall ? served % lookSec : 0));
    }
    for (const [position, atSec] of asks) {
      if (atSec > sec) continue;
      const claim = {
        sub: `s${position}`,
        edition,
        position,
        joinedMs,
        login: null,
        address: null,
        proof: null,
        bypass: null,
      };
      const outcome = await rooms.claim("r", incarnation, [claim]);
      const answer = outcome.result === "ok" ? outcome.value[0] : undefined;
      if (answer === undefined) throw new Error("no answer");
      if (answer.result === "held") {
        asks.set(position, sec + Math.min(askSec, Math.max(1, Math.floor(answer.retryMs / 1_000))));
      } else {
        asks.delete(position);
        if (scene.staySec !== undefined) stays.set(position, sec + scene.staySec * (0.5 + chance()));
      }
    }
    for (const [position, untilSec] of stays) {
      if (untilSec > sec) continue;
      await rooms.endAdmission("r", incarnation, `s${position}`, "completed");
      stays.delete(position);
    }
    if (sec < measuredSec) continue;
    for (const position of watched) {
      if (position <= state.serving) continue;
      const estimate = estimateWait(state, peopleAhead(state, position));
      if (estimate === null) throw new Error(`nothing is reported after ${sec} s`);
      reported.get(position)?.push({ sec, position, estimate });
    }
  }
  return { reported: [...reported.values()].flat(), servedSec };
}
