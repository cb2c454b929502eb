import type { Context } from "koa";
import type { Clock } from "../../../lib/clock.ts";
import { UsherError } from "../../../lib/errors.ts";
import {
  type AdmissionTokens,
  classifyRequest,
  comesFromPageOf,
  type EntryRequest,
  freshStartMark,
  type GateEntry,
  refusals,
  seeOther,
  uiLocalesOf,
  type VisitorCookies,
} from "../../../oidc/index.ts";
import { hashRequest, type WaitingRoom } from "../../../room/index.ts";
import type { PageResponder } from "../page-responder.ts";
import type { Targets } from "../targets.ts";
import { handOver } from "./hand-over.ts";
import { withoutToken } from "./token-parameter.ts";

export interface EnterOptions {
  readonly issuer: string;
  readonly entry: GateEntry;
  readonly cookies: VisitorCookies;
  readonly tokens: AdmissionTokens;
  readonly targetsOf: (room: string) => Targets;
  readonly responder: PageResponder;
  readonly clock: Clock;
}

/**
 * Hand-overs within this many milliseconds are one login: a page elsewhere that opens the link repeatedly does not use
 * up the visitor's logins.
 */
const oneLoginMs = 30_000;
/** A visitor may restore a window of tabs. */
const sentMax = 16;

/**
 * `GET …/enter?target=ADDRESS`, the link to a room: the same gate as before a login. A visitor who may enter is sent to
 * the target with an admission token, which counts as a login.
 */
export function createEnter({ issuer, cookies, entry, tokens, targetsOf, responder, clock }: EnterOptions) {
  return async (ctx: Context, room: WaitingRoom): Promise<void> => {
    const target = readTarget(ctx.query.target, targetsOf(room.id));
    const kind = classifyRequest(ctx.req);
    if (kind !== "navigation") {
      responder.notice(ctx, { ...refusals[kind], room });
      return;
    }
    const request = linkRequest(ctx, room, target);
    const isFromOurPage = comesFromPageOf(issuer, ctx.req);
    const visit = { ctx, request, room, isFromOurPage, newTicket: null, isCookieUnreadable: false };
    const admission = await entry.claim(visit);
    entry.keepTicket(visit);
    if (admission === null) return;
    const nowMs = nowOf(room);
    const login = request.hash;
    if (admission.taken?.includes(login)) return sendWithoutToken(ctx, room, login, target);
    await handOver(ctx, tokens, { room, admission, login, target, nowMs });
  };

  /**
   * The token of this login is taken. A browser that took it is in at the site, and needs none in its next tab; any other comes
   * back from there, and has to wait for the next login.
   */
  function sendWithoutToken(ctx: Context, room: WaitingRoom, login: string, target: string): void {
    const name = hashRequest(`${login} ${target}`);
    const sent = cookies.readSent(ctx.req, room.id)?.split(".", sentMax) ?? [];
    const leftMs = oneLoginMs - (nowOf(room) % oneLoginMs);
    if (sent.includes(name)) {
      responder.notice(ctx, { status: 429, code: "in_use", room, retryMs: leftMs });
      return;
    }
    cookies.setSent(ctx.res, room.id, [...sent, name].slice(-sentMax).join("."), Math.ceil(leftMs / 1_000));
    ctx.set("Referrer-Policy", "no-referrer");
    seeOther(ctx, withoutToken(target));
  }

  function nowOf(room: WaitingRoom): number {
    return room.storeNowMs ?? clock.now();
  }

  function linkRequest(ctx: Context, room: WaitingRoom, target: string): EntryRequest {
    const uiLocales = uiLocalesOf(ctx.querystring);
    const languages = uiLocales === undefined ? "" : `&ui_locales=${encodeURIComponent(uiLocales)}`;
    const address = `/rooms/${room.id}/enter?target=${encodeURIComponent(target)}${languages}`;
    return {
      hash: hashRequest(`enter ${Math.floor(nowOf(room) / oneLoginMs)}`),
      isRepeatable: true,
      address,
      isFreshStart: ctx.querystring.endsWith(`&${freshStartMark}`),
      rememberedMs: null,
      restartUri: address,
    };
  }
}

/** @throws UsherError `unknown_target` */
function readTarget(value: unknown, targets: Targets): string {
  const target = value === undefined ? targets.usual : typeof value === "string" ? targets.find(value) : null;
  if (target !== null) return target;
  throw new UsherError("unknown_target", "the address that the link leads to is not on this room's list", {
    status: 400,
  });
}
