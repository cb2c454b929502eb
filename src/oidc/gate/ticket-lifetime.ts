import type { WaitingRoom } from "../../room/index.ts";

const dayMs = 86_400_000;
/** For visitors who come back a little later: they stay the same `sub`. */
const moreMs = 14 * dayMs;
/** Of a line that nobody has set an end to, from when it lets people in. */
const endlessMs = 90 * dayMs;
/** The longest that browsers keep a cookie, in seconds. */
const longestSec = (400 * dayMs) / 1_000;

/** How long the browser keeps a ticket of a room: as long as the room's places can count, and some days more. */
export function ticketMaxAgeSec({ settings, nowMs }: Pick<WaitingRoom, "settings" | "nowMs">): number {
  const { schedule, admission } = settings;
  const visitMs = admission.maxDurationMs ?? admission.durationMs;
  const beginsMs = Math.max(nowMs, schedule.prequeueAtMs ?? 0, schedule.opensAtMs ?? 0);
  const { endsAtMs } = schedule;
  const countsMs = endsAtMs === null ? beginsMs - nowMs + endlessMs : Math.max(0, endsAtMs - nowMs) + visitMs;
  return Math.min(longestSec, Math.ceil((countsMs + moreMs) / 1_000));
}
