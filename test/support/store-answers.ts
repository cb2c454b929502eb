import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "../../src/store/contract/store.ts";

/** Clients notice by themselves that their server was restarted; this waits until all of them have. */
export async function untilAllAnswer(stores: readonly Store[]): Promise<void> {
  for (const store of stores) {
    while (!(await isAnswering(store))) await delay(5);
  }
}

async function isAnswering(store: Store): Promise<boolean> {
  try {
    await store.unfit();
    return true;
  } catch {
    return false;
  }
}
