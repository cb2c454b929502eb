import type { Clock } from "../../lib/clock-and-random.ts";
import type { Logger } from "../../lib/logger.ts";
import { type AdminKeys, adminKeysName, type IssuerRegistry } from "../../registry/index.ts";
import type { WaitingRooms } from "../../room/index.ts";
import type { EventStore } from "../../store/contract/room-store.ts";
import { createEventHub } from "./event-hub.ts";
import { createEventStreams } from "./event-stream.ts";
import { createPastEvents } from "./past-events.ts";
import { type RegistryWithChanges, registrySource } from "./registry-source.ts";

export interface EventsOptions {
  readonly store: EventStore;
  readonly rooms: WaitingRooms;
  /** At least one. */
  readonly issuers: readonly Pick<IssuerRegistry, "issuer" | "registry" | "rooms" | "keys">[];
  readonly adminKeys: Pick<AdminKeys, "registry">;
  /** Names this process. */
  readonly processName: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The events of a process, and those who read them. */
export function createEvents(options: EventsOptions) {
  const { store, rooms, issuers, adminKeys, processName, clock, logger } = options;
  const firstIssuer = issuers[0]?.issuer ?? "";
  const hub = createEventHub({
    store,
    rooms,
    issuerOf: (id) => issuers.find((candidate) => candidate.rooms.get(id) !== undefined)?.issuer ?? firstIssuer,
    firstIssuer,
    sources: [
      ...issuers.map(({ issuer, registry }) => registrySource(`registry of ${issuer}`, issuer, registry)),
      registrySource(adminKeysName, firstIssuer, adminKeys.registry),
    ],
    logger,
  });
  const streams = createEventStreams({ hub, store, nowMs: () => clock.now() });
  const past = createPastEvents({ hub, store });
  return {
    hub,
    streams,
    past,
    /** Events tell what is changed in this document of the installation. */
    addRegistry: (registry: RegistryWithChanges & { readonly name: string }) =>
      hub.addSource(registrySource(registry.name, firstIssuer, registry)),
    /** This process has become ready, or is so no more. */
    publishReadiness({ faults }: { readonly faults: readonly string[] }): void {
      const type = faults.length === 0 ? "usher.process.ready" : "usher.process.not_ready";
      const data = { process: processName, ...(faults.length > 0 && { faults }) };
      hub.tell({ atMs: clock.now(), source: firstIssuer, type, subject: `processes/${processName}`, data });
    },
    start() {
      hub.start();
    },
    stop: () => hub.stop(),
  };
}
