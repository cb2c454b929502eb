import { StoreUnavailableError } from "../lib/errors.ts";
import type { Logger } from "../lib/logger.ts";
import { repeat } from "../lib/repeat.ts";
import type { WaitingRooms } from "../room/index.ts";
import type { EventStore, RoomEvent } from "../store/contract/room-store.ts";
import { type CloudEvent, cloudEvent, type Happening, type Line } from "./cloud-event.ts";
import type { EventSource } from "./registry-source.ts";

/** What this process has learnt of a line. */
export interface News {
  readonly line: Line;
  readonly events: readonly RoomEvent[];
}

export interface EventHubOptions {
  readonly store: EventStore;
  readonly rooms: WaitingRooms;
  /** By the id of a room. */
  readonly issuerOf: (room: string) => string;
  /** Of what is of none. */
  readonly firstIssuer: string;
  readonly sources: readonly EventSource[];
  readonly logger: Logger;
}

/** The events as this process learns of them: those of rooms with each tick, those of the installation once a second. */
export interface EventHub {
  /** Those that there are: the installation's first. */
  readonly lines: readonly Line[];
  /** Number of the last event of a line that this process has learnt of; null for none yet. */
  lastOf(line: string): number | null;
  /** Every event with a number up to this one was learnt of, in all lines. */
  readonly completeThrough: number;
  /** @returns what ends it */
  subscribe(listener: (news: News) => void): () => void;
  asCloudEvent(line: Line, event: RoomEvent): CloudEvent;
  /** Tells an event of the installation, sooner or later: while the store is away, it waits. */
  tell(happening: Happening): void;
  start(): void;
  stop(): Promise<void>;
}

const everyMs = 1_000;
const pageSize = 100;
/** While the store is away; beyond that the oldest are forgotten. */
const waitingMax = 100;

export function createEventHub({ store, rooms, issuerOf, firstIssuer, sources, logger }: EventHubOptions): EventHub {
  const listeners = new Set<(news: News) => void>();
  const installation: Line = { name: store.installation, room: null, issuer: firstIssuer };
  const last = new Map<string, number>();
  const waiting: Happening[] = [];
  const toldVersions = new Map<string, number>();
  let sequence = 0;
  let installationReadMs = 0;
  let stopFollowing: (() => Promise<void>) | undefined;

  const publish = (news: News) => {
    last.set(news.line.name, news.events.at(-1)?.seq ?? 0);
    for (const listener of listeners) listener(news);
  };
  rooms.events.on("events.told", ({ room, line, events }) => {
    publish({ line: { name: line, room, issuer: issuerOf(room) }, events });
  });

  /** From the end on, the first time. */
  async function follow(): Promise<void> {
    const nowMs = Math.min(...rooms.all.map(({ state }) => state?.nowMs ?? 0));
    for (;;) {
      const known = last.get(installation.name);
      const page = await store.read(installation.name, known ?? Number.MAX_SAFE_INTEGER, pageSize);
      if (known === undefined) last.set(installation.name, page.last);
      if (page.events.length > 0) publish({ line: installation, events: page.events });
      if (page.events.length < pageSize) break;
    }
    installationReadMs = nowMs;
  }

  async function tellWaiting(): Promise<void> {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const { atMs, ...event } = next;
      await store.tell({ source: null, events: [{ version: 0, atMs, json: JSON.stringify(event) }] });
      // Meanwhile it may have been forgotten, and another be in front.
      const at = waiting.indexOf(next);
      if (at >= 0) waiting.splice(at, 1);
    }
  }

  async function tellSources(): Promise<void> {
    for (const source of sources) {
      const { name, version } = source;
      if (version === toldVersions.get(name)) continue;
      const events = source.events.map(({ version: of, atMs, ...event }) => {
        return { version: of, atMs, json: JSON.stringify(event) };
      });
      if (events.length > 0) await store.tell({ source: name, events });
      toldVersions.set(name, version);
    }
  }

  async function round(): Promise<number> {
    try {
      await tellSources();
      await tellWaiting();
      await follow();
    } catch (error) {
      // A store that is away is reported elsewhere.
      if (!(error instanceof StoreUnavailableError)) logger.error({ event: "events.failed", err: error });
    }
    return everyMs;
  }

  return {
    get lines() {
      return [installation, ...rooms.all.map(({ id, name }) => ({ name, room: id, issuer: issuerOf(id) }))];
    },
    lastOf: (line) => last.get(line) ?? null,
    get completeThrough() {
      return Math.min(installationReadMs * 10 - 1, ...rooms.all.map(({ toldThrough }) => toldThrough));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    asCloudEvent: cloudEvent,
    tell(happening) {
      waiting.push({ ...happening, id: happening.id ?? `${happening.subject}.${happening.atMs}.${sequence++}` });
      while (waiting.length > waitingMax) waiting.shift();
    },
    start() {
      stopFollowing = repeat(0, round);
    },
    async stop() {
      await stopFollowing?.();
      await tellWaiting().catch(() => undefined);
      listeners.clear();
    },
  };
}
