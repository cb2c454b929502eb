import type { RoomContext } from "../room-context.ts";
import type { Place, RoomDriver, SettingsSketch } from "../room-driver.ts";

export const beacon = { round: 7, signature: "ab", randomness: "cd" };

/** A room whose first draw takes entries. */
export async function inPrequeue(context: RoomContext, sketch: SettingsSketch = {}): Promise<RoomDriver> {
  const room = await context.room({ draw: { order: "random", beacon: "none" }, ...sketch }).open();
  await room.phase("prequeue");
  await room.commit();
  return room;
}

/** Opens the room and closes the entries. */
export async function close(room: RoomDriver): Promise<void> {
  await room.phase("open");
  await room.pass(5_000);
}

/** The same place as a draw of the entries `first`…`last` without gaps has put it: here in the order backwards. */
export function drawn(place: Place, first: number, last: number, draw = 1): Place {
  return { ...place, position: first + last - place.position, entry: { number: place.position, draw } };
}
