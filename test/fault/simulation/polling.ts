/**
 * How often a crowd's pages ask, in simulated time: the real room on the memory store answers with the real status, and each
 * page chooses its next question by the functions of src/web/browser. All visitors look, and none gives up.
 */

import {
  countAhead,
  estimateWait,
  isServed,
  pollAfterMs,
  pollForOpeningMs,
  pollPauseMs,
} from "../../../src/room/public-status/pacing.ts";
import type { PollGuidance, RoomStatus } from "../../../src/room/public-status/status.ts";
import { ticketWithoutPlace } from "../../../src/room/tickets/ticket.ts";
import type { WaitingRoom } from "../../../src/room/waiting-room.ts";
import { statusBodies } from "../../../src/web/visitor/status.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";
import { createChance } from "./chance.ts";
import { type RoomPlan, settingsOf } from "./settings.ts";
import { createSimulatedTime } from "./time.ts";
import { createWorld, roomId } from "./world.ts";

export interface PollingPlan {
  readonly seed: string;
  readonly visitors: number;
  readonly inlet: RoomPlan["inlet"];
  readonly claimWithinMs?: number;
  /** From the beginning, when all have their entry numbers. */
  readonly opensAtMs: number;
  /** Before anybody asks. */
  begin?(room: WaitingRoom): Promise<unknown>;
  /** What an operator does, and when. */
  readonly stepAtMs: number;
  step(room: WaitingRoom): Promise<unknown>;
  readonly untilMs: number;
  /** Where pages are told otherwise than they are. */
  readonly poll?: Partial<PollGuidance>;
}

export interface PollingFigures {
  /** Requests in each second from the beginning: the room's status, pages, and claims of those who are held. */
  readonly statusPerSec: Uint32Array;
  readonly pagesPerSec: Uint32Array;
  readonly claimsPerSec: Uint32Array;
  readonly admitted: number;
  /** From being served to the request for the way in, for each who was, and what part that is of the interval the page was told. */
  readonly reactions: readonly Reaction[];
}

export interface Reaction {
  /** Seconds that were to go at the short end of the estimate when the operator acted; 0 where none was known. */
  readonly wasAwaySec: number;
  readonly atMs: number;
  readonly afterMs: number;
  /** The interval that it was told before, jitter left out. */
  readonly toldMs: number;
}

const binMs = 50;
const joinedAtOnce = 1_000;
const tickMs = 1_000;
/** What a page does of its own accord. */
const [asks, entersOrClaims] = [0, 1];
const [inLine, atTheDoor, inside] = [0, 1, 2];
/** src/web/browser/waiting.ts: nobody enters in the same instant as another. */
const entryJitterMs = 300;

export async function simulatePolling(plan: PollingPlan): Promise<PollingFigures> {
  const time = createSimulatedTime();
  const chance = createChance(plan.seed);
  const beginMs = time.wall.now();
  const { inlet, claimWithinMs } = plan;
  const plain = settingsOf({ inlet, ...(claimWithinMs !== undefined && { claimWithinMs }) }, beginMs);
  const schedule = { ...plain.schedule, prequeueAtMs: beginMs - 1_000, opensAtMs: beginMs + plan.opensAtMs };
  const world = await createWorld({
    store: "memory",
    gateways: 1,
    settings: { ...plain, schedule },
    clock: time.wall,
    random: createSeededRandom(plan.seed),
    fraction: chance.fraction,
    watcher: { asking: () => () => {} },
    onFailure(what, error) {
      throw new Error(what, { cause: error });
    },
  });
  // The page's functions draw from here.
  const random = Math.random;
  Math.random = chance.fraction;
  try {
    const [gateway] = world.gateways;
    if (gateway === undefined) throw new Error("no gateway");
    // A store that nobody knows of is looked at for a moment first.
    for (; gateway.room.state === null || gateway.room.availability !== "ready"; time.advanceTo(time.nowMs + tickMs)) {
      await gateway.refresh();
    }
    for (let joined = 0; joined < plan.visitors; joined += joinedAtOnce) {
      await gateway.store.join(roomId, gateway.room.state.incarnation, Math.min(joinedAtOnce, plan.visitors - joined));
    }
    await plan.begin?.(gateway.room);
    await gateway.refresh();
    return await run(plan, gateway.room, time, () => gateway.refresh());
  } finally {
    Math.random = random;
    await world.close();
  }
}

async function run(
  plan: PollingPlan,
  room: WaitingRoom,
  time: ReturnType<typeof createSimulatedTime>,
  refresh: () => Promise<void>,
): Promise<PollingFigures> {
  const { visitors, poll } = plan;
  const untilMs = time.nowMs + plan.untilMs;
  const edition = room.state?.edition ?? 0;
  const seconds = Math.ceil(untilMs / 1_000);
  const statusPerSec = new Uint32Array(seconds);
  const pagesPerSec = new Uint32Array(seconds);
  const claimsPerSec = new Uint32Array(seconds);
  const reactions: Reaction[] = [];
  const state = new Uint8Array(visitors);
  const toldMs = new Float32Array(visitors);
  /** Where the serving counter stood, and when. */
  const passes: { serving: number; atMs: number }[] = [];
  const agenda = createAgenda(2 * visitors, untilMs);
  let status = readStatus(room, poll);
  const awaySec = new Float32Array(visitors);
  let admitted = 0;

  function countNow(perSec: Uint32Array): void {
    const second = Math.floor(time.nowMs / 1_000);
    perSec[second] = (perSec[second] ?? 0) + 1;
  }

  function choosePause(visitor: number): number {
    const ahead = state[visitor] === atTheDoor ? 0 : countAhead(visitor + 1, status);
    if (status.phase === "prequeue") {
      const wait = estimateWait(status.pace, ahead);
      const opensInMs = Date.parse(status.opens_at ?? "") - time.wall.now();
      toldMs[visitor] = status.poll.ceiling_ms;
      return pollForOpeningMs(status.poll, ahead, wait, opensInMs, Math.random);
    }
    const wait = status.phase === "open" ? estimateWait(status.pace, ahead) : null;
    toldMs[visitor] = pollAfterMs(status.poll, ahead, wait);
    return pollPauseMs(status.poll, ahead, wait, Math.random);
  }

  /** At the short end of the estimate, with the time to the opening. */
  function restSec(visitor: number): number {
    const opensInMs = status.phase === "prequeue" ? Date.parse(status.opens_at ?? "") - time.wall.now() : 0;
    const wait = estimateWait(status.pace, countAhead(visitor + 1, status));
    return opensInMs / 1_000 + (wait?.[0] ?? 0);
  }

  function ask(visitor: number): void {
    const before = toldMs[visitor] ?? 0;
    countNow(statusPerSec);
    if (isServed(status, visitor + 1, false) && state[visitor] === inLine) {
      state[visitor] = atTheDoor;
      agenda.add(2 * visitor + entersOrClaims, time.nowMs + entryJitterMs * Math.random());
      const served = passes.find(({ serving }) => serving > visitor);
      const afterMs = time.nowMs - (served?.atMs ?? Number.NaN);
      reactions.push({ atMs: time.nowMs, afterMs, toldMs: before, wasAwaySec: awaySec[visitor] ?? 0 });
    }
    agenda.add(2 * visitor + asks, time.nowMs + choosePause(visitor));
  }

  async function enterOrClaim(visitor: number, isFirst: boolean): Promise<void> {
    countNow(isFirst ? pagesPerSec : claimsPerSec);
    const nobody = ticketWithoutPlace(roomId, `${roomId}.${visitor}`);
    const result = await room.claim({ ...nobody, edition, position: visitor + 1, joinedMs: 0 }, null);
    if (result.result === "admitted") {
      state[visitor] = inside;
      admitted++;
    } else if (result.result === "held") {
      const pauseMs = Math.max(1_000, result.retryMs) + entryJitterMs * Math.random();
      agenda.add(2 * visitor + entersOrClaims, time.nowMs + pauseMs);
    } else throw new Error(`an unexpected answer at the door: ${result.result}`);
  }

  const claimed = new Uint8Array(visitors);
  // The pages have been there for a while.
  const startMs = time.nowMs;
  for (let visitor = 0; visitor < visitors; visitor++) {
    agenda.add(2 * visitor + asks, startMs + choosePause(visitor) * Math.random());
  }
  let hasActed = false;
  for (let nowMs = startMs; nowMs < untilMs; nowMs += binMs) {
    time.advanceTo(nowMs);
    if (!hasActed && nowMs >= plan.stepAtMs) {
      hasActed = true;
      for (let visitor = 0; visitor < visitors; visitor++) awaySec[visitor] = restSec(visitor);
      await plan.step(room);
    }
    if (nowMs % tickMs === 0) {
      await refresh();
      status = readStatus(room, poll);
      const isForAll = status.phase === "passthrough";
      passes.push({ serving: isForAll ? visitors : status.phase === "open" ? status.serving : 0, atMs: nowMs });
    }
    for (let event = agenda.take(nowMs); event >= 0; event = agenda.take(nowMs)) {
      const visitor = event >> 1;
      if (state[visitor] === inside) continue;
      if (event % 2 === asks) ask(visitor);
      else {
        await enterOrClaim(visitor, claimed[visitor] === 0);
        claimed[visitor] = 1;
      }
    }
  }
  return { statusPerSec, pagesPerSec, claimsPerSec, admitted, reactions };
}

function readStatus(room: WaitingRoom, poll: Partial<PollGuidance> = {}): RoomStatus {
  const status = JSON.parse(String(statusBodies(room)?.plain)) as RoomStatus;
  return { ...status, poll: { ...status.poll, ...poll } };
}

/** Events by time, in bins; an event is on the agenda once at most. */
function createAgenda(events: number, untilMs: number) {
  const none = -1;
  const bins = Math.ceil(untilMs / binMs);
  const first = new Int32Array(bins).fill(none);
  const next = new Int32Array(events);
  return {
    add(event: number, atMs: number): void {
      const bin = Math.ceil(atMs / binMs);
      if (bin >= bins) return;
      next[event] = first[bin] ?? none;
      first[bin] = event;
    },
    /** One of those that are due at this time, or -1. */
    take(nowMs: number): number {
      const bin = Math.floor(nowMs / binMs);
      const event = first[bin] ?? none;
      if (event !== none) first[bin] = next[event] ?? none;
      return event;
    },
  };
}
