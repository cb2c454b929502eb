/**
 * Whether an answer is a room's status: portals, proxies and caches answer, too. Anything else is no news. What is only shown is looked at
 * where it is shown. Pure functions.
 */
import type { RoomStatus } from "./status.ts";

/** @throws for anything but a status that pages can reckon by */
export function readStatus(answer: unknown): RoomStatus {
  const status = answer as RoomStatus;
  const { pace, poll } = status;
  // Whatever else pace and poll have, if they have it, are numbers, alone or in pairs. Only a text can be trimmed, and only a text or a list has more added.
  const figures = [
    ...[status.serving, status.waiting, status.edition, Date.parse(status.updated_at), pace.spread, pace.extra_seconds],
    ...[poll.floor_ms, poll.ceiling_ms, poll.divisor, poll.spread_ms],
    ...[status.title.trim().length, status.phase.trim().length, status.gaps.concat(pace.steps)],
    ...Object.values({ ...poll, ...pace, places_per_minute: pace.places_per_minute ?? 0, note: 0 }),
  ];
  if (figures.flat(2).every(Number.isFinite)) return status;
  throw answer;
}
