import { describe, expect, test } from "vitest";
import { waitingRoomJson, wantsWaitingRoomJson } from "../../../../src/features/cloudflare-home/wire.ts";
import type { RoomState } from "../../../../src/room/index.ts";
import type { WaitingProgram } from "../../../../src/web/visitor/programs.ts";

const nowMs = Date.parse("2026-12-01T10:00:00Z");
const inMinutes = (minutes: number) => nowMs + minutes * 60_000;

interface Line {
  phase?: RoomState["phase"];
  prequeueAtMs?: number | null;
  opensAtMs?: number | null;
  endsAtMs?: number | null;
  order?: "random" | "arrival";
}

function roomOf({ phase = "open", prequeueAtMs = null, opensAtMs = null, endsAtMs = null, order = "random" }: Line) {
  const schedule = { prequeueAtMs, opensAtMs, endsAtMs };
  const state = { phase, basePhase: phase, nowMs, settings: { effective: { schedule, draw: { order } } } };
  return { nowMs, refreshedMs: nowMs - 500, reportedState: state } as unknown as WaitingProgram["room"];
}

const tell = (line: Line, more: Partial<WaitingProgram> = {}) =>
  waitingRoomJson({ room: roomOf(line), place: null, retryMs: 19_400, error: null, ...more });
const estimated = (high: number) => ({ estimate: { low: 10, high } }) as WaitingProgram["place"];

describe("cfWaitingRoom", () => {
  test("has every member of the reference, and no other", () => {
    expect(tell({})).toEqual({
      inWaitingRoom: true,
      waitTimeKnown: false,
      waitTime: 0,
      waitTime25Percentile: 0,
      waitTime50Percentile: 0,
      waitTime75Percentile: 0,
      waitTimeFormatted: "unavailable",
      queueIsFull: false,
      queueAll: false,
      lastUpdated: "2026-12-01T09:59:59.500Z",
      refreshIntervalSeconds: 20,
      queueingMethod: "fifo",
      isFIFOQueue: true,
      isRandomQueue: false,
      isPassthroughQueue: false,
      isRejectQueue: false,
      isEventActive: false,
      isEventPrequeueing: false,
      timeUntilEventStart: 0,
      timeUntilEventStartFormatted: "unavailable",
      timeUntilEventEnd: 0,
      timeUntilEventEndFormatted: "unavailable",
      shuffleAtEventStart: false,
      turnstile: "",
      infiniteQueue: false,
    });
  });

  test.each([
    [1, 1, "1 minute"],
    [61, 2, "2 minutes"],
    [3_600, 60, "1 hour"],
    [7_259, 121, "2 hours 1 minute"],
  ])("a wait of at most %i s is %i minutes: %s", (high, minutes, text) => {
    const told = tell({}, { place: estimated(high) });
    expect([told.waitTimeKnown, told.waitTime, told.waitTimeFormatted]).toEqual([true, minutes, text]);
  });

  test.each<[Line, string]>([
    [{ phase: "prequeue" }, "random"],
    [{ phase: "prequeue", order: "arrival" }, "fifo"],
    [{ phase: "open" }, "fifo"],
    [{ phase: "passthrough" }, "passthrough"],
    [{ phase: "ended" }, "reject"],
  ])("%j queues by %s", (line, method) => {
    const { queueingMethod, isFIFOQueue, isRandomQueue, isPassthroughQueue, isRejectQueue } = tell(line);
    expect(queueingMethod).toBe(method);
    const flags = { fifo: isFIFOQueue, random: isRandomQueue, passthrough: isPassthroughQueue, reject: isRejectQueue };
    expect(flags).toEqual({ fifo: false, random: false, passthrough: false, reject: false, [method]: true });
  });

  test.each<[RoomState["phase"], boolean]>([
    ["idle", true],
    ["prequeue", true],
    ["paused", true],
    ["open", false],
  ])("in the phase %s all are kept: %s", (phase, isKept) => {
    expect(tell({ phase }).queueAll).toBe(isKept);
  });

  test("an event goes from the prequeue to the end", () => {
    const times = { prequeueAtMs: inMinutes(-10), opensAtMs: inMinutes(4.5), endsAtMs: inMinutes(124) };
    expect(tell({ phase: "prequeue", ...times })).toMatchObject({
      isEventActive: true,
      isEventPrequeueing: true,
      timeUntilEventStart: 5,
      timeUntilEventStartFormatted: "5 minutes",
      timeUntilEventEnd: 124,
      timeUntilEventEndFormatted: "2 hours 4 minutes",
      shuffleAtEventStart: true,
    });
    const begun = { ...times, prequeueAtMs: inMinutes(-60), opensAtMs: inMinutes(-30) };
    expect(tell({ phase: "open", ...begun })).toMatchObject({
      isEventActive: true,
      isEventPrequeueing: false,
      timeUntilEventStart: 0,
    });
    const over = { prequeueAtMs: inMinutes(-90), opensAtMs: inMinutes(-60), endsAtMs: inMinutes(-1) };
    expect(tell({ phase: "ended", ...over })).toMatchObject({ isEventActive: false, timeUntilEventEnd: 0 });
  });

  test.each([
    ["room_full", { queueIsFull: true }],
    ["room_ended", { isRejectQueue: true, isFIFOQueue: false }],
    ["store_unavailable", { queueIsFull: false, waitTimeKnown: false }],
  ])("%s", (error, members) => {
    expect(tell({}, { error })).toMatchObject(members);
  });

  test("before anything is known of the room it says when it was asked", () => {
    const room = { nowMs, refreshedMs: 0, reportedState: null } as unknown as WaitingProgram["room"];
    const told = waitingRoomJson({ room, place: null, retryMs: 0, error: null });
    expect([told.lastUpdated, told.refreshIntervalSeconds]).toEqual(["2026-12-01T10:00:00.000Z", 1]);
  });

  test.each([
    ["application/json", true],
    [" Application/JSON ", true],
    ["application/json, text/html", false],
    ["application/json;q=1", false],
    ["*/*", false],
    [undefined, false],
  ])("Accept: %s wants it: %s", (accept, isWanted) => {
    expect(wantsWaitingRoomJson({ accept })).toBe(isWanted);
  });
});
