import { createRoomData, type RoomData } from "../../../src/store/memory/data.ts";
import { type SettingsSketch, settings } from "../../contract/room-driver.ts";

export const startMs = 1_800_000_000_000;

/** A room's data as the memory store keeps it, open and empty. */
export function createOpenRoom(sketch: SettingsSketch = {}): RoomData {
  const room = createRoomData("a-room", "run-1", settings(sketch), startMs);
  room.holds = [];
  room.edition = 1;
  room.version = 1;
  return room;
}
