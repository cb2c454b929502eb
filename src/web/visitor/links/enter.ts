import type { Context } from "koa";
import { z } from "zod";
import { seeOtherAnswer } from "../../../lib/described-route.ts";
import { UsherError } from "../../../lib/errors.ts";
import { requestKindOf } from "../../../lib/request.ts";
import { type EntryRequest, freshStartMark, refusals, themeNameOf, uiLocalesOf } from "../../../oidc/index.ts";
import { hashRequest, type WaitingRoom } from "../../../room/index.ts";
import type { RoomSites } from "../../room-sites.ts";
import { gateErrors, waitingPage } from "../answers.ts";
import type { HandedOver, VisitorParts } from "../parts.ts";
import type { RoomRoutes } from "../room-routes.ts";
import { handOver, sendOn, withoutToken } from "./hand-over.ts";

/**
 * Hand-overs within this many milliseconds are one login: a page elsewhere that opens the link repeatedly does not use
 * up the visitor's logins.
 */
const oneLoginMs = 30_000;
/** A visitor may restore a window of tabs. */
const sentMax = 16;

export function addEnterRoute({ page }: RoomRoutes, parts: VisitorParts): void {
  page(
    "GET",
    "/enter",
    () => ({
      summary: "Leads into the line, and from there to a site, with an admission token.",
      query: z.object({
        target: z.string().optional(),
        ui_locales: z.string().optional(),
        theme: z.string().optional(),
        hand_over: z.string().optional(),
      }),
      answers: [...waitingPage, { ...seeOtherAnswer, description: "To the site, with `usher_token`." }],
      errors: gateErrors,
    }),
    createEnter(parts),
  );
}

/**
 * `GET …/enter?target=ADDRESS`, the link to a room: the same gate as before a login. A visitor who may enter is sent to
 * the target with an admission token, or in the way that `hand_over` names, which counts as a login.
 */
export function createEnter({ cookies, entry, steps, tokens, sitesOf, responder, handOvers }: VisitorParts) {
  return async (ctx: Context, room: WaitingRoom): Promise<void> => {
    const target = readTarget(ctx.query.target, sitesOf(room.id));
    const otherWay = readHandOver(ctx.query.hand_over, room, handOvers);
    const kind = requestKindOf(ctx.method, ctx.headers);
    if (kind !== "navigation") return responder.notice(ctx, { ...refusals[kind], room });
    const request = linkRequest(ctx, room, target, otherWay);
    const parameter = (name: string) => {
      const value = ctx.query[name];
      return typeof value === "string" ? { value, plain: request.address } : null;
    };
    for (const step of steps.beforeVisit) if ((await step({ ctx, room, parameter })) === "answered") return;
    const admission = await entry.claim(ctx, room, request);
    if (admission === null) return;
    const { login } = request;
    if (otherWay !== null) return otherWay.handOver({ ctx, room, admission, target, address: request.address });
    if (admission.via !== "away" && admission.taken?.includes(login)) return sendWithoutToken(ctx, room, login, target);
    await handOver(ctx, tokens, room, admission, { login, target });
  };

  /**
   * The token of this login is taken. A browser that took it is in at the site, and needs none in its next tab; any other comes
   * back from there, and has to wait for the next login.
   */
  function sendWithoutToken(ctx: Context, room: WaitingRoom, login: string, target: string) {
    const name = hashRequest(`${login} ${target}`);
    const sent = cookies.sent(room.id).read(ctx.req)?.split(".", sentMax) ?? [];
    const leftMs = oneLoginMs - (room.nowMs % oneLoginMs);
    if (sent.includes(name)) return responder.notice(ctx, { status: 429, code: "in_use", room, retryMs: leftMs });
    cookies.sent(room.id).set(ctx.res, [...sent, name].slice(-sentMax).join("."), Math.ceil(leftMs / 1_000));
    sendOn(ctx, withoutToken(target));
  }
}

/** What a feature takes over at the end of a link: see `HandOver`. */
interface OtherWay {
  readonly name: string;
  readonly handOver: (arrived: HandedOver) => void;
}

/** @throws UsherError `bad_request` for a way that there is not, or not into this room */
function readHandOver(value: unknown, room: WaitingRoom, handOvers: VisitorParts["handOvers"]): OtherWay | null {
  if (value === undefined) return null;
  const [name = "", key = ""] =
    typeof value === "string" ? (/^([a-z_]+)\.([a-z0-9-]+)$/.exec(value)?.slice(1) ?? []) : [];
  const handOver = handOvers.get(name)?.(key, room);
  if (handOver != null) return { name: `${name}.${key}`, handOver };
  throw new UsherError("bad_request", "the parameter hand_over names no way from this room to a site");
}

function linkRequest(ctx: Context, room: WaitingRoom, target: string, otherWay: OtherWay | null): EntryRequest {
  const uiLocales = uiLocalesOf(ctx.querystring);
  const languages = uiLocales === undefined ? "" : `&ui_locales=${encodeURIComponent(uiLocales)}`;
  const theme = themeNameOf(ctx.querystring);
  const look = theme === undefined ? "" : `&theme=${theme}`;
  const way = otherWay === null ? "" : `&hand_over=${otherWay.name}`;
  const address = `/rooms/${room.id}/enter?target=${encodeURIComponent(target)}${languages}${look}${way}`;
  const hash = hashRequest(`enter ${Math.floor(room.nowMs / oneLoginMs)}`);
  return {
    hash,
    login: hash,
    isRepeatable: true,
    address,
    isFreshStart: ctx.querystring.endsWith(`&${freshStartMark}`),
    rememberedMs: null,
    restartUri: address,
  };
}

/** @throws UsherError `unknown_target` */
function readTarget(value: unknown, { usualTarget, findTarget }: RoomSites): string {
  const target = value === undefined ? usualTarget : typeof value === "string" ? findTarget(value) : null;
  if (target !== null) return target;
  throw new UsherError("unknown_target", "the address that the link leads to is not on this room's list");
}
