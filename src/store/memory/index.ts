/**
 * The embedded store: everything in this process, and nothing to install. Where it stops in good order, the next process goes on with
 * it; after a crash, with the limiter's log alone (stored-run.ts). It runs the rules
 * of `../../core` on plain data; Redis runs the Lua that is compiled from them, and both pass the suite of test/contract. Called by
 * app.ts, which picks a store.
 */
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { unskewed } from "../../lib/store-clock.ts";
import type { Store } from "../contract/store.ts";
import { createMemoryData, type MemoryData } from "./data.ts";
import { createOidcAdapter } from "./oidc-adapter.ts";
import { createMemoryRooms, type Disk } from "./rooms.ts";
import {
  createMemoryAudit,
  createMemoryDocuments,
  createMemoryEvents,
  createMemoryJoinCounts,
  createMemoryProcesses,
  createMemoryWatchers,
} from "./shared.ts";
import { nothingLeft, type StoredRun } from "./stored-run.ts";

export { createStoredRun, type StoredRun } from "./stored-run.ts";

interface MemoryStore extends Store {
  /**
   * Goes on with what the process before left. Called before anything is asked of the store.
   *
   * @param isNewInstallation nothing that an earlier process left is of any use
   */
  resume(isNewInstallation: boolean): void;
}

export function createMemoryStore(options: {
  readonly clock: Clock;
  readonly random: Random;
  /** Where the store keeps everything; for tests, which share it, wipe it and put it back. */
  readonly data?: MemoryData;
  /** For tests, in which several processes share `data`: a new room waits for what others remember. Default false. */
  readonly isShared?: boolean;
  /** What outlives the process; null or absent: nothing does. */
  readonly storedRun?: StoredRun | null;
}): MemoryStore {
  const { clock, random, isShared = false, storedRun = null } = options;
  const { data = createMemoryData(random.bytes(20).toString("hex")) } = options;
  const disk: Disk = { lastMinute: nothingLeft, noteAdmission: (room) => storedRun?.noteAdmission(data.runId, room) };
  const commandCounts = new Map<string, number>();
  const now = () => Math.floor(clock.now());
  const count = (name: string) => commandCounts.set(name, (commandCounts.get(name) ?? 0) + 1);

  return {
    rooms: createMemoryRooms({ data, disk, isShared, now, count }),
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
    // Nobody else has it.
    useFor: async () => {},
    takeOver: async () => null,
    strangers: async () => [],
    resume(isNewInstallation) {
      const resumed = storedRun?.begin(isNewInstallation, data.runId);
      if (resumed === undefined) return;
      disk.lastMinute = resumed.lastMinute;
      if (resumed.data !== null) Object.assign(data, resumed.data);
    },
    close: async () => storedRun?.end(data),
    async agreeOnKeys(fingerprints, replace) {
      if (data.keys === null || replace) data.keys = { ...fingerprints };
      return { ...data.keys };
    },
  };
}
