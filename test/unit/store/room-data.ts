import { beginRoom } from "../../../src/core/recovery/recovery.ts";
import { createRoom, type Room } from "../../../src/core/room.ts";
import { type SettingsSketch, settings } from "../../contract/room-driver.ts";

export const startMs = 1_800_000_000_000;

/** A room's state, open and empty. */
export function createOpenRoom(sketch: SettingsSketch = {}): Room {
  const room: Room = createRoom();
  beginRoom(room, JSON.stringify(settings(sketch)), startMs);
  room.holds = [];
  room.edition = 1;
  room.version = 1;
  return room;
}
