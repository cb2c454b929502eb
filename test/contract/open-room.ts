import { setTimeout as delay } from "node:timers/promises";
import type { Contribution } from "../../src/store/contract/room-store.ts";
import type { Store } from "../../src/store/contract/store.ts";

/** Opens a new room in a store that goes by the real time, and answers its incarnation. */
export async function openRoom(store: Store, room: Pick<Contribution, "room" | "fileSettings">): Promise<string> {
  for (;;) {
    const { incarnation, remainingMs } = await store.rooms.contribute({ ...room, memory: null, isNewRoom: true });
    if (remainingMs === 0) return incarnation;
    await delay(remainingMs);
  }
}
