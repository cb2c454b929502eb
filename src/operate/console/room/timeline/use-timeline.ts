import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Api, type Problem, ProblemError, take } from "../../api/api.ts";
import { useConsole } from "../../frame/console.ts";
import {
  type Entry,
  entriesOf,
  type RoomEvent,
  type Row,
  type Source,
  type Sources,
  shorterOf,
  withLatest,
  withOlder,
} from "./entries.ts";

export interface TimelineRead {
  /** The latest first; null before they are known. */
  readonly entries: readonly Entry[] | null;
  readonly hasOlder: boolean;
  readonly problem: Problem | null;
  readonly isBusy: boolean;
  /** Reads further back, until there is one more that is wanted. */
  showOlder(isWanted: (entry: Entry) => boolean): Promise<void>;
}

const pageSize = 50;
const pagesMax = 10;
/** Rows come into the audit a moment after the answer. */
const readAfterMs = 700;
/** Some of what others do changes none of the live figures: a call, a bypass link, admissions that end. */
const everyMs = 10_000;

/** Of events, what an operator would want to know; figures, admissions and seals come all the time. */
const types = [
  ...[
    "phase_changed",
    "hold_*",
    "edition_began",
    "settings_changed",
    "sold_out*",
    "full*",
    "draw_changed",
    "recovered",
  ],
].map((type) => `usher.room.${type}`);

/**
 * Read as the screen opens, every ten seconds after that, and soon after something may have been done.
 *
 * @param read another number: something may have been done
 */
export function useTimeline(room: string, read: number): TimelineRead {
  const { api } = useConsole();
  const [sources, setSources] = useState<Sources | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** What is known by now: an answer may come between two renderings. */
  const loaded = useRef<Sources | null>(null);
  const isThere = useRef(true);
  const update = (next: Sources) => {
    loaded.current = next;
    setSources(next);
    setProblem(null);
  };
  const failed = (error: unknown) => {
    if (!(error instanceof ProblemError)) throw error;
    if (isThere.current) setProblem(error.problem);
  };

  useEffect(() => {
    isThere.current = true;
    const look = async () => {
      try {
        const [acts, events] = await Promise.all([readActs(api, room), readEvents(api, room)]);
        if (!isThere.current) return;
        update({
          acts: withLatest(loaded.current?.acts ?? null, acts, ({ seq }) => seq),
          events: withLatest(loaded.current?.events ?? null, events, ({ id }) => id),
        });
      } catch (error) {
        failed(error);
      }
    };
    const timer = setTimeout(() => void look(), loaded.current === null ? 0 : readAfterMs);
    // Nobody looks at a hidden page.
    const interval = setInterval(() => document.hidden || void look(), everyMs);
    return () => {
      isThere.current = false;
      clearTimeout(timer);
      clearInterval(interval);
    };
  }, [room, read]);

  const showOlder: TimelineRead["showOlder"] = async (isWanted) => {
    if (isBusy) return;
    setBusy(true);
    try {
      const before = new Set((loaded.current === null ? [] : entriesOf(loaded.current)).map(({ key }) => key));
      for (let page = 0; page < pagesMax && loaded.current !== null; page++) {
        const which = shorterOf(loaded.current);
        if (which === null) break;
        // What came meanwhile stays: the answer is put behind what is known by then.
        if (which === "acts") {
          const acts = await readActs(api, room, loaded.current.acts.cursor);
          update({ ...loaded.current, acts: withOlder(loaded.current.acts, acts) });
        } else {
          const events = await readEvents(api, room, loaded.current.events.cursor);
          update({ ...loaded.current, events: withOlder(loaded.current.events, events) });
        }
        if (entriesOf(loaded.current).some((entry) => !before.has(entry.key) && isWanted(entry))) break;
      }
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
    }
  };

  return {
    entries: sources && entriesOf(sources),
    hasOlder: sources !== null && shorterOf(sources) !== null,
    problem,
    isBusy,
    showOlder,
  };
}

/** @throws ProblemError */
async function readActs({ ask }: Api, room: string, cursor: string | null = null): Promise<Source<Row>> {
  const page = await take(
    ask.GET("/admin/audit", {
      params: { query: { room, limit: pageSize, ...(cursor !== null && { cursor }) } },
    }),
  );
  return { items: page.rows.filter((row): row is Row => row.kind === "request"), cursor: page.next_cursor };
}

/** @throws ProblemError */
async function readEvents({ ask }: Api, room: string, cursor: string | null = null): Promise<Source<RoomEvent>> {
  const query = { type: types.join(","), limit: pageSize, ...(cursor !== null && { cursor }) };
  const page = await take(ask.GET("/admin/rooms/{room}/events", { params: { path: { room }, query } }));
  return { items: page.events, cursor: page.next_cursor };
}

interface SteadyEntries {
  readonly visible: readonly Entry[];
  /** Shows what came since, too. */
  release(): void;
}

/** While somebody reads the list or points at it, nothing comes in above: a row would move away under the finger. */
export function useSteadyEntries(entries: readonly Entry[], list: RefObject<HTMLElement>): SteadyEntries {
  const last = useRef<readonly Entry[]>([]);
  const isRead =
    list.current !== null &&
    (list.current.getBoundingClientRect().top < 0 || list.current.matches(":hover, :focus-within"));
  const keys = new Set(last.current.map(({ key }) => key));
  const oldestMs = last.current[last.current.length - 1]?.atMs ?? Number.POSITIVE_INFINITY;
  last.current = isRead ? entries.filter(({ key, atMs }) => keys.has(key) || atMs < oldestMs) : entries;
  return {
    visible: last.current,
    release() {
      last.current = [];
    },
  };
}
