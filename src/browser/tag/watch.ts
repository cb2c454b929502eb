/**
 * `usher.watch()`: how a room is, asked once for all who want to know, no more often than its status says, and only while somebody
 * looks. No page of another origin may read what a server asks for in `Retry-After`, so this is simpler than what our own pages do.
 */
import { afterOpeningMs, spread, statusPauseMs } from "../../pages/shared/pacing.ts";
import type { RoomStatus } from "../../pages/shared/status.ts";
import { readJson } from "../requests.ts";
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

const failurePauseMs = 5_000;
const lines = new Map<string, Join>();

/** @returns what ends it. @throws TypeError see `roomUrl` */
export function watch(choice: RoomChoice, take: Take): () => void {
  const url = `${roomUrl(choice)}/status`;
  const join = lines.get(url) ?? createLine(url);
  lines.set(url, join);
  return join(take);
}

function createLine(url: string): Join {
  const takers = new Set<Take>();
  let news: RoomNews | undefined;
  let timer = 0;
  let failures = 0;
  let isAsking = false;
  /** From this page's own clock, which runs evenly, to the server's; NaN until that is known. */
  let aheadMs = Number.NaN;
  /** Milliseconds until a moment; NaN for none, and while nobody has said what time it is. */
  const leftMs = (time: string | null) => Date.parse(time ?? "") - aheadMs - performance.now();

  async function ask(): Promise<void> {
    if (isAsking || takers.size === 0 || document.visibilityState === "hidden") return;
    isAsking = true;
    let pauseMs: number;
    try {
      const status = await readJson<RoomStatus>(url);
      const { phase, poll } = status;
      // Of a store that is away the time is old.
      if (status.availability === "ready") aheadMs = Date.parse(status.updated_at) - performance.now();
      const early = phase === "idle" || phase === "prequeue";
      const opensAt = early ? status.opens_at : null;
      // By its stock, or by its message.
      const isSoldOut = [status.phase_reason, status.message_severity].includes("sold_out");
      news = {
        state: isSoldOut ? "sold_out" : phase,
        early,
        // By the device's clock as it is when it is read.
        get opens() {
          return Date.now() + leftMs(opensAt) || 0;
        },
        status,
      };
      failures = 0;
      // Nobody here waits for a place: the slowest pace will do, but for what has a time.
      pauseMs = spread(poll.ceiling_ms, Math.random);
      for (const moment of [opensAt, phase === "idle" ? status.prequeue_at : null]) {
        const inMs = leftMs(moment) || null;
        pauseMs = Math.min(pauseMs, afterOpeningMs(inMs, poll.floor_ms, poll.spread_ms, Math.random));
      }
      for (const take of takers) take(news);
    } catch {
      pauseMs = statusPauseMs(failurePauseMs, ++failures, 0, Math.random);
    }
    isAsking = false;
    timer = setTimeout(ask, pauseMs);
  }

  function askNow(): void {
    // After a failure the next question comes in its own time.
    if (isAsking || failures > 0) return;
    clearTimeout(timer);
    void ask();
  }

  document.addEventListener("visibilitychange", askNow);
  return (take) => {
    takers.add(take);
    if (news) take(news);
    else askNow();
    return () => takers.delete(take);
  };
}
