import { systemRandom } from "../../src/lib/clock-and-random.ts";
import { createMemoryData } from "../../src/store/memory/data.ts";
import { createMemoryStore } from "../../src/store/memory/index.ts";
import { createMovedClock } from "../support/moved-clock.ts";
import type { StoreHarness } from "./harness.ts";

/** @param isShared as if several processes shared the store, like Redis */
export async function createMemoryHarness({ isShared = false } = {}): Promise<StoreHarness> {
  const clock = createMovedClock();
  let runs = 1;
  const data = createMemoryData(`run-${runs}`);
  let saved = structuredClone(data);
  const create = () => createMemoryStore({ clock, random: systemRandom, data, isShared });

  return {
    store: create(),
    second: async () => create(),
    advance: async (ms) => clock.advance(ms),
    nowMs: () => clock.now(),
    wipe: async () => {
      Object.assign(data, { ...createMemoryData(data.runId), incarnations: data.incarnations });
    },
    save: async () => {
      saved = structuredClone(data);
    },
    restore: async () => {
      Object.assign(data, structuredClone(saved), { runId: `run-${++runs}`, incarnations: 0 });
    },
    restoreInPlace: async () => {
      Object.assign(data, structuredClone(saved), { runId: data.runId, incarnations: data.incarnations });
    },
    close: async () => {},
  };
}
