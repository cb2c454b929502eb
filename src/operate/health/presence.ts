import { StoreUnavailableError } from "../../lib/errors.ts";
import { type After, repeat } from "../../lib/repeat.ts";
import type { ProcessStore, ServerFacts, ServerFinding } from "../../store/contract/shared.ts";
import { type ProcessSelf, readProcessSelf } from "./process-self.ts";

/** A process as it was last heard of. */
export interface SeenProcess {
  readonly id: string;
  readonly self: ProcessSelf;
  /** Now of the store. */
  readonly seenMs: number;
  /** It has said nothing for longer than any that runs. */
  readonly isMissing: boolean;
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

export type Presence = ReturnType<typeof createPresence>;

/** One call of the store for each process in this time. */
const everyMs = 3_000;
/** Of the store's clock: two reports in a row were lost, and the third is late. */
const missingAfterMs = 10_000;
const latenciesMax = 5;

/** Says every few seconds how this process is, and hears how all are. */
export function createPresence(options: {
  readonly store: ProcessStore;
  /** Of this process alone. */
  readonly id: string;
  readonly describe: (quickestMs: number | null) => ProcessSelf;
  readonly stopwatch?: () => number;
  readonly after?: After;
}) {
  const { store, id, describe, stopwatch = () => performance.now(), after } = options;
  let lastReply: {
    nowMs: number;
    atMs: number;
    rows: readonly (Omit<SeenProcess, "isMissing"> & { text: string })[];
  } | null = null;
  let server: Pick<SeenStore, "server" | "findings"> = { server: null, findings: [] };
  let restartSeenMs: number | null = null;
  let awayReason: string | null = null;
  let latencies: readonly number[] = [];
  /** Since then others could be heard without a break, now of the store. */
  let connectedSinceMs = 0;
  let stop: (() => Promise<void>) | undefined;
  let isStopped = false;

  const quickestMs = () => (latencies.length === 0 ? null : Math.min(...latencies));

  async function report(): Promise<void> {
    const sentMs = stopwatch();
    try {
      const reply = await store.report(id, JSON.stringify(describe(quickestMs())));
      const answeredMs = stopwatch();
      latencies = [Math.round((answeredMs - sentMs) * 10) / 10, ...latencies].slice(0, latenciesMax);
      if (awayReason !== null || lastReply === null) connectedSinceMs = reply.nowMs;
      awayReason = null;
      const isAnother = server.server !== null && reply.server !== null && server.server.runId !== reply.server.runId;
      if (isAnother && reply.isMoved !== true) restartSeenMs = reply.nowMs;
      server = { server: reply.server, findings: reply.findings };
      const parsed = new Map(lastReply?.rows.map((row) => [row.text, row.self]));
      const rows = reply.processes.map((row) => ({
        id: row.id,
        seenMs: row.reportedMs,
        text: row.text,
        self: parsed.get(row.text) ?? readProcessSelf(row.text),
      }));
      lastReply = { nowMs: reply.nowMs, atMs: answeredMs, rows };
      await forgetReplaced(lastReply);
    } catch (error) {
      awayReason = error instanceof StoreUnavailableError ? error.reason : String(error);
    }
  }

  function allSeen(): SeenProcess[] {
    if (lastReply === null) return [];
    const { nowMs, rows } = lastReply;
    return rows.map((row) => {
      const quietMs = nowMs - Math.max(row.seenMs, connectedSinceMs);
      return { id: row.id, self: row.self, seenMs: row.seenMs, isMissing: quietMs > missingAfterMs };
    });
  }

  /** Else the one before would come to light again when this one has ended. Where it runs after all, it says so again. */
  async function forgetReplaced({ nowMs, rows }: NonNullable<typeof lastReply>): Promise<void> {
    const current = rows.find((row) => row.id === id);
    for (const row of rows) {
      const isQuiet = nowMs - row.seenMs > missingAfterMs;
      if (current !== undefined && isQuiet && isLater(current, row)) await store.remove(row.id);
    }
  }

  return {
    report,
    /** All that run or were heard of in the last minutes, but for those whose place another has taken. */
    processes(): SeenProcess[] {
      const seen = allSeen();
      return seen
        .filter((process) => !seen.some((other) => replaces(other, process)))
        .toSorted((a, b) => (a.self.name < b.self.name ? -1 : a.self.name > b.self.name ? 1 : 0));
    },
    store(): SeenStore {
      return {
        awayReason,
        ageMs: lastReply === null ? null : Math.round(stopwatch() - lastReply.atMs),
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
  return !process.isMissing && other.isMissing && isLater(process, other);
}

/** Whether it was started at the place of the other. */
function isLater({ self }: Pick<SeenProcess, "self">, other: Pick<SeenProcess, "self">): boolean {
  return self.name === other.self.name && self.started_ms > other.self.started_ms;
}
