/** `cfWaitingRoom`, as Cloudflare's API reference describes it (`json_response_enabled` of a waiting room). */
import type { RoomState } from "../../room/index.ts";
import type { WaitingProgram } from "../../web/visitor/programs.ts";
import { scheduleJson } from "../../web/visitor/status.ts";

const minuteMs = 60_000;
const unavailable = "unavailable";

/** Numbers are whole minutes. Those that say nothing are 0, and their texts "unavailable", as theirs. */
export function waitingRoomJson({ room, place, retryMs, error }: WaitingProgram) {
  const { nowMs } = room;
  const state = room.reportedState;
  const event = state === null ? noEvent : eventOf(state, nowMs);
  const method = error === "room_ended" ? "reject" : methodOf(state);
  // Of the two ends of an estimate the later one: nobody is to be disappointed.
  const waitMin = place?.estimate == null ? null : Math.max(1, Math.ceil(place.estimate.high / 60));
  return {
    inWaitingRoom: true,
    waitTimeKnown: waitMin !== null,
    waitTime: waitMin ?? 0,
    // Where the order is drawn, nothing is known of the wait before the draw, and everything after it.
    waitTime25Percentile: 0,
    waitTime50Percentile: 0,
    waitTime75Percentile: 0,
    waitTimeFormatted: formatMinutes(waitMin),
    queueIsFull: error === "room_full",
    queueAll: state !== null && ["idle", "prequeue", "paused"].includes(state.phase),
    lastUpdated: new Date(state === null ? nowMs : room.refreshedMs).toISOString(),
    refreshIntervalSeconds: Math.max(1, Math.ceil(retryMs / 1_000)),
    queueingMethod: method,
    isFIFOQueue: method === "fifo",
    isRandomQueue: method === "random",
    isPassthroughQueue: method === "passthrough",
    isRejectQueue: method === "reject",
    isEventActive: event.isActive,
    isEventPrequeueing: event.isPrequeueing,
    timeUntilEventStart: event.startMin ?? 0,
    timeUntilEventStartFormatted: formatMinutes(event.startMin),
    timeUntilEventEnd: event.endMin ?? 0,
    timeUntilEventEndFormatted: formatMinutes(event.endMin),
    shuffleAtEventStart: event.isActive && isDrawn(state),
    turnstile: "",
    infiniteQueue: false,
  };
}

/** Whether a request is one of such a program: the header has to be this and nothing more. */
export function wantsWaitingRoomJson({ accept }: { readonly accept?: string | undefined }): boolean {
  return accept?.trim().toLowerCase() === "application/json";
}

function methodOf(state: RoomState | null): "fifo" | "random" | "passthrough" | "reject" {
  if (state?.phase === "passthrough") return "passthrough";
  if (state?.phase === "ended") return "reject";
  return state?.phase === "prequeue" && isDrawn(state) ? "random" : "fifo";
}

/** Whether the order of those who come before the opening is drawn. */
function isDrawn(state: RoomState | null): boolean {
  return state?.settings.effective.draw?.order === "random";
}

const noEvent = { isActive: false, isPrequeueing: false, startMin: null, endMin: null };

/** A room with a schedule is an event from its prequeue, or its opening, to its end. */
function eventOf(state: RoomState, nowMs: number) {
  const { prequeue_at, opens_at, ends_at } = scheduleJson(state);
  const at = (time: string | null) => (time === null ? null : Date.parse(time));
  const [beginsMs, opensMs, endsMs] = [at(prequeue_at ?? opens_at), at(opens_at), at(ends_at)];
  const isPrequeueing = state.phase === "prequeue";
  const hasBegun = isPrequeueing || (beginsMs !== null && beginsMs <= nowMs);
  const isActive = hasBegun && state.phase !== "ended" && (endsMs === null || nowMs < endsMs);
  const minutesTo = (ms: number | null) => (ms === null || ms <= nowMs ? null : Math.ceil((ms - nowMs) / minuteMs));
  return {
    isActive,
    isPrequeueing,
    startMin: isPrequeueing ? minutesTo(opensMs) : null,
    endMin: isActive ? minutesTo(endsMs) : null,
  };
}

/** In English, as theirs. */
function formatMinutes(minutes: number | null): string {
  if (minutes === null) return unavailable;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [
    ...(hours > 0 ? [count(hours, "hour")] : []),
    ...(rest > 0 || hours === 0 ? [count(rest, "minute")] : []),
  ];
  return parts.join(" ");
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}
