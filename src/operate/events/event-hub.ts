import type { Logger } from "../../lib/logger.ts";
import { repeat } from "../../lib/repeat.ts";
import type { WaitingRooms } from "../../room/index.ts";
import type { EventStore, RoomEvent } from "../../store/contract/room-store.ts";
import { type CloudEvent, cloudEvent, type Happening, type Line } from "./cloud-event.ts";
import { logFault } from "./log-fault.ts";
import type { EventSource } from "./registry-source.ts";

/** What this process has learnt of a line. */
export interface News {
  readonly line: Line;
  readonly events: readonly RoomEvent[];
}

/** Events as this process receives them from the store: those of rooms with each tick, those of the installation once a second. */
export interface EventHub {
  /** All event streams, the installation's first. */
  readonly lines: readonly Line[];
  /** Number of the last event of a stream that this process has received; null for none yet. */
  lastOf(line: string): number | null;
  /** Every event with a number up to the answer was learnt of, in all lines. Notes that readers are told so. */
  completeThrough(): number;
  /** @returns what ends it */
  subscribe(listener: (news: News) => void): () => void;
  asCloudEvent(line: Line, event: RoomEvent): CloudEvent;
  /** Publishes an event of the installation. While the store is away, it is queued. */
  tell(happening: Happening): void;
  /** Publishes the changes of this source, too. */
  addSource(source: EventSource): void;
  start(): void;
  stop(): Promise<void>;
}

const everyMs = 1_000;
const pageSize = 100;
/** Of the installation: should the store lose them, this process brings them back. */
const rememberedMax = 200;
/** While the store is away; beyond that the oldest are forgotten. */
const waitingMax = 100;

export function createEventHub({
  store,
  rooms,
  issuerOf,
  firstIssuer,
  logger,
  ...options
}: {
  readonly store: EventStore;
  readonly rooms: WaitingRooms;
  /** By the id of a room. */
  readonly issuerOf: (room: string) => string;
  /** Of what is of none. */
  readonly firstIssuer: string;
  readonly sources: readonly EventSource[];
  readonly logger: Logger;
}): EventHub {
  const sources = [...options.sources];
  const listeners = new Set<(news: News) => void>();
  const installation: Line = { name: store.installation, room: null, issuer: firstIssuer };
  const last = new Map<string, number>();
  const waiting: Happening[] = [];
  /** The latest events of the installation; this process has had all behind the number `rememberedFrom`. */
  const remembered: Extract<RoomEvent, { kind: "other" }>[] = [];
  let rememberedFrom = 0;
  const publishedVersions = new Map<string, number>();
  let sequence = 0;
  let installationReadMs = 0;
  /** The highest number up to which readers were told that they have had all: though the clock is set back, none comes behind it. */
  let announcedThrough = 0;
  let stopFollowing: (() => Promise<void>) | undefined;

  const publish = (news: News) => {
    last.set(news.line.name, news.events.at(-1)?.seq ?? 0);
    for (const listener of listeners) listener(news);
  };
  rooms.events.on("events.published", ({ room, line, events }) => {
    publish({ line: { name: line, room, issuer: issuerOf(room) }, events });
  });

  /** From the end on, the first time. */
  async function follow(): Promise<void> {
    const nowMs = Math.min(...rooms.all.map(({ state }) => state?.nowMs ?? 0));
    for (;;) {
      const lastSeq = last.get(installation.name);
      // The last one is read again: where it is no more, the store has lost events.
      const behind = lastSeq === undefined ? Number.MAX_SAFE_INTEGER : Math.max(0, lastSeq - 1);
      const page = await store.read(installation.name, behind, pageSize);
      if (lastSeq === undefined) {
        rememberedFrom = page.last;
        last.set(installation.name, page.last);
      } else if (lastSeq > 0 && page.events[0]?.seq !== lastSeq) {
        await restore(lastSeq);
        break;
      } else learn(page.events.filter(({ seq }) => seq > lastSeq));
      if (page.events.length < pageSize) break;
    }
    installationReadMs = nowMs;
  }

  function learn(events: readonly RoomEvent[]): void {
    remember(events);
    if (events.length > 0) publish({ line: installation, events });
  }

  function remember(events: readonly RoomEvent[]): void {
    for (const event of events) if (event.kind === "other") remembered.push(event);
    const dropped = remembered.splice(0, Math.max(0, remembered.length - rememberedMax));
    rememberedFrom = dropped.at(-1)?.seq ?? rememberedFrom;
  }

  /** After a failover, say. What another process has brought back already is not told again; what is there now may be in another order. */
  async function restore(lastSeq: number): Promise<void> {
    const events = remembered.map(({ atMs, json }) => ({ version: 0, atMs, json }));
    await store.publish({
      source: null,
      events,
      memory: { from: rememberedFrom, last: Math.max(lastSeq, announcedThrough) },
    });
    const had = new Set(events.map(({ json }) => json));
    remembered.length = 0;
    let through = rememberedFrom;
    for (let isEnd = false; !isEnd; ) {
      const page = await store.read(installation.name, through, pageSize);
      remember(page.events);
      const news = page.events.filter((event) => event.kind === "other" && !had.has(event.json));
      if (news.length > 0) publish({ line: installation, events: news });
      isEnd = page.events.length < pageSize;
      through = isEnd ? page.last : (page.events.at(-1)?.seq ?? page.last);
    }
    last.set(installation.name, through);
  }

  async function publishWaiting(): Promise<readonly Happening[]> {
    const published = [...waiting];
    const events = published.map(({ atMs, ...event }) => ({ version: 0, atMs, json: JSON.stringify(event) }));
    if (events.length > 0) await store.publish({ source: null, events, memory: { last: announcedThrough } });
    return published;
  }

  /** Answers the versions that were told. */
  async function publishSources(): Promise<ReadonlyMap<string, number>> {
    const versions = new Map<string, number>();
    for (const source of sources) {
      const { name, version, isCut } = source;
      if (version === publishedVersions.get(name)) continue;
      const events = source.events.map(({ version: of, atMs, ...event }) => {
        return { version: of, atMs, json: JSON.stringify(event) };
      });
      if (events.length > 0) await store.publish({ source: name, events, isCut, memory: { last: announcedThrough } });
      versions.set(name, version);
    }
    return versions;
  }

  async function round(): Promise<number> {
    try {
      // First, so that events which the store has lost are restored before new ones are published.
      await follow();
      const versions = await publishSources();
      const published = await publishWaiting();
      if (versions.size + published.length > 0) await follow();
      // Only after reading the events back: from then on this process can restore them. Publishing one twice has no effect.
      for (const [name, version] of versions) publishedVersions.set(name, version);
      for (const happening of published) if (waiting.includes(happening)) waiting.splice(waiting.indexOf(happening), 1);
    } catch (error) {
      logFault(logger)(error);
    }
    return everyMs;
  }

  return {
    get lines() {
      return [installation, ...rooms.all.map(({ id, name }) => ({ name, room: id, issuer: issuerOf(id) }))];
    },
    lastOf: (line) => last.get(line) ?? null,
    completeThrough() {
      const through = Math.min(installationReadMs * 10 - 1, ...rooms.all.map(({ eventsThrough }) => eventsThrough));
      announcedThrough = Math.max(announcedThrough, through);
      return through;
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
    addSource: (source) => void sources.push(source),
    start() {
      stopFollowing = repeat(0, round);
    },
    async stop() {
      await stopFollowing?.();
      await publishWaiting().catch(logFault(logger));
      listeners.clear();
    },
  };
}
