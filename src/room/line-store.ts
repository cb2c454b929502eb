import { UsherError } from "../lib/errors.ts";
import type { Contribution, RoomStore } from "../store/contract/room-store.ts";

/** The store as one line sees it. */
export interface LineStore {
  /** Keeps the line under a name of its own, whatever the room is called. After `end` it refuses everything. */
  readonly store: RoomStore;
  /** From now on nothing of this process reaches the store, so that what is freed there stays so. */
  end(): void;
}

/** A room that was removed is made anew under another name, and nothing of the two can mix. */
export function createLineStore(store: RoomStore, name: string): LineStore {
  let isOver = false;
  const under =
    (operation: (...args: unknown[]) => unknown) =>
    (first: unknown, ...others: unknown[]) => {
      if (isOver) return Promise.reject(new RoomRemovedError());
      return operation(typeof first === "string" ? name : { ...(first as Contribution), room: name }, ...others);
    };
  return {
    store: new Proxy(store, {
      get: (target, operation: keyof RoomStore) =>
        under(target[operation].bind(target) as (...args: unknown[]) => unknown),
    }),
    end() {
      isOver = true;
    },
  };
}

/** A request that was under way when its room was removed. */
export class RoomRemovedError extends UsherError {
  override name = "RoomRemovedError";

  constructor() {
    super("unknown_room", "the room was removed", { status: 404 });
  }
}
