/**
 * What connectors send browsers to: into the line, back with a token that the site has refused, and out; and what they and apps ask.
 * Whatever comes here ends at the same gate as a link to the room: this is only another way of writing one.
 */
import { hash, timingSafeEqual } from "node:crypto";
import type { Context } from "koa";
import { z } from "zod";
import type { RoomConfig } from "../../config/index.ts";
import { seeOtherAnswer } from "../../lib/described-route.ts";
import { UsherError } from "../../lib/errors.ts";
import { opensPage, requestKindOf } from "../../lib/request.ts";
import { themeNameOf, uiLocalesOf } from "../../oidc/index.ts";
import type { WaitingRoom } from "../../room/index.ts";
import { createRouteTable, type RouteTable } from "../../web/middleware/router.ts";
import { aPage } from "../../web/visitor/answers.ts";
import { sendOn } from "../../web/visitor/links/hand-over.ts";
import { createLeave } from "../../web/visitor/links/leave.ts";
import { readTicket, type VisitorParts } from "../../web/visitor/parts.ts";
import { invitationOf, readEnqueueToken } from "./enqueue-token.ts";
import { createHandOver, createTries, handOverName, plainTarget, triesMax } from "./hand-over.ts";
import { integrationConfig } from "./integration-config.ts";
import { type ErrorKind, errorKinds, type HomeCounts } from "./metrics.ts";
import { createMobileEnqueue, enqueueAnswer, enqueueBody } from "./mobile.ts";
import { type QueueItSettings, usualPath } from "./settings.ts";
import { isSigned, queueIdOf } from "./token.ts";

export interface HomeParts {
  readonly home: QueueItSettings;
  readonly counts: HomeCounts;
  /** As the room is set by now. */
  readonly configOf: (room: string) => RoomConfig | undefined;
}

/** Of a request by a connector; it may send more, which says nothing to Usher. */
const text = z.string().optional();
const entering = { c: z.string(), e: z.string(), t: text, cid: text, l: text };
/** Of one address that cancels: as many rooms as a site may have in one integration. */
const cancelledMax = 20;
const integrationAnswer = z.record(z.string(), z.unknown());

export function queueItRoutes({ home, counts, configOf }: HomeParts, parts: VisitorParts): RouteTable {
  const { issuer, rooms, cookies, responder, handOvers, sitesOf } = parts;
  // Without a gateway, for the description, it is the usual one.
  const base = `${home.path}` || usualPath;
  const table = createRouteTable(base);
  const leave = createLeave(parts);
  const tries = createTries(cookies);
  handOvers.set(handOverName, createHandOver(home, parts, counts));

  /** @throws UsherError `unknown_room` for what this installation does not have */
  function findRoom(customer: unknown, event: unknown): { readonly eventId: string; readonly room: WaitingRoom } {
    const id = typeof event === "string" && isCustomer(customer) ? home.rooms.get(event) : undefined;
    const room = id === undefined ? undefined : rooms.get(id);
    if (room !== undefined) return { eventId: String(event), room };
    throw new UsherError("unknown_room", "there is no room of this id (in lower case) for this customer id");
  }

  function isCustomer(value: unknown): boolean {
    return typeof value === "string" && value.toLowerCase() === home.customerId.toLowerCase();
  }

  /** `GET …/?c=CUSTOMER&e=ROOM&t=TARGET`: on to the link of the room that leads there. */
  async function enter(ctx: Context): Promise<void> {
    const { c, e } = ctx.query;
    const { eventId, room } = findRoom(c, e);
    const link = await linkTo(ctx, eventId, room);
    if (opensPage(ctx.method, ctx.headers)) counts.add("sent", room.id);
    sendOn(ctx, link);
  }

  async function linkTo(ctx: Context, eventId: string, room: WaitingRoom): Promise<string> {
    const { t, cid, l, enqueuetoken } = ctx.query;
    if (t !== undefined && (typeof t !== "string" || sitesOf(room.id).findTarget(plainTarget(t)) === null))
      throw new UsherError("unknown_target", "the address that the site names (t) is not among the room's targets");
    const locales = typeof cid === "string" ? uiLocalesOf(`ui_locales=${encodeURIComponent(cid)}`) : undefined;
    const theme = typeof l === "string" ? themeNameOf(`theme=${encodeURIComponent(l)}`) : undefined;
    const invitation = await invitationIn(ctx, enqueuetoken, eventId, room);
    const query = [
      ...(t === undefined ? [] : [`target=${encodeURIComponent(plainTarget(String(t)))}`]),
      ...(locales === undefined ? [] : [`ui_locales=${encodeURIComponent(locales)}`]),
      ...(theme === undefined ? [] : [`theme=${theme}`]),
      `hand_over=${handOverName}.${eventId}`,
      ...(invitation === null ? [] : [`invitation=${invitation}`]),
    ];
    return `/rooms/${room.id}/enter?${query.join("&")}`;
  }

  /** What the gate then checks: an enqueue token that is no good becomes an invitation that is none. */
  async function invitationIn(
    ctx: Context,
    token: unknown,
    eventId: string,
    room: WaitingRoom,
  ): Promise<string | null> {
    const invitations = configOf(room.id)?.invitations ?? null;
    if (token === undefined || token === "" || invitations === null) return null;
    const { nowMs } = room;
    const expected = { customerId: home.customerId, eventId, nowMs, address: ctx.state.clientAddress() };
    const good = typeof token === "string" ? readEnqueueToken(token, home.secretKeys, expected) : null;
    if (good === null) return "invalid";
    return invitationOf(good, { room: room.id, invitations, issuer, nowMs });
  }

  /**
   * `GET …/error/KIND/…`: the site has refused the visitor's token. A browser that keeps cookies gets a fresh one, three times at most;
   * then a page says that it does not work. Only a token of ours counts as refused: anybody can open the address.
   */
  async function refused(ctx: Context, kind: ErrorKind): Promise<void> {
    const { c, e, queueittoken } = ctx.query;
    const { eventId, room } = findRoom(c, e);
    const isOfRoom = kind === "eventid" || String(queueittoken).startsWith(`e_${eventId}~`);
    if (isOfRoom && isSigned(queueittoken, home.secretKeys, room.nowMs)) counts.add(kind, room.id);
    const restartUri = await linkTo(ctx, eventId, room);
    const mayTry =
      requestKindOf(ctx.method, ctx.headers) === "navigation" && readTicket(ctx, room, cookies).kind === "ticket";
    if (mayTry && tries.add(ctx, room, "refused", triesMax.refused)) return sendOn(ctx, restartUri);
    responder.notice(ctx, { status: 200, code: "too_many_restarts", room, restartUri });
  }

  /** @param queueIds the visitor's, if the address names them: another visitor's ends nothing */
  async function cancel(
    ctx: Context,
    places: readonly { eventId: string; queueId: string | undefined }[],
  ): Promise<void> {
    const found = places.slice(0, cancelledMax).map(({ eventId, queueId }) => {
      return { room: findRoom(ctx.params.customer, eventId).room, queueId };
    });
    const named = found.map(({ room }) => room);
    const [first] = named;
    if (first === undefined) throw new UsherError("bad_request", "the address names no room that is to be left");
    const { r } = ctx.query;
    const returnTo = typeof r === "string" ? returnAddress(named, r) : null;
    const [own, ...others] = found.filter(({ room, queueId }) => isOwn(ctx, room, queueId)).map(({ room }) => room);
    if (own !== undefined) return leave.byAddress(ctx, [own, ...others], returnTo);
    // Nothing of this browser is left.
    if (returnTo !== null) return sendOn(ctx, returnTo);
    responder.page(ctx, 200, { code: "front_door" });
  }

  function returnAddress(named: readonly WaitingRoom[], address: string): string | null {
    for (const { id } of named) {
      const found = sitesOf(id).findTarget(plainTarget(address));
      if (found !== null) return found;
    }
    return null;
  }

  function isOwn(ctx: Context, room: WaitingRoom, queueId: string | undefined): boolean {
    const presented = readTicket(ctx, room, cookies);
    if (presented.kind !== "ticket") return presented.kind === "unknown_key" && queueId === undefined;
    return queueId === undefined || queueId.toLowerCase() === queueIdOf(presented.ticket.sub);
  }

  /** `GET …/status/integrationconfig[/secure]/CUSTOMER` */
  function pull(ctx: Context): void {
    if (!isCustomer(ctx.params.customer) || !isKey(ctx.get("api-key"), home.apiKeys))
      throw new UsherError(
        "unauthorized",
        "the header api-key has not the key that this installation was given (api_key)",
      );
    const nowMs = parts.clock.now();
    ctx.set("Cache-Control", "no-store");
    ctx.body = integrationConfig(home, integratedRoom, { issuer, nowMs });
  }

  function integratedRoom(id: string) {
    const room = rooms.get(id);
    const config = configOf(id);
    if (room === undefined || config === undefined) return null;
    const { title, admission } = room.settings;
    const { targets, rules } = config.waysIn;
    return { title, targets, rules: rules ?? null, admission };
  }

  /** Of an installation without this home, or with it at another path. */
  const withoutHome = ["not_found"] as const;
  const describeEnter = (summary: string) => () => ({
    summary,
    query: z.object({ ...entering, enqueuetoken: text }),
    answers: [{ ...seeOtherAnswer, description: "To the link of the room." }],
    errors: ["unknown_room", "unknown_target", ...withoutHome] as const,
  });
  table.add(
    "Pages",
    "GET",
    "/",
    describeEnter("Where connectors of Queue-it send visitors: leads into the line."),
    enter,
  );

  const describeRefused = () => ({
    summary: "Where connectors of Queue-it send visitors whose token they refuse: a fresh one, or a page.",
    query: z.object({ ...entering, queueittoken: text, ts: text }),
    answers: [{ ...seeOtherAnswer, description: "To the link of the room, for a fresh token." }, aPage],
    errors: ["unknown_room", "unknown_target", "too_many_restarts", ...withoutHome] as const,
  });
  const sessionState = (ctx: Context) => refused(ctx, "sessionstate");
  table.add("Pages", "GET", "/error/connector/sessionstate/", describeRefused, sessionState);
  const refusedAs = (ctx: Context) => refused(ctx, kindOf(ctx.params.kind));
  table.add("Pages", "GET", "/error/:kind/", describeRefused, refusedAs);

  const describeCancel = (query: z.ZodObject) => () => ({
    summary: "Where connectors of Queue-it send visitors who are done: ends what this browser has in the room.",
    query,
    answers: [{ ...seeOtherAnswer, description: "To `r`, one of the room's targets." }, aPage],
    errors: ["unknown_room", "room_recovering", "store_unavailable", "ticket_unreadable", ...withoutHome] as const,
  });
  const returning = { r: text };
  table.add(
    "Pages",
    "GET",
    "/cancel/multiple/:customer",
    describeCancel(z.object({ ...returning, wrl: z.string() })),
    (ctx) => cancel(ctx, readList(ctx.query.wrl)),
  );
  const cancelOne = (ctx: Context) => cancel(ctx, [{ eventId: ctx.params.event, queueId: ctx.params.queue_id }]);
  table.add("Pages", "GET", "/cancel/:customer/:event", describeCancel(z.object(returning)), cancelOne);
  table.add("Pages", "GET", "/cancel/:customer/:event/:queue_id", describeCancel(z.object(returning)), cancelOne);

  const describePull = () => ({
    summary: "The integration configuration, for connectors of Queue-it that pull it.",
    answers: [{ status: 200, schema: integrationAnswer, description: "As they read it." }],
    errors: ["unauthorized", ...withoutHome] as const,
  });
  table.add("Public API", "GET", "/status/integrationconfig/:customer", describePull, pull);
  table.add("Public API", "GET", "/status/integrationconfig/secure/:customer", describePull, pull);

  const enqueue = createMobileEnqueue({ home, base, findRoom, counts }, parts);
  table.add(
    "Public API",
    "POST",
    "/api/mobileapp/queue/:customer/:event/enqueue",
    () => ({
      summary: "Where an app with Queue-it's SDK begins: the address of the line, or a token where there is none.",
      body: enqueueBody,
      answers: [{ status: 200, schema: enqueueAnswer, description: "As the SDK reads it." }],
      errors: ["unknown_room", "unknown_target"],
    }),
    enqueue,
  );
  return table;
}

function kindOf(written: unknown): ErrorKind {
  return errorKinds.find((kind) => kind === written && kind !== "sessionstate") ?? "other";
}

/** `ROOM~ID_ROOM~ID`, as connectors from 5.0 on write it. */
function readList(list: unknown): { eventId: string; queueId: string | undefined }[] {
  if (typeof list !== "string" || list.length > 4_096) return [];
  return list.split("_", cancelledMax).flatMap((entry) => {
    const [eventId = "", queueId] = entry.split("~", 2);
    return eventId === "" ? [] : [{ eventId, queueId: queueId === "" ? undefined : queueId }];
  });
}

function isKey(given: string, keys: readonly string[]): boolean {
  const digest = (value: string) => hash("sha256", value, "buffer");
  return keys.map((key) => timingSafeEqual(digest(given), digest(key))).some((isSame) => isSame);
}
