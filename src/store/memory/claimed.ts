import { hasPosition } from "../../core/ports/position-set.ts";
import type { KnownPlace } from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";
import { numberOf } from "./places.ts";

/** Whether the place was claimed, or had its turn: it is a lower one than the visitor was admitted with. */
export function wasClaimed(room: RoomData, place: KnownPlace, sub: string): boolean {
  const { position } = place;
  if (hasPosition(room.claimedPlaces, position)) return true;
  const record = room.admissions.get(sub);
  if (record === undefined || record.edition !== room.edition || position > record.usedPosition) return false;
  // Positions that a visitor is given only grow, but those that were moved to them.
  return room.holders.get(numberOf(place))?.sub !== sub;
}
