import { Readable } from "node:stream";
import { z } from "zod";
import { formatTime, text } from "../../../config/index.ts";
import { createBoundedStreams } from "../../../lib/bounded-streams.ts";
import type { Clock } from "../../../lib/clock-and-random.ts";
import { endOrCutOff } from "../../../lib/end-or-cut-off.ts";
import { UsherError } from "../../../lib/errors.ts";
import { noSuchRoom } from "../../../registry/index.ts";
import type { WaitingRooms } from "../../../room/index.ts";
import { type AdminRoute, routesAbout } from "../admin-router.ts";
import { object } from "../bodies.ts";
import type { FourEyes } from "../four-eyes/four-eyes.ts";
import { type LineEnds, lineEndsAt } from "../rooms/statistics.ts";
import { type Company, company, type WatcherOfRoom } from "./company.ts";
import { liveFigures, liveRoomJson } from "./live-figures.ts";

/** Who watches. */
export interface Watcher {
  /** Names the key or person, who may have several streams. */
  readonly reader: string;
  /** The room that the reader has open, and hears of who else has; null for none. */
  readonly inRoom: WatcherOfRoom | null;
  isFor(room: string): boolean;
  /** Whether the figures may still be read; asked before anything is sent. */
  mayRead(): boolean;
}

export interface LiveFeed {
  /** How many streams are open. */
  readonly count: number;
  /** Null where as many are open as may be, of all or of this reader, and after `close`. */
  open(watcher: Watcher): Readable | null;
  /** Ends all of them, and opens no more: their readers come again, to another process maybe. */
  close(): void;
}

const everyMs = 1_000;
/** A forecast reads the store: once for all who watch, as often as statistics are recorded. */
const forecastEveryTicks = 10;
/** Who else is there is asked of the store so often, once for all who watch. */
const companyEveryTicks = 4;
/** Frames in a row that a reader misses, since it has not read the last one, until it is taken to be gone. */
const skippedFramesMax = 30;

/**
 * The figures of all rooms, each second, to all who watch: computed once for all of them, from what the process knows of its
 * rooms. It rests while nobody watches.
 */
export function createLiveFeed({
  rooms,
  clock,
  fourEyes,
  company,
}: {
  readonly rooms: Pick<WaitingRooms, "all">;
  readonly clock: Pick<Clock, "now">;
  readonly fourEyes: Pick<FourEyes, "pendingIn">;
  readonly company: Company;
}): LiveFeed {
  const streams = createBoundedStreams<LiveStream>();
  const ends = new Map<string, LineEnds>();
  /** The version of each room that the forecasts go by: a change of a rate is a forecast more. */
  const forecastOf = new Map<string, number | undefined>();
  let timer: NodeJS.Timeout | undefined;
  let ticks = 0;
  let isForecasting = false;
  let isClosed = false;

  function tick(): void {
    if (ticks % forecastEveryTicks === 0 || hasChanged()) void forecastAll();
    if (ticks % companyEveryTicks === 0) void company.exchange(here());
    ticks++;
    const news = frame();
    const local = here();
    for (const stream of streams.all) stream.send(news, companyOf(stream, local));
  }

  function hasChanged(): boolean {
    return rooms.all.some(({ id, state }) => forecastOf.get(id) !== state?.version);
  }

  /** Those of this process who have a room open. */
  function here(): WatcherOfRoom[] {
    return [...streams.all].flatMap(({ watcher: { inRoom } }) => inRoom ?? []);
  }

  function companyOf({ watcher: { inRoom } }: LiveStream, local: readonly WatcherOfRoom[]): string {
    return inRoom === null ? "" : JSON.stringify(company.of(inRoom.room, inRoom.reader, local));
  }

  function frame(): Frame {
    const nowMs = clock.now();
    const roomTexts = rooms.all.map((room) => {
      const approvals = fourEyes.pendingIn(room).map(({ step }) => step);
      const extras = { ends: ends.get(room.id) ?? null, approvals };
      return [room.id, JSON.stringify(liveRoomJson(room, nowMs, extras))] as const;
    });
    return frameOf(roomTexts, formatTime(nowMs));
  }

  /** One room after the other. A store that is away forecasts nothing. */
  async function forecastAll(): Promise<void> {
    if (isForecasting) return;
    isForecasting = true;
    const roomIds = new Set(rooms.all.map(({ id }) => id));
    for (const map of [ends, forecastOf]) for (const id of map.keys()) if (!roomIds.has(id)) map.delete(id);
    for (const room of rooms.all) {
      const { state } = room;
      forecastOf.set(room.id, state?.version);
      const forecast =
        state?.phase === "open" && timer !== undefined ? await room.forecast(null).catch(() => null) : null;
      ends.set(room.id, forecast === null ? null : lineEndsAt(room.nowMs, forecast.lineEnds));
    }
    isForecasting = false;
  }

  function left(): void {
    if (streams.count > 0) return;
    clearInterval(timer);
    timer = undefined;
    void company.exchange([]);
  }

  return {
    get count() {
      return streams.count;
    },
    open(watcher) {
      const stream = isClosed ? null : streams.open(watcher.reader, () => new LiveStream(watcher));
      if (stream === null) return null;
      stream.once("close", left);
      if (timer === undefined) {
        ticks = 0;
        timer = setInterval(tick, everyMs).unref();
        tick();
      } else stream.send(frame(), companyOf(stream, here()));
      return stream;
    },
    close() {
      isClosed = true;
      streams.close();
    },
  };
}

/** What is sent in one second. Its texts are made when they are first asked for, and shared. */
interface Frame {
  readonly rooms: readonly (readonly [id: string, json: string])[];
  eventOf(rooms: readonly (readonly [id: string, json: string])[]): string;
  readonly ofAll: string;
}

function frameOf(roomTexts: Frame["rooms"], at: string): Frame {
  const eventOf: Frame["eventOf"] = (some) =>
    `event: figures\ndata: {"at":"${at}","rooms":[${some.map(([, json]) => json).join(",")}]}\n\n`;
  let ofAll: string | undefined;
  return {
    rooms: roomTexts,
    eventOf,
    get ofAll() {
      ofAll ??= eventOf(roomTexts);
      return ofAll;
    },
  };
}

class LiveStream extends Readable {
  readonly watcher: Watcher;
  /** Before the first news: when to come again after an end. */
  #head = "retry: 2000\n\n";
  #skipped = 0;
  #company = "";

  constructor(watcher: Watcher) {
    super();
    this.watcher = watcher;
  }

  /** @param company what an event says of who else is there; it is sent where it is another than before */
  send(frame: Frame, company: string): void {
    if (!this.watcher.mayRead()) {
      this.end();
      return;
    }
    // A reader that has not read the last frame gets no new one; only the latest figures count.
    if (this.readableLength > 0) {
      if (++this.#skipped > skippedFramesMax) this.destroy();
      return;
    }
    this.#skipped = 0;
    const visible = frame.rooms.filter(([id]) => this.watcher.isFor(id));
    this.push(this.#head + (visible.length === frame.rooms.length ? frame.ofAll : frame.eventOf(visible)));
    this.#head = "";
    if (company === this.#company) return;
    this.#company = company;
    this.push(`event: company\ndata: ${company}\n\n`);
  }

  end(): void {
    if (!this.destroyed) endOrCutOff(this);
  }

  override _read(): void {}
}

export interface LiveStreamOptions {
  readonly live: LiveFeed;
  readonly rooms: WaitingRooms;
}

const liveQuery = object({ room: text("the id of a room", 32).optional() });

/** What consoles show. */
export function liveStreamRoutes({ live, rooms }: LiveStreamOptions): AdminRoute[] {
  return [
    routesAbout("/live", () => null)(
      "GET",
      "",
      {
        summary:
          "Streams the figures of all rooms each second (server-sent events), as this process knows them; with `room` also who else has that one open.",
        tag: "Events",
        role: "viewer",
        reach: "own",
        type: "text/event-stream",
        answers: z.instanceof(Readable),
        query: liveQuery,
        eventData: z.union([liveFigures, company]),
        errors: ["unknown_room", "store_unavailable"],
      },
      ({ ctx, principal, query: { room } }) => {
        if (room !== undefined) principal.requireRooms([room]);
        if (room !== undefined && rooms.get(room) === undefined) throw noSuchRoom();
        const { kind, id, name, role } = principal;
        const reader = `${kind} ${id}`;
        const stream = live.open({
          reader,
          inRoom: room === undefined ? null : { room, reader, kind, name: name ?? id, role },
          isFor: (room) => principal.isFor(room),
          mayRead: () => principal.isInForce(),
        });
        if (stream === null) {
          const message = "as many streams of figures are open as may be; close some, or ask another process";
          throw new UsherError("store_unavailable", message, { retryAfterSec: 5 });
        }
        // A proxy that gathers answers would keep the figures back.
        ctx.set("X-Accel-Buffering", "no");
        return stream;
      },
    ),
  ];
}
