import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { IssuerRegistry } from "../registry/index.ts";
import type { WaitingRooms } from "../room/index.ts";
import type { EventStore } from "../store/contract/room-store.ts";
import { createEventHub } from "./event-hub.ts";
import { createEventStreams } from "./event-stream.ts";
import { registrySource } from "./registry-source.ts";

export interface EventsOptions {
  readonly store: EventStore;
  readonly rooms: WaitingRooms;
  /** At least one. */
  readonly issuers: readonly Pick<IssuerRegistry, "issuer" | "registry" | "rooms">[];
  /** Names this process. */
  readonly processName: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The events of a process, and those who read them. */
export function createEvents({ store, rooms, issuers, processName, clock, logger }: EventsOptions) {
  const firstIssuer = issuers[0]?.issuer ?? "";
  const hub = createEventHub({
    store,
    rooms,
    issuerOf: (id) => issuers.find((each) => each.rooms.get(id) !== undefined)?.issuer ?? firstIssuer,
    firstIssuer,
    sources: issuers.map(registrySource),
    logger,
  });
  const streams = createEventStreams({ hub, store, nowMs: () => clock.now() });
  return {
    hub,
    streams,
    /** This process has become ready, or is so no more. */
    tellReadiness({ faults }: { readonly faults: readonly string[] }): void {
      const type = faults.length === 0 ? "usher.process.ready" : "usher.process.not_ready";
      const data = { process: processName, ...(faults.length > 0 && { faults }) };
      hub.tell({ atMs: clock.now(), source: firstIssuer, type, subject: `processes/${processName}`, data });
    },
    start: () => hub.start(),
    stop: () => hub.stop(),
  };
}
