import { type Attention, fault, type Installation, type SeenRoom, seconds, warning } from "./attention.ts";

/** Every process seals about every two seconds. */
const unsealedMs = 30_000;

export function attentionOfRooms({ rooms, store, nowMs }: Installation): Attention[] {
  if (store.awayReason !== null) return [];
  return rooms.flatMap((room) => ofRoom(room, nowMs));
}

function ofRoom({ id, availability, isKnown, sealing }: SeenRoom, nowMs: number): Attention[] {
  const about = { about: id, room: id };
  if (availability === "recovering") {
    const text = `The room ${id} recovers after a loss of the store; nobody joins or enters for some seconds. Wait, then see that its phase is right.`;
    return [fault({ code: "room_recovering", ...about, text })];
  }
  if (!isKnown) {
    const text = `Nothing is known of the room ${id} yet at the process that answers. If it stays so, look at its log.`;
    return [warning({ code: "room_unknown", ...about, text })];
  }
  if (sealing === null || sealing.waitingSinceMs === null) return [];
  const behindMs = nowMs - sealing.waitingSinceMs;
  if (behindMs <= unsealedMs) return [];
  const count = sealing.last - sealing.sealed;
  const text = `${count === 1 ? "1 row" : `${count} rows`} of the admission log of ${id} have waited for a seal for ${seconds(behindMs)}. Look at the log of the processes for room.failed.`;
  return [warning({ code: "log_unsealed", ...about, text })];
}
