import type { Context } from "koa";
import { z } from "zod";
import { type Refusal, seeOtherAnswer } from "../../../lib/described-route.ts";
import { UsherError } from "../../../lib/errors.ts";
import { requestKindOf } from "../../../lib/request.ts";
import { refusals, seeOther, signInAddress } from "../../../oidc/index.ts";
import type { WaitingRoom } from "../../../room/index.ts";
import { aPage } from "../answers.ts";
import { isWayInto } from "../pages/page-request.ts";
import type { VisitorParts } from "../parts.ts";
import type { RoomRoutes } from "../room-routes.ts";

/** On which the visitor can try again. */
const pages = ["provider_unavailable", "sign_in_failed"] as const;

const notByNavigation: readonly Refusal[] = ["navigation_required", ["navigation_required", 503], "link_preview"];

/** The routes by which visitors sign in. */
export function addIdentityRoutes({ page }: RoomRoutes, parts: Parameters<typeof createIdentityLinks>[0]): void {
  const text = z.string();
  const identity = createIdentityLinks(parts);
  page(
    "GET",
    "/identity/start",
    () => ({
      summary: "Leads to the provider at which visitors sign in before they join, in a room with `identity`.",
      query: z.object({ return: text.optional() }),
      answers: [{ ...seeOtherAnswer, description: "To the provider." }, aPage],
      errors: ["not_found", "provider_unavailable", ...notByNavigation],
    }),
    identity.start,
  );
  page(
    "GET",
    "/identity/callback",
    () => ({
      summary: "Takes the visitor whom the provider has signed in, and leads on to where they were.",
      query: z.object({ state: text.optional(), code: text.optional(), iss: text.optional(), error: text.optional() }),
      answers: [seeOtherAnswer, aPage],
      errors: ["not_found", "provider_unavailable", "sign_in_failed", ...notByNavigation],
    }),
    identity.callback,
  );
}

/**
 * Visitors of a room with `identity` sign in at the organisation's provider, by redirects alone, and come back to the way into the room
 * that they came by.
 */
export function createIdentityLinks({
  identities,
  responder,
  joinAddressOf,
}: Pick<VisitorParts, "identities" | "responder" | "joinAddressOf">) {
  return {
    /** `GET …/identity/start?return=ADDRESS`: to the provider. */
    async start(ctx: Context, room: WaitingRoom): Promise<void> {
      if (answersNoVisit(ctx, room)) return;
      const returnTo = readReturn(ctx.query.return, room);
      tellOnPage(ctx, room, () => returnTo);
      const started = await identities.begin(ctx, room, returnTo);
      if (typeof started === "string") sendOn(ctx, started);
      else offerToLeaveOne(ctx, room, started, returnTo);
    },

    /** `GET …/identity/callback`: from the provider. */
    async callback(ctx: Context, room: WaitingRoom): Promise<void> {
      if (answersNoVisit(ctx, room)) return;
      let returnTo = wayInto(room);
      tellOnPage(ctx, room, () => returnTo);
      const { state } = ctx.query;
      const started = typeof state === "string" ? await identities.findAttempt(ctx, room, state) : null;
      if (started === null) {
        const message = "this browser began no such sign-in in the last ten minutes, or has finished it: begin again";
        throw new UsherError("sign_in_failed", message);
      }
      returnTo = started.returnTo;
      const places = await identities.finish(ctx, room, ctx.search, started, joinAddressOf(ctx));
      if (places === null) sendOn(ctx, returnTo);
      else offerToLeaveOne(ctx, room, places, returnTo);
    },
  };

  /** The browser has no space for what the sign-in needs. */
  function offerToLeaveOne(ctx: Context, room: WaitingRoom, places: readonly WaitingRoom[], returnTo: string): void {
    responder.notice(ctx, { status: 200, code: "too_many_places", room, places, returnTo });
  }

  /** Previews and prefetches begin nothing, and use no code up. */
  function answersNoVisit(ctx: Context, room: WaitingRoom): boolean {
    const kind = requestKindOf(ctx.method, ctx.headers);
    if (kind === "navigation") return false;
    responder.notice(ctx, { ...refusals[kind], room });
    return true;
  }

  /** Errors from here on are shown on a page with a button to sign in once more. */
  function tellOnPage(ctx: Context, room: WaitingRoom, returnTo: () => string): void {
    ctx.state.errorPage = (error: UsherError) => {
      const code = pages.find((each) => each === error.code);
      if (code === undefined) return responder.errorPage(ctx, error);
      responder.notice(ctx, { status: error.status, code, room, returnTo: signInAddress(room.id, returnTo()) });
    };
  }
}

/** Without a referrer, which would disclose the code and the visitor's page to the next site. */
function sendOn(ctx: Context, address: string): void {
  ctx.set("Referrer-Policy", "no-referrer");
  seeOther(ctx, address);
}

function wayInto({ id }: WaitingRoom): string {
  return `/rooms/${id}/enter`;
}

/** @throws UsherError `bad_request` for what is no way into the room */
function readReturn(value: unknown, room: WaitingRoom): string {
  if (value === undefined || value === "") return wayInto(room);
  if (typeof value === "string" && (value === wayInto(room) || isWayInto(room.id, value))) return value;
  throw new UsherError("bad_request", "return: expected the address of a login or of a link to this room");
}
