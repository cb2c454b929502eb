import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Random } from "../../lib/random.ts";
import { createSend } from "../../lib/send.ts";
import {
  type AdminKeys,
  adminKeysName,
  type Incidents,
  type IssuerRegistry,
  incidentsName,
  type RegistryFile,
} from "../../registry/index.ts";
import type { WaitingRooms } from "../../room/index.ts";
import type { EventStore, SharedDocuments } from "../../store/contract/room-store.ts";
import { createEventHub } from "./event-hub.ts";
import { createEventStreams } from "./event-stream.ts";
import { createPastEvents } from "./past-events.ts";
import { registrySource } from "./registry-source.ts";
import { createDeliveries } from "./webhooks/deliveries.ts";
import type { WebhookOfFile } from "./webhooks/file-webhooks.ts";
import { createWebhooks, webhooksName } from "./webhooks/webhooks.ts";

export interface EventsOptions {
  readonly store: EventStore;
  readonly rooms: WaitingRooms;
  /** At least one. */
  readonly issuers: readonly Pick<IssuerRegistry, "issuer" | "registry" | "rooms" | "keys">[];
  readonly adminKeys: Pick<AdminKeys, "registry">;
  readonly incidents: Pick<Incidents, "registry">;
  readonly documents: SharedDocuments;
  /** Of the copy of the webhooks. */
  readonly file: RegistryFile;
  /** Hosts of receivers that need not be public. */
  readonly allowedHosts: readonly string[];
  /** Webhooks of the configuration. */
  readonly receivers: readonly WebhookOfFile[];
  readonly random: Random;
  /** Names this process. */
  readonly processName: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The events of a process, and those who read them. */
export function createEvents(options: EventsOptions) {
  const { store, rooms, issuers, adminKeys, incidents, processName, allowedHosts, clock, random, logger } = options;
  const firstIssuer = issuers[0]?.issuer ?? "";
  const webhooks = createWebhooks({
    ...options,
    ofFile: options.receivers,
    roots: () => issuers[0]?.keys.current.tickets ?? [],
    report: (event) => logger[event.event === "registry.unreadable" ? "error" : "info"](event),
  });
  const hub = createEventHub({
    store,
    rooms,
    issuerOf: (id) => issuers.find((each) => each.rooms.get(id) !== undefined)?.issuer ?? firstIssuer,
    firstIssuer,
    sources: [
      ...issuers.map(({ issuer, registry }) => registrySource(`registry of ${issuer}`, issuer, registry)),
      registrySource(adminKeysName, firstIssuer, adminKeys.registry),
      registrySource(webhooksName, firstIssuer, webhooks.registry),
      registrySource(incidentsName, firstIssuer, incidents.registry),
    ],
    logger,
  });
  const streams = createEventStreams({ hub, store, nowMs: () => clock.now() });
  const past = createPastEvents({ hub, store });
  const deliveries = createDeliveries({
    store,
    hub,
    webhooks,
    send: createSend(allowedHosts),
    holder: `${processName}-${random.bytes(6).toString("hex")}`,
    nowMs: () => clock.now(),
    logger,
  });
  return {
    hub,
    streams,
    past,
    webhooks,
    deliveries,
    allowedHosts,
    /** This process has become ready, or is so no more. */
    tellReadiness({ faults }: { readonly faults: readonly string[] }): void {
      const type = faults.length === 0 ? "usher.process.ready" : "usher.process.not_ready";
      const data = { process: processName, ...(faults.length > 0 && { faults }) };
      hub.tell({ atMs: clock.now(), source: firstIssuer, type, subject: `processes/${processName}`, data });
    },
    start() {
      hub.start();
      deliveries.start();
    },
    async stop() {
      await deliveries.stop();
      await hub.stop();
    },
  };
}
