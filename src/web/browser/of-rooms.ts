/**
 * What pages remember of rooms, in one item of the browser's storage for all rooms: so its size is bounded, however many rooms are visited. The
 * least recently seen room is dropped first. It is for display only: no place depends on it.
 */

/** As many rooms as a browser can have cookies of. */
export const roomsMax = 20;

/**
 * @param next computes the new value from the stored one, which is untrusted and may be anything
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
