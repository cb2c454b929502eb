import { clearPushes } from "../pushes/rows.ts";
import { createPlaces, type Room } from "../room.ts";

/** Begins an edition: counters at 0; places, gaps, draws and rows void; nothing is claimed or left; nobody is to be notified. */
export function voidEdition(room: Room, edition: number): void {
  Object.assign(room, createPlaces());
  clearPushes(room);
  room.edition = edition;
}
