import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { createRounds, type Rounds } from "../lib/rounds.ts";
import { isInterruption, type RoomState, type WaitingRooms } from "../room/index.ts";
import { isHealthy } from "./is-healthy.ts";

/** A room, as far as its site's latency matters. */
export interface LoadProbedRoom {
  readonly id: string;
  readonly state: Pick<RoomState, "settings" | "flowMs" | "adaptive"> | null;
  /** When `state` was synced, by this process's clock, in milliseconds. */
  readonly refreshedMs: number;
  readonly operations: { reportProbe(latencyMs: number | null): Promise<void> };
}

export interface LoadProbesOptions {
  readonly rooms: { readonly all: readonly LoadProbedRoom[]; readonly events: Pick<WaitingRooms["events"], "emit"> };
  readonly clock: Clock;
  /** For jitter. */
  readonly random: Pick<Random, "fraction">;
  /** Milliseconds, by a clock that nobody sets. Default: Node's own. */
  readonly stopwatch?: () => number;
  /** Default: Node's own. */
  readonly fetch?: typeof fetch;
}

/** Milliseconds until the next look at a room whose state is unknown, and at one without a probe. */
const unknownStateMs = 1_000;
const noProbeMs = 5_000;
/** A report younger than this part of the interval, from whichever process, serves for all. It comes when the answer does. */
const freshPart = 0.5;

/**
 * Measures how long the site of each room with an `adaptive` inlet and a probe takes to begin its answer, once or twice an interval in
 * all, as the gates ask for its health. An answer but 200 to 299, or none in time, is an error and no latency.
 */
export function createLoadProbes(options: LoadProbesOptions): Rounds {
  const { rooms, clock, random, stopwatch = () => performance.now(), fetch: ask = fetch } = options;

  const look = async (room: LoadProbedRoom, stopping: AbortSignal): Promise<number> => {
    const { state } = room;
    if (state === null) return unknownStateMs;
    const { probe } = state.settings.effective.inlet;
    if (!probe || state.adaptive === undefined) return noProbeMs;
    // The state is up to a second old; its clock has gone on meanwhile.
    const flowMs = state.flowMs + Math.max(0, clock.now() - room.refreshedMs);
    const startedMs = stopwatch();
    if (flowMs - state.adaptive.probedMs >= freshPart * probe.intervalMs) {
      const isWell = await isHealthy(ask, probe.url, probe.timeoutMs, stopping, "usher-load");
      const latencyMs = stopwatch() - startedMs;
      if (!stopping.aborted) await report(room, isWell ? Math.round(latencyMs * 10) / 10 : null);
    }
    // From one beginning to the next, so that a slow site is asked as often as a quick one.
    return Math.max(0.1 * probe.intervalMs, probe.intervalMs - (stopwatch() - startedMs));
  };

  const onFailure = (room: LoadProbedRoom, error: unknown) =>
    rooms.events.emit("room.failed", { room: room.id, error });

  const report = async (room: LoadProbedRoom, latencyMs: number | null) => {
    try {
      await room.operations.reportProbe(latencyMs);
    } catch (error) {
      if (!isInterruption(error)) onFailure(room, error);
    }
  };

  return createRounds({ rooms: () => rooms.all, random, look, onFailure });
}
