import { setTimeout as sleep } from "node:timers/promises";
import { askGateway, type Gateway } from "../../operate/commands/gateway.ts";
import { getRoom, hasNumbers, type Room } from "../../operate/commands/rooms/room.ts";
import { CommandError } from "../../operate/commands/terminal.ts";

/** How the room was at a moment, by a gateway. */
export interface Sample {
  /** Milliseconds since the beginning. */
  readonly atMs: number;
  /** `held`: open, and nobody is let in after a recovery. */
  readonly phase: string;
  readonly availability: string;
  readonly waiting: number;
  readonly entered: number;
  /** In force: of the room, its share of a limit with others, or the rate of an adaptive inlet. Null: none. */
  readonly limit: number | null;
}

const everyMs = 2_000;
/** For figures of the whole rehearsal: how often to look whether they are, and how long. */
const settleEveryMs = 500;
const settleWithinMs = 15_000;
/** Processes ask the store once a second: so long after what any of them knew, all that happened is counted. */
const wholeAfterMs = 2_500;

/**
 * Looks at the room while it is rehearsed. A gateway that does not answer is one of the things that may happen.
 *
 * @param inPhase told the phase at each look
 */
export function createObserver(gateway: Gateway, before: Room, nowMs: () => number, inPhase: (phase: string) => void) {
  const samples: Sample[] = [sampleOf(before, 0)];
  const ending = new AbortController();
  let unanswered = 0;

  const look = () => getRoom(gateway, before.room).then((room) => (hasNumbers(room) ? room : null), ignoreRefusal);

  async function watch(): Promise<void> {
    while (!ending.signal.aborted) {
      await sleep(everyMs, undefined, { signal: ending.signal }).catch(() => {});
      const room = ending.signal.aborted ? null : await look();
      if (room !== null) {
        samples.push(sampleOf(room, nowMs()));
        inPhase(room.phase);
      } else if (!ending.signal.aborted) unanswered++;
    }
  }
  const watching = watch();

  return {
    samples,
    unanswered: () => unanswered,

    /** Ends the watch. The room once its figures are of what has happened by now; null where no gateway says it. */
    async finish(): Promise<Room | null> {
      ending.abort();
      await watching;
      let firstMs: number | null = null;
      const endMs = nowMs() + settleWithinMs;
      while (nowMs() < endMs) {
        const room = await look();
        if (room !== null && room.availability === "ready") {
          const updatedMs = Date.parse(room.updated_at);
          firstMs ??= updatedMs;
          if (updatedMs >= firstMs + wholeAfterMs) {
            samples.push(sampleOf(room, nowMs()));
            return room;
          }
        }
        await sleep(settleEveryMs);
      }
      return null;
    },
  };
}

function ignoreRefusal(error: unknown): null {
  if (error instanceof CommandError) return null;
  throw error;
}

function sampleOf(room: Room, atMs: number): Sample {
  const { availability, waiting, counts, outflow_limit, shared_outflow_limit, adaptive } = room;
  const limits = [outflow_limit, shared_outflow_limit, adaptive?.rate_per_minute].filter(
    (limit) => typeof limit === "number",
  );
  const entered = (counts.entered ?? 0) + (counts.passed ?? 0);
  const phase = room.phase === "open" && room.held_until !== null ? "held" : room.phase;
  return { atMs, phase, availability, waiting, entered, limit: limits.length === 0 ? null : Math.min(...limits) };
}

/** Refusals by reason since a moment, as the gateways reported them; null where they say nothing. */
export async function refusalsSince(
  gateway: Gateway,
  room: string,
  from: string,
): Promise<Record<string, number> | null> {
  const params = { path: { room }, query: { from, step: "10s" } };
  const statistics = await askGateway(gateway, (api) => api.GET("/admin/rooms/{room}/statistics", { params })).catch(
    ignoreRefusal,
  );
  if (statistics === null) return null;
  const sums: Record<string, number> = {};
  for (const { refused } of statistics.steps) {
    for (const [reason, count] of Object.entries(refused)) if (count) sums[reason] = (sums[reason] ?? 0) + count;
  }
  return sums;
}
