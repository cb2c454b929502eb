/**
 * What Usher asks the protected sites: the health URLs of the rooms' gates, and the latency of those of `adaptive`
 * inlets. It reports the results to the rooms; the store decides what follows. Made by app.ts, used by nothing else.
 */
import { statusOf } from "../lib/bounded-fetch.ts";
import type { Clock, Random } from "../lib/clock-and-random.ts";
import { createRounds, type Rounds } from "../lib/rounds.ts";
import { type RoomState, unlessInterrupted, type WaitingRooms } from "../room/index.ts";

type ProbedState = Pick<RoomState, "settings" | "flowMs" | "healthReportedMs" | "adaptive">;

/** A room, as far as probes need it. */
interface ProbedRoom {
  readonly id: string;
  readonly state: ProbedState | null;
  /** When `state` was synced, by this process's clock, in milliseconds. */
  readonly refreshedMs: number;
  readonly operations: {
    reportHealth(latencyMs: number | null): Promise<void>;
    reportProbe(latencyMs: number | null): Promise<void>;
  };
}

interface ProbesOptions {
  readonly rooms: { readonly all: readonly ProbedRoom[]; readonly events: Pick<WaitingRooms["events"], "emit"> };
  readonly clock: Clock;
  /** For jitter. */
  readonly random: Pick<Random, "fraction">;
  /** Milliseconds, by a clock that nobody sets. Default: Node's own. */
  readonly stopwatch?: () => number;
  /** Default: Node's own. */
  readonly fetch?: typeof fetch;
}

/** What a room wants to have asked. Times in milliseconds. */
interface Probe {
  readonly url: string;
  readonly timeoutMs: number;
  readonly intervalMs: number;
  /** Of the last report, from whichever process, by the room's flow clock. */
  readonly reportedMs: number;
}

interface ProbeKind {
  readonly userAgent: string;
  /** A report younger than this part of the interval serves for all processes. */
  readonly freshPart: number;
  /** Null where the room has none. */
  probeOf(state: ProbedState): Probe | null;
  /** @param latencyMs null where the site is not well */
  report(room: ProbedRoom, latencyMs: number | null): Promise<void>;
  /** Milliseconds from the end of a look, which took so long, to the next. */
  pauseMs(intervalMs: number, tookMs: number): number;
}

/** Milliseconds until the next look at a room whose state is unknown. */
const unknownStateMs = 1_000;
/** Milliseconds until the next look at a room without a probe: another process's file may bring one. */
const noProbeMs = 5_000;

/**
 * Asks the health URL of each room that has one, about once an interval in all: each process looks once an interval,
 * and skips where another one has reported lately. So the first process goes on, and when it ends, the next one to look
 * takes over.
 */
export function createHealthProbes(options: ProbesOptions): Rounds {
  return createProbes(options, {
    userAgent: "usher-health",
    freshPart: 0.9,
    probeOf({ settings, healthReportedMs }) {
      const { gate } = settings.effective.inlet;
      return gate && { ...gate, url: gate.healthUrl, reportedMs: healthReportedMs };
    },
    report: (room, latencyMs) => room.operations.reportHealth(latencyMs),
    pauseMs: (intervalMs) => intervalMs,
  });
}

/**
 * Measures how long the site of each room with an `adaptive` inlet and a probe takes to begin its answer, once or twice an interval in
 * all, as the gates ask for its health. An answer but 200 to 299, or none in time, is an error and no latency.
 */
export function createLoadProbes(options: ProbesOptions): Rounds {
  return createProbes(options, {
    userAgent: "usher-load",
    // The report comes when the answer does.
    freshPart: 0.5,
    probeOf({ settings, adaptive }) {
      const { probe } = settings.effective.inlet;
      return probe && adaptive ? { ...probe, reportedMs: adaptive.probedMs } : null;
    },
    report: (room, latencyMs) => room.operations.reportProbe(latencyMs),
    // From one beginning to the next, so that a slow site is asked as often as a quick one.
    pauseMs: (intervalMs, tookMs) => Math.max(0.1 * intervalMs, intervalMs - tookMs),
  });
}

function createProbes(options: ProbesOptions, kind: ProbeKind): Rounds {
  const { rooms, clock, random, stopwatch = () => performance.now(), fetch: ask } = options;
  const onFailure = (room: ProbedRoom, error: unknown) => rooms.events.emit("room.failed", { room: room.id, error });

  /** Asks if it is time to, and answers after how many milliseconds to look again. */
  async function look(room: ProbedRoom, stopping: AbortSignal): Promise<number> {
    const { state } = room;
    if (state === null) return unknownStateMs;
    const probe = kind.probeOf(state);
    if (probe === null) return noProbeMs;
    const startedMs = stopwatch();
    // The state is up to a second old; its clock has gone on meanwhile.
    const flowMs = state.flowMs + Math.max(0, clock.now() - room.refreshedMs);
    if (flowMs - probe.reportedMs >= kind.freshPart * probe.intervalMs) {
      const isWell = await isHealthy(probe, stopping, kind.userAgent, ask);
      const latencyMs = isWell ? Math.round((stopwatch() - startedMs) * 10) / 10 : null;
      const report = stopping.aborted ? Promise.resolve() : kind.report(room, latencyMs);
      await unlessInterrupted(report).catch((error: unknown) => onFailure(room, error));
    }
    return kind.pauseMs(probe.intervalMs, stopwatch() - startedMs);
  }

  return createRounds({ rooms: () => rooms.all, random, look, onFailure });
}

/** Whether a GET of the URL is answered with 200…299 in time. A redirect is none: it may lead to a page that says that the site is down. */
export async function isHealthy(
  { url, timeoutMs }: Pick<Probe, "url" | "timeoutMs">,
  stopping: AbortSignal,
  userAgent: string,
  ask?: typeof fetch,
): Promise<boolean> {
  // A connection of its own: one that is kept open says nothing of a site that takes no new ones.
  const headers = { accept: "*/*", connection: "close", "user-agent": userAgent };
  try {
    return (await statusOf(url, { headers }, timeoutMs, stopping, ask)).ok;
  } catch {
    // Refused, reset, timed out, no such name, no HTTP: whatever it is, the site did not say that it is well.
    return false;
  }
}
