import type { WatcherStore } from "../contract/room-store.ts";
import type { Keys } from "./keys.ts";
import type { Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";

export function createRedisWatchers(runner: Runner, keys: Keys): WatcherStore {
  return {
    exchange: (process, text, leaseMs) =>
      runner.run(scripts.exchangeWatchers, { watchers: keys.watchers }, { process, text, lease_ms: leaseMs }),
  };
}
