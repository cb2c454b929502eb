/**
 * What pages remember of rooms, one item of the browser's storage for all of them: so it has a bound, however many rooms are visited. The room
 * that was seen longest ago goes first. No place needs what is there: a page without it shows less.
 */

/** As many rooms as a browser has cookies of. */
export const roomsMax = 20;

/**
 * @param next what is remembered of the room from now on, made of what was until now: that may be anything
 * @throws where storage is closed to us
 */
export function rememberOf<Item>(storage: Storage, key: string, room: string, next: (stored: unknown) => Item): Item {
  let others: [room: string, item: unknown][] = [];
  let stored: unknown;
  try {
    others = (JSON.parse(storage.getItem(key) ?? "[]") as typeof others).filter(([of, item]) => {
      if (of === room) stored = item;
      return of !== room;
    });
  } catch {
    // Something else stands there.
  }
  const item = next(stored);
  storage.setItem(key, JSON.stringify([...others, [room, item]].slice(-roomsMax)));
  return item;
}
