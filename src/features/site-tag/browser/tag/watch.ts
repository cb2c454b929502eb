/**
 * `usher.watch()`: the status of a room, requested once for all watchers, no more often than the status itself says, and only while somebody
 * looks. No page of another origin may read a server's `Retry-After`, so this is simpler than what our own pages do.
 *
 * A captive portal, a proxy or a CDN may answer in place of the server: such an answer is thrown, as no answer is.
 */
import { backoffMsMax, overdueMs, timeoutMs } from "../../../../room/public-status/pacing.ts";
import type { RoomStatus } from "../../../../room/public-status/status.ts";
import { failuresBefore, pauseMsMax, pauseMsMin } from "./limits.ts";

/** Of the browser. Each name is written out once in what is sent, and short wherever it is used. */
export const page = window;
export const tree = document;
export const here = location;
export const math = Math;
export const after = setTimeout;
/** The device's clock, which may be wrong by years: compared with itself alone, or put right by an answer. */
export const deviceMs = Date.now;
/** Ends what `setInterval` has begun, too (HTML, 8.7 Timers). */
export const cancel = clearTimeout;

export interface RoomChoice {
  /** The id of the room. */
  room?: string | undefined;
  /** Usher's address; by default where the script came from, or its `data-issuer`. */
  issuer?: string | undefined;
}

export interface VisitOptions extends RoomChoice {
  /** Where the visitor comes back to; by default to the page at hand. The deep link is gone on to from there. */
  target?: string | undefined;
}

/** Of the element that loaded the tag: nothing where it was loaded as a module. */
export const { dataset: scriptData = {}, src: scriptSource } = (tree.currentScript ?? {}) as Partial<HTMLScriptElement>;

/** An address that may be relative to the page. */
export const resolve = (address: string | URL) => new URL(address, here as unknown as URL);

/** @throws TypeError where nobody says which room, or where Usher is */
export const roomUrl = ({ room, issuer = scriptData.issuer ?? scriptSource }: RoomChoice): string => {
  if (!room || !issuer) throw new TypeError("usher: no room or issuer");
  return `${resolve(issuer).origin}/rooms/${room}`;
};

/** Without a target the visitor comes to where the room leads to by itself. */
export const enterUrl = (choice: VisitOptions) =>
  `${roomUrl(choice)}/enter${choice.target ? `?target=${encodeURIComponent(resolve(choice.target) as unknown as string)}` : ""}`;

/** @throws where there is no connection, no answer in time, or one of another host */
export const ask = async (address: string | URL, init?: RequestInit): Promise<Response> => {
  const giveUp = new AbortController();
  // An answer that has been read by then cannot be given up any more.
  after(() => giveUp.abort(), timeoutMs);
  const response = await fetch(address, { ...init, signal: giveUp.signal });
  if (resolve(response.url).host !== resolve(address).host) throw response;
  return response;
};

/** A text of digits is none. */
export const isNumber = (value: number) => value === +value;

/** ± 30 %, as `spread` of the pages, in fewer bytes. */
export const spread = (ms: number) => ms * (0.7 + 0.6 * math.random());

/** After so many failures in a row: from a second on, twice as long each time. */
export const backoffMs = (failures: number, mostMs: number) => spread(math.min(mostMs, 1_000 * 2 ** failures));

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
