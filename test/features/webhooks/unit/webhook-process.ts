/** The hub and the deliveries of one process on the embedded store, for tests of webhooks. */
import { EventEmitter } from "node:events";
import type { Webhook } from "../../../../src/features/webhooks/content.ts";
import { createDeliveries } from "../../../../src/features/webhooks/deliveries.ts";
import { newWebhookSecret } from "../../../../src/features/webhooks/signing.ts";
import type { Webhooks } from "../../../../src/features/webhooks/webhooks.ts";
import { type Clock, systemClock, systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { UsherError } from "../../../../src/lib/errors.ts";
import { createLogger, type Logger } from "../../../../src/lib/logger.ts";
import { createSend } from "../../../../src/lib/send.ts";
import { createEventHub } from "../../../../src/operate/events/index.ts";
import type { WaitingRooms } from "../../../../src/room/index.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { settings } from "../../../contract/room-driver.ts";

const issuer = "https://queue.example";

export interface ProcessOptions {
  /** Addresses of receivers, by the id of the webhook. */
  readonly urls: Record<string, string>;
  /** Webhooks whose secret it cannot open. */
  readonly unreadable?: readonly string[];
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** What is done in each round, besides deliveries. */
  readonly rounds?: Pick<Webhooks, "recordFileWebhooks" | "reseal">;
}

const idle = { recordFileWebhooks: async () => undefined, reseal: async () => undefined };

export function createWebhookProcess(options: ProcessOptions) {
  const { urls, unreadable = [], clock = systemClock, logger = createLogger("silent"), rounds = idle } = options;
  const store = createMemoryStore({ clock, random: systemRandom });
  const events = new EventEmitter();
  const names: string[] = [];
  const rooms = {
    events,
    get all() {
      return names.map((id) => ({ id, name: id, state: { nowMs: clock.now() }, eventsThrough: 0 }));
    },
  } as unknown as WaitingRooms;
  const common = { store: store.events, logger };
  const hub = createEventHub({ ...common, rooms, issuerOf: () => issuer, firstIssuer: issuer, sources: [] });
  const secret = newWebhookSecret(systemRandom);
  const times = { created_ms: 1, updated_ms: 1 };
  const all = Object.entries(urls).map(([id, url]) => {
    const choice = { url, rooms: null, types: ["usher.*"], format: "cloudevents" as const, enabled: true, note: null };
    return [id, { ...choice, ...times, secrets: [], created_by: "test" } satisfies Webhook] as const;
  });
  const webhooks = {
    all,
    find(id: string) {
      const found = all.find(([each]) => each === id)?.[1];
      if (found === undefined) throw new UsherError("not_found", "there is no such webhook");
      return found;
    },
    secretsOf: (id: string) => (unreadable.includes(id) ? [] : [secret]),
    ...rounds,
  } as unknown as Webhooks;
  const send = createSend(["127.0.0.1"]);
  const deliveries = createDeliveries({ ...common, hub, webhooks, send, holder: "one", nowMs: () => clock.now() });
  return {
    store: store.events,
    deliveries,
    /** Those that there are; changed by tests. */
    webhooks: all,
    async tell(from: number, count: number) {
      const told = Array.from({ length: count }, (_, index) => {
        const event = {
          source: issuer,
          type: "usher.client.updated",
          subject: "clients/shop",
          data: { n: from + index },
        };
        return { version: 0, atMs: clock.now(), json: JSON.stringify(event) };
      });
      await store.events.publish({ source: null, events: told });
    },
    async open(room: string) {
      names.push(room);
      await store.rooms.contribute({ room, fileSettings: settings(), memory: null, isNewRoom: true });
      const { events: told } = await store.events.read(room, 0, 100);
      events.emit("events.published", { room, line: room, events: told });
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
