import { addTakenPlaces } from "../../core/advances.ts";
import { addBatch } from "../../core/batches.ts";
import { peopleWaiting } from "../../core/clocks.ts";
import type { JoinRange } from "../contract/room-store.ts";
import type { GroupData, RoomData } from "./data.ts";
import { placesServedAtOnce, serve } from "./inlet.ts";

const maxCount = 10_000;

/** Takes up to `count` consecutive positions, and serves those that need not wait. */
export function join(room: RoomData, group: GroupData | null, count: number): JoinRange {
  if (!Number.isInteger(count) || count < 1 || count > maxCount) throw new RangeError(`cannot join ${count} at once`);
  const hasLine = room.basePhase === "open" || room.basePhase === "prequeue";
  const waiting = peopleWaiting(room);
  const open = Math.max(0, room.serving - room.queued);
  const atOnce = hasLine && waiting === 0 && open === 0 ? placesServedAtOnce(room, group) : 0;
  const { maxWaiting } = room.settings.effective;
  const left = maxWaiting === null ? count : open + atOnce + Math.max(0, maxWaiting - waiting);
  const granted = hasLine ? Math.min(count, left) : 0;

  const first = room.queued + 1;
  room.queued += granted;
  room.counts.joined += granted;
  if (granted > 0) noteJoins(room, granted);
  if (open > 0 && granted > 0) {
    addTakenPlaces(room, first - 1);
    addBatch(room, first - 1, Math.min(room.serving, room.queued), "inlet");
  }
  serve(room, Math.min(atOnce, granted));
  const { edition, queued: last, claimMs: joinedMs, serving } = room;
  const refusal = hasLine ? (granted < count ? "full" : null) : "closed";
  return { edition, first, last, refusal, joinedMs, serving };
}

function noteJoins(room: RoomData, count: number): void {
  const second = Math.floor(room.flowMs / 1_000);
  const last = room.joinSeconds.at(-1);
  if (last?.second === second) last.count += count;
  else room.joinSeconds.push({ second, count });
  while ((room.joinSeconds[0]?.second ?? second) <= second - 10) room.joinSeconds.shift();
}
