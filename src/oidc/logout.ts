import type { Middleware } from "koa";
import type { CookiesSetOptions, KoaContextWithOIDC } from "oidc-provider";
import { type WaitingRooms, withoutPlace } from "../waiting-room/index.ts";
import { uiLocalesOf } from "./ui-locales.ts";
import type { VisitorCookies } from "./visitor-cookies.ts";

/** What of ours oidc-provider keeps in the session between the question and its answer. */
const hintedSubKey = "usher_hinted_sub";

/**
 * RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0) ends the admission of the visitor that the relying party
 * names, and only their `sub` stays in the cookie. Whoever stands in several rooms is a visitor of each, but has
 * one session, that of the room they came through last: so the validated `id_token_hint` decides, not the session.
 */
export function createLogout(rooms: WaitingRooms, cookies: VisitorCookies, sessionCookie: CookiesSetOptions) {
  return {
    /** Call it when the visitor is asked; the answer comes without the hint. */
    rememberHint(ctx: KoaContextWithOIDC): void {
      const state = ctx.oidc.session?.state;
      if (state !== undefined) state[hintedSubKey] = hintedSub(ctx);
    },

    /** Goes around oidc-provider's endpoints. */
    middleware: (async (outer, next) => {
      await next();
      const ctx = outer as unknown as KoaContextWithOIDC;
      // Set by oidc-provider, for its own routes only.
      const oidc: KoaContextWithOIDC["oidc"] | undefined = ctx.oidc;
      if (oidc?.session === undefined) return;
      if (oidc.route === "end_session_confirm" && isDestroyed(oidc.session)) {
        await endAdmission(ctx, (oidc.session.state?.[hintedSubKey] as string | undefined) ?? oidc.session.accountId);
      } else if (oidc.route === "end_session" && ctx.status === 200 && oidc.session.accountId === undefined) {
        await endAdmission(ctx, hintedSub(ctx));
        await skipQuestion(ctx);
      }
    }) satisfies Middleware,
  };

  /** A hint alone, which the relying party may hold of anybody, ends nothing: the visitor has to be that one. */
  async function endAdmission(ctx: KoaContextWithOIDC, sub: string | undefined): Promise<void> {
    const room = sub === undefined ? undefined : rooms.ofVisitor(sub);
    if (sub === undefined || room === undefined) return;
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    const ticket = presented.kind === "ticket" && presented.ticket.sub === sub ? presented.ticket : null;
    if (ticket === null && sub !== ctx.oidc.session?.accountId) return;
    await room.admissions.end(sub, "logout");
    if (ticket !== null) cookies.setTicket(ctx.res, room.id, room.encode(withoutPlace(ticket)));
  }

  /**
   * Nobody is logged in, so there is nothing to ask. oidc-provider has checked the request, and answers with a form
   * that submits itself and a session to hold it: in their place comes the redirect that the form would have led to.
   */
  async function skipQuestion(ctx: KoaContextWithOIDC): Promise<void> {
    const { params, provider, session } = ctx.oidc;
    await session?.destroy();
    ctx.cookies.set(provider.cookieName("session"), null, { ...sessionCookie, overwrite: true });
    const returnTo = params?.post_logout_redirect_uri;
    const location = new URL(typeof returnTo === "string" ? returnTo : ctx.oidc.urlFor("end_session_success"));
    const uiLocales = uiLocalesOf(ctx.querystring);
    if (typeof returnTo !== "string" && uiLocales !== undefined) location.searchParams.set("ui_locales", uiLocales);
    if (typeof returnTo === "string" && typeof params?.state === "string") {
      location.searchParams.set("state", params.state);
    }
    ctx.status = 303;
    ctx.redirect(location.href);
  }
}

/** Of a hint that oidc-provider has found valid. */
function hintedSub(ctx: KoaContextWithOIDC): string | undefined {
  const sub = ctx.oidc.entities.IdTokenHint?.payload.sub;
  return typeof sub === "string" ? sub : undefined;
}

/** oidc-provider marks a session so when the visitor chose to log out of everything. */
function isDestroyed(session: object): boolean {
  return "destroyed" in session && session.destroyed === true;
}
