/**
 * How all processes of an installation are, as each can tell: every process says a few figures of itself through the store every three
 * seconds (`presence.ts`), and `attention/` has the rules of what is not well. Nothing here serves visitors. `app/app.ts` makes it, `GET
 * /admin/health` reports it.
 */

import type { UsherConfig } from "../../config/index.ts";
import type { Random } from "../../lib/clock-and-random.ts";
import type { StoreClock } from "../../lib/store-clock.ts";
import type { WaitingRooms } from "../../room/index.ts";
import type { ProcessStore } from "../../store/contract/shared.ts";
import type { NamedHealth } from "../features.ts";
import type { Installation, SeenRoom } from "./attention/attention.ts";
import { attentionOf } from "./attention/index.ts";
import { configurationDigests } from "./configuration.ts";
import { createPresence, type SeenProcess } from "./presence.ts";
import { type ProcessSelf, shortened } from "./process-self.ts";
import { createSealingWatch } from "./sealing.ts";
import { createVitals } from "./vitals.ts";

export { type Attention, attentionCodesOf } from "./attention/attention.ts";
export { readBuild } from "./build.ts";
export { configurationDigest } from "./configuration.ts";
export type { SeenProcess } from "./presence.ts";

export type Health = ReturnType<typeof createHealth>;

const driftingMax = 20;

function joinsOf({ softBlocks: { joined, refused } }: WaitingRooms["all"][number]): SeenRoom["joins"] {
  return { joined, refused: refused.rate + refused.entries + refused.network };
}

export function createHealth(options: {
  readonly store: { readonly processes: ProcessStore; readonly clock: StoreClock };
  /** The stores by name that rooms are in. Default: none. */
  readonly namedStores?: ReadonlyMap<string, { readonly processes: ProcessStore }>;
  readonly rooms: WaitingRooms;
  readonly config: UsherConfig;
  /** Of the machine and port. */
  readonly processName: string;
  readonly version: string;
  readonly build: string | null;
  /** Null before it was looked at. */
  readonly readiness: () => { readonly faults: readonly string[]; readonly warnings: readonly string[] } | null;
  readonly isStopping: () => boolean;
  /** Answered so far. */
  readonly requests: () => number;
  /** By this process's own clock. */
  readonly checkpointsWrittenMs: () => number | null;
  readonly failingSecrets: () => readonly string[];
  /** What features report of this process, by their names. */
  readonly describeFeatures: () => Record<string, unknown>;
  readonly ofFeatures: readonly NamedHealth[];
  readonly random: Random;
}) {
  const { store, rooms, config, processName, version, build, readiness, random } = options;
  const { clock } = store;
  const startedMs = clock.now();
  const configuration = configurationDigests(config);
  const vitals = createVitals(options.requests);
  const sealing = createSealingWatch();
  const id = `${processName}-${random.bytes(6).toString("hex")}`;

  let lastReport: ProcessSelf | null = null;
  const presence = createPresence({
    store: store.processes,
    id,
    describe(quickestMs): ProcessSelf {
      lastReport = describe(quickestMs);
      return lastReport;
    },
  });
  /** What is told to a named store says how it is; who runs is gone by in the other one. */
  const ofNamed = [...(options.namedStores ?? [])].map(([name, { processes }]) => ({
    name,
    presence: createPresence({ store: processes, id, describe: (quickestMs) => lastReport ?? describe(quickestMs) }),
  }));

  function describe(quickestMs: number | null): ProcessSelf {
    lookAtRooms();
    const found = readiness();
    const state = found === null ? "starting" : found.faults.length === 0 ? "ready" : "not_ready";
    return {
      name: processName,
      version,
      build,
      node: process.version,
      started_ms: startedMs,
      state: options.isStopping() ? "stopping" : state,
      faults: shortened(found?.faults ?? []),
      warnings: shortened(found?.warnings ?? []),
      configuration,
      skew_ms: clock.skewMs,
      ...vitals.take(),
      store_latency_ms: quickestMs,
      checkpoints_written_ms: storeTime(options.checkpointsWrittenMs()),
      drifting: rooms.all
        .filter(({ isDrifting }) => isDrifting)
        .slice(0, driftingMax)
        .map((room) => room.id),
      failing_secrets: shortened(options.failingSecrets()),
      features: options.describeFeatures(),
    };
  }

  function storeTime(localMs: number | null): number | null {
    return localMs === null ? null : Math.round(localMs - (clock.skewMs ?? 0));
  }

  function lookAtRooms(): SeenRoom[] {
    sealing.keep(new Set(rooms.all.map((room) => room.id)));
    return rooms.all.map((room) => ({
      id: room.id,
      availability: room.availability,
      isSynced: room.state !== null,
      sealing: room.state && sealing.look(room.id, room.state),
      joins: joinsOf(room),
    }));
  }

  return {
    id,
    /** How many run, as far as this process knows: this one at least. */
    processCount: (): number => Math.max(1, presence.processes().filter(({ isMissing }) => !isMissing).length),
    /** The installation as this process sees it, and what of it is not well. Asks no store. */
    look() {
      const nowMs = clock.now();
      const processes = presence.processes();
      const reports = options.ofFeatures.map((health) => ({ health, selves: selvesOf(health, processes) }));
      const installation: Installation = {
        nowMs,
        processes,
        others: reports.flatMap(({ health, selves }) => health.attention(selves, nowMs)),
        store: presence.store(),
        namedStores: ofNamed.map((named) => ({ name: named.name, store: named.presence.store() })),
        rooms: lookAtRooms(),
      };
      return { ...installation, reports, attention: attentionOf(installation) };
    },
    start(): void {
      presence.start();
      for (const named of ofNamed) named.presence.start();
    },
    async stop(): Promise<void> {
      vitals.stop();
      await Promise.all([presence.stop(), ...ofNamed.map((named) => named.presence.stop())]);
    },
  };
}

/** What the processes that run report of a feature. */
function selvesOf({ name, self }: NamedHealth, processes: readonly SeenProcess[]): unknown[] {
  return processes
    .filter(({ isMissing, self: { features } }) => !isMissing && Object.hasOwn(features, name))
    .map((process) => self.parse(process.self.features[name]));
}
