import type { Random } from "./clock-and-random.ts";
import { repeat } from "./repeat.ts";

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
  /** What ends the looks at each room. */
  const ends = new Map<Room, () => Promise<void>>();
  const leaving = new Set<Promise<void>>();
  let adopting: NodeJS.Timeout | undefined;

  const lookSafely = async (room: Room): Promise<number> => {
    const pauseMs = await look(room, stopping.signal).catch((error: unknown) => {
      if (rooms().includes(room)) onFailure(room, error);
      return afterFailureMs;
    });
    // Jitter keeps processes from looking in step; less than a fresh report is old.
    return pauseMs * (0.95 + 0.1 * random.fraction());
  };

  /** Begins with those that are new, and leaves those that are gone. */
  const adopt = () => {
    const current = new Set(rooms());
    for (const room of current) {
      const end = ends.get(room) ?? repeat(1_000 * random.fraction(), () => lookSafely(room));
      ends.set(room, end);
    }
    for (const [room, end] of ends) if (!current.has(room)) leave(room, end);
  };

  const leave = (room: Room, end: () => Promise<void>) => {
    ends.delete(room);
    const left: Promise<void> = end().finally(() => leaving.delete(left));
    leaving.add(left);
  };

  return {
    start() {
      adopt();
      adopting = setInterval(adopt, adoptEveryMs).unref();
    },
    async stop() {
      stopping.abort();
      clearInterval(adopting);
      await Promise.all([...[...ends.values()].map((end) => end()), ...leaving]);
    },
  };
}
