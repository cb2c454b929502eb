import { setTimeout as delay } from "node:timers/promises";
import type { WaitingRooms } from "./rooms.ts";

/** The first visitor shall not meet a room that is just recovering or opening. A store that is away is not waited for. */
export async function syncAtStart(rooms: WaitingRooms, starting: AbortSignal): Promise<void> {
  for (let turn = 0; turn < 10 && !starting.aborted; turn++) {
    await rooms.sync();
    if (rooms.all.every(({ availability }) => availability !== "recovering")) return;
    await delay(500, undefined, { signal: starting }).catch(() => undefined);
  }
}
