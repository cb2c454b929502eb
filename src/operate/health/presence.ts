import { StoreUnavailableError } from "../../lib/errors.ts";
import { type After, repeat } from "../../lib/repeat.ts";
import type { ProcessStore, ServerFacts, ServerFinding } from "../../store/contract/process-store.ts";
import { type ProcessSelf, readProcessSelf } from "./process-self.ts";

/** A process as it was last heard of. */
export interface SeenProcess {
  readonly id: string;
  readonly self: ProcessSelf;
  /** Now of the store. */
  readonly seenMs: number;
  /** It has said nothing for longer than any that runs. */
  readonly isGone: boolean;
}

/** The store, as this process reaches it. */
export interface SeenStore {
  /** Why the last report did not reach it; null where it did. */
  readonly awayReason: string | null;
  /** Since the last report that reached it, in milliseconds; null for none. */
  readonly ageMs: number | null;
  /** The last one, and the quickest of the last five. */
  readonly latencyMs: number | null;
  readonly quickestMs: number | null;
  /** Null where the store is embedded, and before it has answered. */
  readonly server: ServerFacts | null;
  readonly findings: readonly ServerFinding[];
  /** When another run of the server was first seen in place of one before, now of the store; null for never. */
  readonly restartSeenMs: number | null;
}

export interface PresenceOptions {
  readonly store: ProcessStore;
  /** Of this process alone. */
  readonly id: string;
  readonly describe: (quickestMs: number | null) => ProcessSelf;
  readonly stopwatch?: () => number;
  readonly after?: After;
}

export type Presence = ReturnType<typeof createPresence>;

/** One call of the store for each process in this time. */
const everyMs = 3_000;
/** Of the store's clock: two reports in a row were lost, and the third is late. */
const goneAfterMs = 10_000;
const latenciesKept = 5;

/** Says every few seconds how this process is, and hears how all are. */
export function createPresence(options: PresenceOptions) {
  const { store, id, describe, stopwatch = () => performance.now(), after } = options;
  let heard: { nowMs: number; atMs: number; rows: readonly (Omit<SeenProcess, "isGone"> & { text: string })[] } | null =
    null;
  let server: Pick<SeenStore, "server" | "findings"> = { server: null, findings: [] };
  let restartSeenMs: number | null = null;
  let awayReason: string | null = null;
  let latencies: readonly number[] = [];
  /** Since then others could be heard without a break, now of the store. */
  let hearingSinceMs = 0;
  let stop: (() => Promise<void>) | undefined;
  let isStopped = false;

  const quickestMs = () => (latencies.length === 0 ? null : Math.min(...latencies));

  async function report(): Promise<void> {
    const askedMs = stopwatch();
    try {
      const told = await store.report(id, JSON.stringify(describe(quickestMs())));
      const answeredMs = stopwatch();
      latencies = [Math.round((answeredMs - askedMs) * 10) / 10, ...latencies].slice(0, latenciesKept);
      if (awayReason !== null || heard === null) hearingSinceMs = told.nowMs;
      awayReason = null;
      const isAnother = server.server !== null && told.server !== null && server.server.runId !== told.server.runId;
      if (isAnother && told.isMoved !== true) restartSeenMs = told.nowMs;
      server = { server: told.server, findings: told.findings };
      const known = new Map(heard?.rows.map((row) => [row.text, row.self]));
      const rows = told.processes.map((row) => ({
        id: row.id,
        seenMs: row.reportedMs,
        text: row.text,
        self: known.get(row.text) ?? readProcessSelf(row.text),
      }));
      heard = { nowMs: told.nowMs, atMs: answeredMs, rows };
      await forgetReplaced(heard);
    } catch (error) {
      awayReason = error instanceof StoreUnavailableError ? error.reason : String(error);
    }
  }

  function allSeen(): SeenProcess[] {
    if (heard === null) return [];
    const { nowMs, rows } = heard;
    return rows.map((row) => {
      const quietMs = nowMs - Math.max(row.seenMs, hearingSinceMs);
      return { id: row.id, self: row.self, seenMs: row.seenMs, isGone: quietMs > goneAfterMs };
    });
  }

  /** Else the one before would come to light again when this one has ended. Where it runs after all, it says so again. */
  async function forgetReplaced({ nowMs, rows }: NonNullable<typeof heard>): Promise<void> {
    const own = rows.find((row) => row.id === id);
    for (const row of rows) {
      const isQuiet = nowMs - row.seenMs > goneAfterMs;
      if (own !== undefined && isQuiet && isLater(own, row)) await store.remove(row.id);
    }
  }

  return {
    report,
    /** All that run or were heard of in the last minutes, but for those whose place another has taken. */
    processes(): SeenProcess[] {
      const seen = allSeen();
      return seen
        .filter((each) => !seen.some((other) => replaces(other, each)))
        .toSorted((a, b) => (a.self.name < b.self.name ? -1 : a.self.name > b.self.name ? 1 : 0));
    },
    store(): SeenStore {
      return {
        awayReason,
        ageMs: heard === null ? null : Math.round(stopwatch() - heard.atMs),
        latencyMs: latencies[0] ?? null,
        quickestMs: quickestMs(),
        ...server,
        restartSeenMs,
      };
    },
    start() {
      stop = repeat(
        0,
        async () => {
          if (!isStopped) await report();
          return everyMs;
        },
        after,
      );
    },
    /** The others need not wait to know that it has ended. */
    async stop(): Promise<void> {
      isStopped = true;
      await stop?.();
      // Nobody waits for a store that was away a moment ago.
      if (awayReason === null) await store.remove(id).catch(() => undefined);
    },
  };
}

function replaces(process: SeenProcess, other: SeenProcess): boolean {
  return !process.isGone && other.isGone && isLater(process, other);
}

/** Whether it was started at the place of the other. */
function isLater({ self }: Pick<SeenProcess, "self">, other: Pick<SeenProcess, "self">): boolean {
  return self.name === other.self.name && self.started_ms > other.self.started_ms;
}
