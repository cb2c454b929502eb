import { setTimeout as delay } from "node:timers/promises";
import type { RoomStatus } from "../../../src/room/public-status/status.ts";

/** Apps read more of it than pages do. */
type Status = RoomStatus & { readonly queued: number };

interface Look {
  readonly atMs: number;
  readonly status: Status;
}

/** Looks at a room's status ten times a second, until it is stopped: whether the line ever goes back, and when the room is ready. */
export function watchStatus(origin: string) {
  const looks: Look[] = [];
  let isWanted = true;
  const look = async () => {
    const status = (await (await fetch(`${origin}/rooms/line/status`)).json()) as Status;
    looks.push({ atMs: performance.now(), status });
    return status;
  };
  const watching = (async () => {
    while (isWanted) {
      await look();
      await delay(100);
    }
  })();
  return {
    /** Waits for a status; answers when it was seen. */
    async until(isIt: (status: Status) => boolean): Promise<number> {
      const deadline = performance.now() + 60_000;
      while (!isIt(await look())) {
        if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(looks.at(-1)?.status)}`);
        await delay(20);
      }
      return looks.at(-1)?.atMs ?? Number.NaN;
    },
    async stop(): Promise<{ looks: number; went_back: number }> {
      isWanted = false;
      await watching;
      const wentBack = looks.filter(({ status }, index) => {
        const before = looks[index - 1]?.status;
        return before !== undefined && (status.serving < before.serving || status.queued < before.queued);
      });
      return { looks: looks.length, went_back: wentBack.length };
    },
  };
}
