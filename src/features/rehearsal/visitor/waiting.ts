import { createStatusReader, type StatusReader } from "../../../room/public-status/pace.ts";
import {
  blurMs,
  countAhead,
  doorPauseMs,
  entryPauseMs,
  estimateWait,
  failedClaimPauseMs,
  firstPollMs,
  isDrawOver,
  isLaterStatus,
  isServed,
  pollForDrawMs,
  pollForOpeningMs,
  pollPauseMs,
  presenceEveryMs,
  retryAfterMs,
  sampleRank,
  staleMs,
  statusAgeMs,
  statusPauseMs,
  timeoutMs,
} from "../../../room/public-status/pacing.ts";
import type { WaitingPage } from "./navigate.ts";
import type { WebAnswer } from "./web.ts";
import { askJson, type Visitor, type World } from "./world.ts";

/** Why the page is left: `turn` and `page`, it asks for itself, as it is the visitor's turn or the server has another page; `reload`, its visitor does. */
export type Leaving = "turn" | "page" | "reload" | "over";

/** A tab, over its pages. */
export interface Tab {
  /** When its visitor loads the page again; Infinity: never. */
  reloadsAtMs: number;
  /** How often in a row it asked for itself in vain, and when last. */
  entries: number;
  enteredMs: number;
}

/** GET …/tickets/me and POST …/tickets/me/claim, as far as the page reads them. */
interface PlaceReply {
  readonly state: string;
  readonly position: number | null;
  readonly held_by?: string | null;
  readonly poll_after_ms: number;
}

const retryAfterOf = ({ headers }: WebAnswer) => retryAfterMs(headers["retry-after"], Date.parse(headers.date ?? ""));

/** Asks as a page does. `status` is null where something else has answered in the room's place, or nothing. */
async function askStatus(visitor: Visitor, world: World, read: StatusReader) {
  let reply = null as Awaited<ReturnType<typeof askJson<unknown>>>;
  const status = await read(async (path) => {
    reply = await askJson(visitor, world, "status", path, { timeoutMs });
    return reply?.json;
  }).catch(() => null);
  return { status, reply };
}

/** Polls as the waiting page does, until there is something else to see. */
export async function waitAt(visitor: Visitor, world: World, tab: Tab, page: WaitingPage): Promise<Leaving> {
  const { chance, nowMs } = world;
  if (page.state === "held") return claimAtDoor(visitor, world, tab, page);
  let { position, ahead, poll, isUndrawn, state } = page;
  let wait = page.pace && estimateWait(page.pace, ahead);
  let opensInMs: number | null = null;
  let people = position;
  const read = createStatusReader("/status", world.sleep, chance);
  let failures = 0;
  let presenceMs = nowMs() + presenceEveryMs;
  let presenceShare = 0;
  let isMoving = true;
  let pauseMs = firstPollMs(poll, nextMs(), chance);
  for (;;) {
    const untilMs = Math.min(nowMs() + pauseMs, tab.reloadsAtMs);
    for (; presenceMs < untilMs; presenceMs += presenceEveryMs) {
      if (sampleRank(position) >= presenceShare) continue;
      await world.sleep(presenceMs - nowMs());
      if (world.isOver() || visitor.hasGivenUp) return "over";
      await askJson(visitor, world, "place", "/tickets/me", { timeoutMs });
    }
    await world.sleep(untilMs - nowMs());
    if (world.isOver() || visitor.hasGivenUp) return "over";
    if (nowMs() >= tab.reloadsAtMs) return "reload";
    const { reply, status } = await askStatus(visitor, world, read);
    if (status === null) {
      failures++;
      pauseMs = statusPauseMs(poll.floor_ms, failures, reply === null ? 0 : retryAfterOf(reply.answer), chance);
      continue;
    }
    failures = 0;
    ({ poll, waiting: people } = status);
    if (status.edition !== page.edition) return enter("page");
    ahead = countAhead(position, status);
    wait = estimateWait(status.pace, ahead);
    isMoving = status.phase === "open" && status.availability !== "away";
    presenceShare = status.presence_share;
    // By the server's own clock.
    opensInMs = status.opens_at === null ? null : Date.parse(status.opens_at) - Date.parse(status.updated_at);
    if (isUndrawn && isDrawOver(status)) {
      const place = (await askJson<PlaceReply>(visitor, world, "place", "/tickets/me", { timeoutMs }))?.json;
      if (place?.position !== undefined && place.position !== null && place.state !== "entered") {
        isUndrawn = false;
        position = place.position;
        visitor.place = { edition: page.edition, position, isUndrawn };
        ahead = countAhead(position, status);
      }
    }
    const { phase } = status;
    // The page shows old numbers, and does nothing by them.
    const isFresh = statusAgeMs(Date.parse(status.updated_at), Date.parse(reply?.answer.headers.date ?? "")) <= staleMs;
    if (isFresh && (phase === "ended" || phase === "idle")) {
      await world.sleep(poll.spread_ms * chance());
      return enter("page");
    }
    if (isFresh && isServed(status, position, isUndrawn)) return enter("turn");
    if (isFresh || phase === "paused") {
      state = phase === "prequeue" ? "entered" : isUndrawn && phase === "open" ? "drawing" : "waiting";
    }
    tab.entries = 0;
    pauseMs = nextMs();
  }

  function nextMs(): number {
    if (isUndrawn) return pollForDrawMs(poll, state === "drawing", people, opensInMs, chance);
    if (state !== "entered") return pollPauseMs(poll, ahead, isMoving ? wait : null, chance);
    return pollForOpeningMs(poll, ahead, wait, opensInMs, chance);
  }

  /** The page asks for itself: at once, and ever more slowly while that leads nowhere. */
  async function enter(why: "turn" | "page"): Promise<Leaving> {
    const restMs = tab.entries === 0 ? 0 : tab.enteredMs + entryPauseMs(tab.entries) - nowMs();
    await world.sleep(Math.max(0, restMs) + blurMs * chance());
    if (world.isOver() || visitor.hasGivenUp) return "over";
    tab.entries++;
    tab.enteredMs = nowMs();
    return why;
  }
}

/** A held place claims, and its page stays. */
async function claimAtDoor(visitor: Visitor, world: World, tab: Tab, page: WaitingPage): Promise<Leaving> {
  const { chance, stage } = world;
  let failures = 0;
  let pauseMs = page.retryMs;
  for (;;) {
    await world.sleep(pauseMs + blurMs * chance());
    if (world.isOver() || visitor.hasGivenUp) return "over";
    const headers = { origin: stage.issuer, "sec-fetch-site": "same-origin" };
    const request = { method: "POST", headers, timeoutMs } as const;
    const response = await askJson<PlaceReply>(visitor, world, "claim", "/tickets/me/claim", request);
    if (response === null || isLaterStatus(response.answer.status)) {
      failures++;
      pauseMs = failedClaimPauseMs(failures, response === null ? 0 : retryAfterOf(response.answer));
      continue;
    }
    failures = 0;
    const reply = response.json;
    if (typeof reply?.held_by !== "string") {
      tab.entries++;
      tab.enteredMs = world.nowMs();
      if (reply?.state !== "admitted") await world.sleep(entryPauseMs(tab.entries));
      return "page";
    }
    pauseMs = doorPauseMs(reply.poll_after_ms);
  }
}
