import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { createRounds, type Rounds } from "../lib/rounds.ts";
import { isInterruption, type RoomState, type WaitingRooms } from "../room/index.ts";
import { isHealthy } from "./is-healthy.ts";

/** A room, as far as its health matters. */
export interface ProbedRoom {
  readonly id: string;
  readonly state: Pick<RoomState, "settings" | "flowMs" | "healthReportedMs"> | null;
  /** When `state` was synced, by this process's clock, in milliseconds. */
  readonly refreshedMs: number;
  readonly operations: { reportHealth(isHealthy: boolean): Promise<void> };
}

export interface HealthProbesOptions {
  readonly rooms: { readonly all: readonly ProbedRoom[]; readonly events: Pick<WaitingRooms["events"], "emit"> };
  readonly clock: Clock;
  /** For jitter. */
  readonly random: Pick<Random, "fraction">;
  /** Default: Node's own. */
  readonly fetch?: typeof fetch;
}

export type HealthProbes = Rounds;

/** Milliseconds until the next look at a room whose state is unknown. */
const unknownStateMs = 1_000;
/** Milliseconds until the next look at a room without a gate: another process's file may bring one. */
const noGateMs = 5_000;
/** A report younger than this part of the interval, from whichever process, serves for all. */
const freshPart = 0.9;

/**
 * Asks the health URL of each room that has one, about once an interval in all: each process looks once an interval,
 * and skips where another one has reported lately. So the first process goes on, and when it ends, the next one to look
 * takes over.
 */
export function createHealthProbes(options: HealthProbesOptions): HealthProbes {
  const { rooms, clock, random, fetch: ask = fetch } = options;
  const onFailure = (room: ProbedRoom, error: unknown) => rooms.events.emit("room.failed", { room: room.id, error });

  /** Asks if it is time to, and answers after how many milliseconds to look again. */
  const look = async (room: ProbedRoom, stopping: AbortSignal): Promise<number> => {
    const { state } = room;
    if (state === null) return unknownStateMs;
    const { gate } = state.settings.effective.inlet;
    if (gate === null) return noGateMs;
    // The state is up to a second old; its clock has gone on meanwhile.
    const flowMs = state.flowMs + Math.max(0, clock.now() - room.refreshedMs);
    const isFresh = flowMs - state.healthReportedMs < freshPart * gate.intervalMs;
    if (isFresh) return gate.intervalMs;
    const healthy = await isHealthy(ask, gate.healthUrl, gate.timeoutMs, stopping);
    if (!stopping.aborted) await report(room, healthy);
    return gate.intervalMs;
  };

  const report = async (room: ProbedRoom, healthy: boolean) => {
    try {
      await room.operations.reportHealth(healthy);
    } catch (error) {
      if (!isInterruption(error)) onFailure(room, error);
    }
  };

  return createRounds({ rooms: () => rooms.all, random, look, onFailure });
}
