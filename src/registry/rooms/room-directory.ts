import type { RoomConfig } from "../../config/index.ts";

/** The rooms of one issuer, wherever they come from, as they are now. Asks no store. */
export interface RoomDirectory {
  /** Another list when they are others: see lib/derived.ts. */
  readonly all: readonly RoomConfig[];
  get(id: string): RoomConfig | undefined;
  /** Called when they have become others, with these in force. */
  onChange(listener: () => void): void;
}

/** Whether another issuer has a room of the same id: one whose room is in force then, or one whose room is not. */
export type Elsewhere = "first" | "later" | null;

/** A directory that its owner keeps. */
export interface KeptRoomDirectory extends RoomDirectory {
  replace(rooms: readonly RoomConfig[]): void;
}

export function createRoomDirectory(rooms: readonly RoomConfig[]): KeptRoomDirectory {
  let all = rooms;
  let byId = new Map(all.map((room) => [room.id, room]));
  const listeners: (() => void)[] = [];
  return {
    get all() {
      return all;
    },
    get: (id) => byId.get(id),
    onChange: (listener) => void listeners.push(listener),
    replace(next) {
      all = next;
      byId = new Map(all.map((room) => [room.id, room]));
      for (const listener of listeners) listener();
    },
  };
}
