/**
 * The embedded store: everything in this process, nothing to install, nothing kept when it ends. It runs the rules
 * of `../../core` on plain data; Redis runs the Lua that is compiled from them, and both pass the suite of test/contract. Called by
 * app.ts, which picks a store.
 */
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { unskewed } from "../../lib/store-clock.ts";
import type { Store } from "../contract/store.ts";
import { createMemoryAudit } from "./audit.ts";
import { createMemoryData, type MemoryData } from "./data.ts";
import { createMemoryDocuments } from "./documents.ts";
import { createMemoryEvents } from "./events.ts";
import { createMemoryJoinCounts } from "./join-counts.ts";
import { createOidcAdapter } from "./oidc-adapter.ts";
import { createMemoryProcesses } from "./processes.ts";
import { createMemoryRooms } from "./rooms.ts";
import { createMemoryWatchers } from "./watchers.ts";

export interface MemoryStoreOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Where the store keeps everything; for tests, which share it, wipe it and put it back. */
  readonly data?: MemoryData;
  /** For tests, in which several processes share `data`: a new room waits for what others remember. Default false. */
  readonly isShared?: boolean;
}

export function createMemoryStore(options: MemoryStoreOptions): Store {
  const { clock, random, data = createMemoryData(random.bytes(20).toString("hex")), isShared = false } = options;
  const commandCounts = new Map<string, number>();
  const now = () => Math.floor(clock.now());
  const count = (name: string) => commandCounts.set(name, (commandCounts.get(name) ?? 0) + 1);

  return {
    rooms: createMemoryRooms(data, isShared, now, count),
    documents: createMemoryDocuments(data, isShared, now, count),
    events: createMemoryEvents(data, now, count),
    audit: createMemoryAudit(data, count),
    processes: createMemoryProcesses(data, now, count),
    watchers: createMemoryWatchers(data, now, count),
    joinCounts: createMemoryJoinCounts(data, now, count),
    oidcAdapter: (model) => createOidcAdapter(data, model, now),
    isShared,
    clock: unskewed(clock),
    commandCounts,
    onRoundTrip() {},
    breaker: null,
    start: async () => ({ warnings: [] }),
    unfit: async () => null,
    close: async () => {},
    async agreeOnKeys(fingerprints, replace) {
      if (data.keys === null || replace) data.keys = { ...fingerprints };
      return { ...data.keys };
    },
  };
}
