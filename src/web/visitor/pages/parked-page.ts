/** The answer to a visitor who waits: the page of the room's state with the visitor's own figures in it, or the same as JSON. */
import type { Context } from "koa";
import type { ThemeConfig, WordsInLanguage } from "../../../config/index.ts";
import { acceptsJsonOnly } from "../../../lib/request.ts";
import type { GateResponder } from "../../../oidc/index.ts";
import {
  type DeferredClaim,
  drawOf,
  paceOf,
  pollGuidanceOf,
  type RoomState,
  reportedPlace,
  stateFor,
  type WaitingRoom,
} from "../../../room/index.ts";
import { sampleRank } from "../../../room/public-status/pacing.ts";
import { robotsTag, strictTransportOf } from "../../middleware/answer-headers.ts";
import type {
  Accept,
  Pages,
  RenderedWaitingPage,
  WaitingState,
  WaitingView,
  WhileWaitingOffer,
} from "../../pages/index.ts";
import { drawJson, revisionOf, stockJson } from "../../pages/render/status-json.ts";
import { placeStatusJson } from "../place-status-json.ts";
import type { Programs } from "../programs.ts";
import { onwardOf } from "./gate-notices.ts";
import type { PageThemes } from "./page-request.ts";

/** Of every page and all JSON. */
const jsonHeaders = { "Cache-Control": "no-store", [robotsTag[0]]: robotsTag[1], "X-Content-Type-Options": "nosniff" };

/** Of every page. @param issuer with https, pages tell browsers to stay with it (HSTS) */
export function pageHeadersOf(issuer: string): Readonly<Record<string, string>> {
  return {
    ...jsonHeaders,
    "Content-Type": "text/html; charset=utf-8",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    Vary: "Accept, Accept-Encoding, Accept-Language, Cookie",
    "X-Frame-Options": "DENY",
    ...strictTransportOf(issuer),
  };
}

/** The value of `Retry-After`: whole seconds (RFC 9110, section 10.2.3), and at least one. */
export const toRetryAfter = (ms: number) => String(Math.max(1, Math.ceil(ms / 1_000)));

/** What JSON and pages are written into: oidc-provider's context is one of its own. */
type Answer = Pick<Context, "body" | "set" | "status" | "type">;

export function sendJson(ctx: Answer, status: number, body: object, retryMs?: number): void {
  ctx.status = status;
  ctx.set(jsonHeaders);
  if (retryMs !== undefined) ctx.set("Retry-After", toRetryAfter(retryMs));
  // Replaces the HTML type that oidc-provider sets.
  ctx.type = "json";
  ctx.body = body;
}

export function createParkedAnswer({
  pages,
  headers,
  themes,
  acceptOf,
  programs,
}: {
  readonly pages: Pick<Pages, "waitingInPieces">;
  readonly headers: Readonly<Record<string, string>>;
  readonly themes: Pick<PageThemes, "ofVisit">;
  readonly acceptOf: (ctx: Context, room?: string) => Accept;
  readonly programs: Programs;
}): GateResponder["parked"] {
  /** By turns name and value, as `writeHead` takes them fastest. */
  const listedHeaders = Object.entries(headers).flat();
  const viewOf = createViewCache();

  return (ctx, room, { ticket, state, retryMs, deferred, cookies, clientId }) => {
    room.recordPage(ticket, sampleRank(ticket.position));
    if (acceptsJsonOnly(ctx.headers)) {
      if (cookies.length > 0) ctx.append("Set-Cookie", [...cookies]);
      const reported = { ...reportedPlace(room, ticket), ...(deferred !== null && { ahead: deferred.rank }) };
      const json = placeStatusJson(reported, retryMs);
      const waiting = { room, place: reported, retryMs: json.poll_after_ms, error: null };
      const members = programs.get(room.id)?.members(ctx, waiting);
      sendJson(ctx, room.settings.waitingStatus, { ...json, ...members }, json.poll_after_ms);
      return;
    }
    // The counters on the page are those of the state, and so is what is reckoned from them.
    const place = reportedPlace(room, ticket, room.reportedState ?? undefined);
    const estimate = place.estimate === null ? null : { lowSec: place.estimate.low, highSec: place.estimate.high };
    const ahead = deferred === null ? place.ahead : deferred.rank;
    const { position, entry, entries } = place;
    const figures = { position, entry, entries, ahead, estimate, retryMs, edition: ticket.edition };
    const theme = themes.ofVisit(ctx, room.id, clientId);
    const draw = drawOf(place);
    const isDrawing =
      draw === "undrawn" && room.state?.phase === "open" && (state === "entered" || state === "waiting");
    const lineState = stateFor(room, ticket);
    const isSoldOut = state === "paused" && lineState?.phaseReason === "sold_out";
    const viewState = isDrawing ? "drawing" : isSoldOut ? "sold_out" : state;
    const view = viewOf(room, lineState, viewState, deferred, theme, draw);
    const page = pages.waitingInPieces(view, figures, acceptOf(ctx, room.id));
    send(ctx, room.settings.waitingStatus, page, cookies, retryMs ?? place.pollAfterMs);
  };

  /** Writes the page itself, headers and all at once: this is the hot path, and Koa has nothing to add to it. */
  function send(
    ctx: Context,
    status: number,
    page: RenderedWaitingPage,
    cookies: readonly string[],
    retryMs: number,
  ): void {
    const { res } = ctx;
    const { pieces, length } = page.filled;
    const headers: (string | string[])[] = [...listedHeaders, "Content-Security-Policy", page.contentSecurityPolicy];
    headers.push("Retry-After", toRetryAfter(retryMs));
    headers.push("Content-Language", page.language, "Content-Length", String(length));
    if (page.contentEncoding !== undefined) headers.push("Content-Encoding", page.contentEncoding);
    // In one row: of a name that stands in the list repeatedly, Node.js 20 sends the last alone where there are earlier headers.
    const earlier = res.getHeader("Set-Cookie");
    if (cookies.length > 0)
      headers.push("Set-Cookie", Array.isArray(earlier) ? [...earlier, ...cookies] : [...cookies]);
    ctx.respond = false;
    res.writeHead(status, headers);
    if (ctx.method === "HEAD") return void res.end();
    // All pieces go to the system at once, header and all.
    res.cork();
    for (const piece of pieces) res.write(piece);
    res.end();
  }
}

/**
 * One view object for as long as the room's state stays, since pages are compiled once for each.
 *
 * @returns a function of the room, its state (null where nothing is known of the line), why the visitor waits, for `held` what
 * holds them back (default: the limit), how the page looks, and whether the visitor's place is drawn.
 */
export function createViewCache() {
  const views = new WeakMap<RoomState | WaitingRoom, Map<ThemeConfig | undefined, Map<string, WaitingView>>>();
  return (
    room: WaitingRoom,
    lineState: RoomState | null,
    state: WaitingState,
    deferred: DeferredClaim | null = null,
    theme?: ThemeConfig,
    draw: WaitingView["draw"] = null,
  ): WaitingView => {
    const owner = lineState ?? room.state ?? room;
    const byTheme = views.get(owner) ?? new Map<ThemeConfig | undefined, Map<string, WaitingView>>();
    views.set(owner, byTheme);
    const byReason = byTheme.get(theme) ?? new Map<string, WaitingView>();
    byTheme.set(theme, byReason);
    const heldBy = state === "held" ? (deferred?.by ?? "limit") : null;
    const isBehind = heldBy !== null && (deferred?.rank ?? 0) > 0;
    const key = `${state} ${heldBy} ${isBehind} ${draw} ${lineState !== null}`;
    const view = byReason.get(key) ?? createView(room, lineState, { state, heldBy, isBehind, theme, draw });
    byReason.set(key, view);
    return view;
  };
}

function createView(
  room: WaitingRoom,
  lineState: RoomState | null,
  variant: Pick<WaitingView, "state" | "heldBy" | "isBehind" | "draw"> & { readonly theme: ThemeConfig | undefined },
): WaitingView {
  const { schedule, timeZone, admission, stock } = room.settings;
  const { opensAtMs } = schedule;
  // A time that was carried out, or passed over, opens nothing any more.
  const isToOpen = lineState !== null && opensAtMs !== null && opensAtMs > lineState.scheduleMarkMs;
  const path = `/rooms/${room.id}`;
  const coming = variant.draw === "undrawn" ? lineState?.draws.at(-1) : undefined;
  return {
    ...variant,
    room: { id: room.id, title: room.title },
    poll: pollGuidanceOf(room.settings),
    statusUrl: `${path}/status`,
    leaveUrl: `${path}/leave`,
    drawUrl: `${path}/draw`,
    ...(lineState && coming && { drawToCome: drawJson(lineState, coming) }),
    claimUrl: `${path}/tickets/me/claim`,
    timeZone,
    isRehearsal: room.settings.rehearsal === true,
    showsPeople: room.settings.showPeople === true,
    moves: room.moveRule,
    hasPush: room.settings.push === true,
    // The room's, whatever is known of the line.
    message: room.message,
    whileWaiting: whileWaitingOffer(room, variant.theme),
    pausedReason: lineState?.phaseReason ?? null,
    ...(variant.state === "sold_out" && { onward: onwardOf(room) }),
    // Also while the shop tells none: it may while the page stands.
    ...((stock?.show ?? "nothing") !== "nothing" && { stock: lineState && stockJson(lineState) }),
    serving: lineState?.serving ?? null,
    updatedAtMs: lineState && room.refreshedMs,
    pace: lineState && paceOf(lineState),
    opensAtMs: isToOpen ? opensAtMs : null,
    ...(variant.state === "recovering" && { recoveryLeftMs: room.holdLeftMs }),
    ...(lineState && { claimWithinMs: admission.claimWithinMs }),
  };
}

/** Of the room itself, as last synced: undefined where it leaves it to the theme, null for nothing. */
export function whileWaitingOf(room: WaitingRoom): readonly WordsInLanguage[] | null | undefined {
  return room.state?.settings.effective.whileWaiting;
}

/** What the waiting page of this theme offers; undefined where neither room nor theme says anything of it. */
function whileWaitingOffer(room: WaitingRoom, theme: ThemeConfig | undefined): WhileWaitingOffer | undefined {
  const roomWords = whileWaitingOf(room);
  const ofTheme = theme?.whileWaiting ?? null;
  if (roomWords === undefined && ofTheme === null) return undefined;
  return {
    words: roomWords === undefined ? ofTheme : roomWords,
    revisions: { room: revisionOf(roomWords), theme: revisionOf(ofTheme) ?? "" },
    url: `/rooms/${room.id}/while-waiting`,
  };
}
