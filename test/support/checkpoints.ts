import { readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import type { RoomMemory } from "../../src/store/contract/room-store.ts";
import type { Gateway } from "./gateway.ts";

/**
 * What a gateway knows of a room by what it has written down beside its secrets file, about once a second: it knows at least that,
 * even after a crash. Undefined before anything was written.
 */
export async function rememberedBy({ secretsFile, port }: Gateway, room: string): Promise<RoomMemory | undefined> {
  const path = join(dirname(secretsFile), "checkpoints", `${hostname()}-${port}.json`);
  const text = await readFile(path, "utf8").catch(() => "{}");
  return (JSON.parse(text) as Record<string, { memory: RoomMemory }>)[room]?.memory;
}

/** Waits until each of these gateways has found that the store had lost a room, and knows how it is since. */
export async function haveRecovered(gateways: readonly Gateway[], room: string): Promise<void> {
  for (const gateway of gateways) {
    await gateway.waitForOutput(new RegExp(`"event":"room\\.recovered","room":"${room}"`));
  }
}

/** Takes away the admissions of the last minute that a stopped gateway with the embedded store has on disk. */
export async function loseAdmissionsOf({ secretsFile }: Gateway): Promise<void> {
  await rm(join(dirname(secretsFile), "checkpoints", "embedded.admissions"));
}
