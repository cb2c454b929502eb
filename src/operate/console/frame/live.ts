/** Live figures: the stream that the gateway sends each second, the recent numbers of waiting visitors, and how old all of it is. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import type { Api } from "../api/api.ts";
import { readEvent } from "../api/reading.ts";

type LiveFigures = AdminAnswers["LiveFigures"];
export type LiveRoom = AdminAnswers["LiveRoom"];
export type Figures = NonNullable<LiveRoom["figures"]>;
/** Who else has the room open. */
export type Company = AdminAnswers["Company"];

export interface News {
  readonly figures: LiveFigures;
  /** By `performance.now()`. */
  readonly receivedMs: number;
}

interface LiveListener {
  received(news: News): void;
  /** Only where the address names a room. */
  met(company: Company): void;
  /** The gateway refuses the stream; it is tried again unless the session has ended. @returns whether to try again */
  refused(): Promise<boolean>;
}

const retryMs = 2_000;

/**
 * Listens until the returned function is called. A connection that breaks is made again, by the browser or here.
 */
function listen(address: string, listener: LiveListener): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  function open(): void {
    source = new EventSource(address);
    source.addEventListener("figures", (event) => {
      const figures = readEvent<LiveFigures>(String((event as MessageEvent).data), "LiveFigures");
      if (figures !== null) listener.received({ figures, receivedMs: performance.now() });
    });
    source.addEventListener("company", (event) => {
      const company = readEvent<Company>(String((event as MessageEvent).data), "Company");
      if (company !== null) listener.met(company);
    });
    source.addEventListener("error", () => void broken());
  }

  async function broken(): Promise<void> {
    // Otherwise the browser tries again by itself: the gateway answered with something else than a stream.
    if (source?.readyState !== EventSource.CLOSED) return;
    const mayGoOn = await listener.refused();
    if (isStopped || !mayGoOn) return;
    clearTimeout(timer);
    timer = setTimeout(open, retryMs);
  }

  open();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    source?.close();
  };
}

const tickMs = 1_000;

interface Live {
  readonly news: News | null;
  readonly history: History;
  /** The gateway's time; by this computer's clock before the first news. */
  readonly nowMs: number;
  /** `performance.now()`. */
  readonly elapsedMs: number;
  /** Null where no room is open, or the stream has not said yet. */
  readonly company: Company | null;
}

/**
 * The latest news, and the second in which they are looked at: they grow old even where nothing comes.
 *
 * @param room the room on the screen, where other operators see this one; null for none
 */
export function useLive(api: Api, room: string | null, onEnded: () => void): Live {
  const [news, setNews] = useState<News | null>(null);
  const [company, setCompany] = useState<Company | null>(null);
  const [elapsedMs, setElapsedMs] = useState(() => performance.now());
  const history = useRef<History>();
  history.current ??= createHistory();
  const recorder = history.current;

  // The gateway would refuse the whole stream for a room that does not exist.
  const isThere = news?.figures.rooms.some((each) => each.room === room) === true;
  const address = isThere ? `/admin/live?room=${encodeURIComponent(room ?? "")}` : "/admin/live";

  useEffect(() => {
    const look = () => setElapsedMs(performance.now());
    const timer = setInterval(look, tickMs);
    // A browser slows the timer of a hidden page: the age must be right as soon as the page is seen again.
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  useEffect(() => {
    const stop = listen(address, {
      received(news) {
        recorder.add(news.figures);
        setNews(news);
        setElapsedMs(news.receivedMs);
      },
      met: setCompany,
      async refused() {
        const principal = await api.readSession().catch(() => undefined);
        if (principal === null) onEnded();
        return principal !== null;
      },
    });
    return () => {
      stop();
      setCompany(null);
    };
  }, [api, address]);

  const nowMs = news === null ? Date.now() : Date.parse(news.figures.at) + elapsedMs - news.receivedMs;
  return { news, history: recorder, nowMs, elapsedMs, company };
}

export interface Point {
  readonly atMs: number;
  readonly waiting: number;
}

/** How far back the curve of a room goes. */
export const spanMs = 15 * 60_000;
const pointEveryMs = 10_000;

/** How many waited in each room over the last minutes: as recorded by the gateway, and as received since. */
export interface History {
  of(room: string): readonly Point[];
  /** Whether the caller should load what the gateway has recorded: true once for each room. */
  claim(room: string): boolean;
  /** Puts recorded steps before what was received; those without a figure are left out. */
  addRecorded(room: string, steps: readonly AdminAnswers["StatisticsStep"][]): void;
  add(figures: LiveFigures): void;
}

export function createHistory(): History {
  const pointsByRoom = new Map<string, readonly Point[]>();
  const claimed = new Set<string>();
  const pointsOf = (room: string) => pointsByRoom.get(room) ?? [];
  const store = (room: string, points: readonly Point[]) => {
    const sorted = [...points].sort((a, b) => a.atMs - b.atMs);
    const endMs = sorted[sorted.length - 1]?.atMs ?? 0;
    pointsByRoom.set(
      room,
      sorted.filter(({ atMs }) => atMs > endMs - spanMs),
    );
  };

  return {
    of: pointsOf,
    claim(room) {
      const isNew = !claimed.has(room);
      claimed.add(room);
      return isNew;
    },
    addRecorded(room, steps) {
      const recorded = steps.flatMap(({ at, waiting }) =>
        waiting === null ? [] : [{ atMs: Date.parse(at), waiting }],
      );
      const received = pointsOf(room);
      const firstMs = received[0]?.atMs ?? Number.POSITIVE_INFINITY;
      store(room, [...recorded.filter(({ atMs }) => atMs < firstMs), ...received]);
    },
    add({ at, rooms }) {
      const atMs = Date.parse(at);
      for (const { room, age_ms, figures } of rooms) {
        if (figures === null || age_ms === null || age_ms > pointEveryMs) continue;
        const points = pointsOf(room);
        const last = points[points.length - 1];
        if (last === undefined || atMs - last.atMs >= pointEveryMs)
          store(room, [...points, { atMs, waiting: figures.waiting }]);
      }
    },
  };
}

/** How far figures can be trusted: `cut` by the way to the gateway, `store` by the gateway's own way to its store. */
export interface Freshness {
  readonly kind: "waiting" | "live" | "cut" | "store";
  /** Milliseconds since the figures were true. */
  readonly ageMs: number;
}

/** News come each second. */
const cutAfterMs = 3_500;
/** A process asks its store each second. */
const oldAfterMs = 5_000;

/** @param nowMs of `performance.now()` */
export function freshnessOfRoom(room: Pick<LiveRoom, "age_ms">, { receivedMs }: News, nowMs: number): Freshness {
  const unreceivedMs = Math.max(0, nowMs - receivedMs);
  const ageMs = unreceivedMs + (room.age_ms ?? 0);
  if (unreceivedMs > cutAfterMs) return { kind: "cut", ageMs };
  if (room.age_ms === null) return { kind: "waiting", ageMs };
  return { kind: room.age_ms > oldAfterMs ? "store" : "live", ageMs };
}

const worse: readonly Freshness["kind"][] = ["live", "waiting", "store", "cut"];

/** Of all that is shown: the worst of its rooms, and of those the oldest. */
export function freshnessOfAll(news: News | null, nowMs: number): Freshness {
  if (news === null) return { kind: "waiting", ageMs: 0 };
  const ofNone = freshnessOfRoom({ age_ms: 0 }, news, nowMs);
  return news.figures.rooms
    .map((room) => freshnessOfRoom(room, news, nowMs))
    .reduce((worst, each) => {
      const by = worse.indexOf(each.kind) - worse.indexOf(worst.kind);
      return by > 0 || (by === 0 && each.ageMs > worst.ageMs) ? each : worst;
    }, ofNone);
}

export function isStale({ kind }: Freshness): boolean {
  return kind === "cut" || kind === "store";
}
