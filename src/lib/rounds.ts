import type { Random } from "./random.ts";

export interface Rounds {
  start(): void;
  /** Aborts what is under way and waits for its end. */
  stop(): Promise<void>;
}

export interface RoundsOptions<Room> {
  /** As they are now: others may come and go. */
  readonly rooms: () => readonly Room[];
  /** For jitter. */
  readonly random: Pick<Random, "fraction">;
  /** Looks after one room, and answers after how many milliseconds to do so again. */
  look(room: Room, stopping: AbortSignal): Promise<number>;
  /** Told when `look` fails, unless the room has gone meanwhile. */
  onFailure(room: Room, error: unknown): void;
}

/** Milliseconds until a retry after a failure. */
const afterFailureMs = 5_000;
/** Milliseconds within which added and removed items are noticed. */
const adoptEveryMs = 1_000;

/** Looks after each room again and again, each at its own pace. */
export function createRounds<Room>({ rooms, random, look, onFailure }: RoundsOptions<Room>): Rounds {
  const stopping = new AbortController();
  const timers = new Map<Room, NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  const lookSafely = async (room: Room): Promise<number> => {
    try {
      return await look(room, stopping.signal);
    } catch (error) {
      if (rooms().includes(room)) onFailure(room, error);
      return afterFailureMs;
    }
  };

  /** Begins with those that are new, and leaves those that are gone. */
  const adopt = () => {
    const current = new Set(rooms());
    for (const room of current) if (!timers.has(room)) schedule(room, 1_000 * random.fraction());
    for (const [room, timer] of timers) {
      if (current.has(room)) continue;
      clearTimeout(timer);
      timers.delete(room);
    }
  };

  const schedule = (room: Room, delayMs: number) => {
    if (stopping.signal.aborted) return;
    const run = () => {
      const running: Promise<void> = lookSafely(room).then((nextMs) => {
        underWay.delete(running);
        if (!timers.has(room)) return;
        // Jitter keeps processes from looking in step; less than a fresh report is old.
        schedule(room, nextMs * (0.95 + 0.1 * random.fraction()));
      });
      underWay.add(running);
    };
    timers.set(room, setTimeout(run, delayMs).unref());
  };

  let adopting: NodeJS.Timeout | undefined;
  return {
    start() {
      adopt();
      adopting = setInterval(adopt, adoptEveryMs).unref();
    },
    async stop() {
      stopping.abort();
      clearInterval(adopting);
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
}
