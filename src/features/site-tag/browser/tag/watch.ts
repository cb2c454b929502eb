/**
 * `usher.watch()`: how a room is, asked once for all who want to know, no more often than its status says, and only while somebody
 * looks. No page of another origin may read what a server asks for in `Retry-After`, so this is simpler than what our own pages do.
 */
import { backoffMsMax, overdueMs } from "../../../../room/public-status/pacing.ts";
import type { RoomStatus } from "../../../../room/public-status/status.ts";
import { ask, backoffMs, isNumber, spread } from "./answers.ts";
import { after, cancel, deviceMs, math, tree } from "./browser.ts";
import { failuresBefore, pauseMsMax, pauseMsMin } from "./limits.ts";
import { type RoomChoice, roomUrl } from "./room.ts";

export interface RoomNews {
  /** The phase, or `sold_out`: then `status.phase` is `paused` where visitors may join and wait for what is returned. */
  state: string;
  /** Nobody is let in yet. */
  early: boolean;
  /** When the doors open, on this device's clock; 0 where that is not to come, no time is set, or the server's time is not known. */
  readonly opens: number;
  status: RoomStatus;
}

type Take = (news: RoomNews) => void;
type Join = (take: Take) => () => void;

const lines: Record<string, Join> = {};

/** @returns what ends it. @throws TypeError see `roomUrl` */
export const watch = (choice: RoomChoice, take: Take): (() => void) => {
  const url = roomUrl(choice);
  lines[url] ??= createLine(url);
  return lines[url](take);
};

const createLine = (url: string): Join => {
  const takers = new Set<Take>();
  let news: RoomNews | undefined;
  /** 0 while nothing is planned, below it while an answer is on its way. */
  let timer = 0;
  let failures = 0;
  /** From this page's own clock, which runs evenly, to the server's; none until that is known. */
  let aheadMs!: number;
  /** Milliseconds until a moment; NaN for none, and while nobody has said what time it is. */
  const leftMs = (time: string | null | false) => Date.parse(time as string) - aheadMs - performance.now();

  const askNow = async () => {
    cancel(timer);
    timer = 0;
    if (!takers.size || tree.hidden) return;
    timer = -1;
    let pauseMs: number;
    try {
      const status: RoomStatus = await (await ask(`${url}/status`)).json();
      const {
        phase,
        poll: { floor_ms, ceiling_ms, spread_ms },
      } = status;
      if (typeof phase !== "string" || ![floor_ms, ceiling_ms, spread_ms].every(isNumber)) throw 0;
      // Of a store that is away the time is old.
      if (status.availability === "ready") {
        aheadMs = 0;
        aheadMs = leftMs(status.updated_at);
      }
      const isIdle = phase === "idle";
      const early = isIdle || phase === "prequeue";
      const opensAt = early && status.opens_at;
      news = {
        // By its stock, or by its message.
        state: [status.phase_reason, status.message_severity].find((word) => word === "sold_out") ?? phase,
        early,
        // By the device's clock as it is when it is read.
        get opens() {
          return deviceMs() + leftMs(opensAt) || 0;
        },
        status,
      };
      failures = 0;
      // Nobody here waits for a place: the slowest pace will do, but for what has a time.
      const pausesMs = [opensAt, isIdle && status.prequeue_at]
        .map(leftMs)
        .map((ms) => (ms > -overdueMs ? (ms > 0 ? ms : floor_ms) + spread_ms * math.random() : pauseMsMax));
      pauseMs = math.max(pauseMsMin, math.min(spread(ceiling_ms), ...pausesMs));
      for (const take of takers) take(news);
    } catch {
      pauseMs = backoffMs(++failures + failuresBefore, backoffMsMax);
    }
    timer = after(askNow, pauseMs);
  };

  tree.addEventListener("visibilitychange", () => {
    // After a failure the next question comes in its own time.
    if (!(timer < 0 || (timer && failures))) askNow();
  });
  return (take) => {
    takers.add(take);
    if (news) take(news);
    if (!timer) askNow();
    return () => takers.delete(take);
  };
};
