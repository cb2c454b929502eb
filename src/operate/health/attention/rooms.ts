import { type Attention, fault, type Installation, type SeenRoom, seconds, warning } from "./attention.ts";

/** Every process seals about every two seconds. */
const unsealedMs = 30_000;

export function attentionOfRooms({ rooms, store, nowMs }: Installation): Attention[] {
  if (store.awayReason !== null) return [];
  return rooms.flatMap((room) => ofRoom(room, nowMs));
}

/** So many of one process, and such a part of those who came, are no family that tries again. */
const refusedLeast = 50;
const refusedShare = 0.05;

function ofRoom(room: SeenRoom, nowMs: number): Attention[] {
  return [...ofLine(room, nowMs), ...ofJoins(room)];
}

function ofJoins({ id, joins: { joined, refused } }: SeenRoom): Attention[] {
  if (refused < refusedLeast || refused < refusedShare * (joined + refused)) return [];
  const text = `The process that answers has refused ${refused} joins of the room ${id} in the last minutes, and let ${joined} join. See in the room from which networks they came: a proxy that is missing in listen.trusted_proxies, a school or a carrier (joins_per_address.ranges), or somebody who takes places (address_rules).`;
  return [warning({ code: "joins_refused", about: id, room: id, text })];
}

function ofLine({ id, availability, isSynced, sealing }: SeenRoom, nowMs: number): Attention[] {
  const about = { about: id, room: id };
  if (availability === "recovering") {
    const text = `The room ${id} recovers after a loss of the store; nobody joins or enters for some seconds. Wait, then see that its phase is right.`;
    return [fault({ code: "room_recovering", ...about, text })];
  }
  if (!isSynced) {
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
