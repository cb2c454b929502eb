import type { WatcherStore } from "../contract/room-store.ts";
import type { MemoryData } from "./data.ts";

/** Longer is no lease; what seems to have one is of a clock that was set back. */
const leaseMaxMs = 60_000;

const most = 64;

/** The twin of redis/lua/exchange-watchers.lua. */
export function createMemoryWatchers(
  { watchers }: Pick<MemoryData, "watchers">,
  now: () => number,
  count: (name: string) => void,
): WatcherStore {
  return {
    async exchange(process, text, leaseMs) {
      count("exchange-watchers");
      for (const [name, { expiresMs }] of watchers) {
        const leftMs = expiresMs - now();
        if (leftMs <= 0 || leftMs > leaseMaxMs) watchers.delete(name);
      }
      const others = [...watchers].filter(([name]) => name !== process).map(([, said]) => said.text);
      if (text === "") watchers.delete(process);
      else {
        watchers.delete(process);
        watchers.set(process, { text, expiresMs: now() + leaseMs });
      }
      for (const name of [...watchers.keys()].slice(0, Math.max(0, watchers.size - most))) watchers.delete(name);
      return others;
    },
  };
}
