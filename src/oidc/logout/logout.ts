import type { Middleware } from "koa";
import type { CookiesSetOptions, KoaContextWithOIDC } from "oidc-provider";
import { requestKindOf } from "../../lib/request.ts";
import { type WaitingRooms, withoutPlace } from "../../room/index.ts";
import { uiLocalesOf } from "../gate/authorization-request.ts";
import { forgetSpares, keepTicket, readTicket, type VisitorCookies } from "../gate/visitor-cookies.ts";
import { revokeGrant } from "../provider/admission-policy.ts";

/**
 * RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0) ends the admission of the visitor that the relying party
 * names, and only their `sub` stays in the cookie. A browser in several rooms is a visitor of each, but has one session,
 * that of the last room: so the validated `id_token_hint` decides, not the session. A hint with the visitor's own ID token
 * needs no confirmation: only a site where they have logged in has it. Without one the visitor confirms on a page.
 */
export function createLogout(rooms: WaitingRooms, cookies: VisitorCookies, sessionCookie: CookiesSetOptions) {
  return {
    /** Logs the visitor of the hint out. Call it before asking for confirmation; true: none is needed. */
    async byHint(ctx: KoaContextWithOIDC): Promise<boolean> {
      if (!(await endHinted(ctx))) return false;
      // The session may be that of another room, whose visitor stays.
      if (hintedSub(ctx) === ctx.oidc.session?.accountId) await endSession(ctx);
      goOn(ctx);
      return true;
    },

    /** Goes around oidc-provider's endpoints. */
    middleware: (async (outer, next) => {
      await next();
      const ctx = outer as unknown as KoaContextWithOIDC;
      // Set by oidc-provider, for its own routes only.
      const oidc: KoaContextWithOIDC["oidc"] | undefined = ctx.oidc;
      if (oidc?.session === undefined) return;
      if (oidc.route === "end_session_confirm" && isDestroyed(oidc.session)) {
        await endAdmission(ctx, oidc.session.accountId);
      } else if (oidc.route === "end_session" && ctx.status === 200 && oidc.session.accountId === undefined) {
        // Nobody is logged in, so there is nothing to ask. oidc-provider has checked the request, and answers with a form that
        // submits itself and a session to hold it: in their place comes the redirect that the form would have led to.
        await endHinted(ctx);
        await endSession(ctx);
        goOn(ctx);
      }
    }) satisfies Middleware,
  };

  /** Nothing is ended by what no person does: a prefetch, a frame. */
  async function endHinted(ctx: KoaContextWithOIDC): Promise<boolean> {
    return requestKindOf(ctx.method, ctx.headers) === "navigation" && (await endAdmission(ctx, hintedSub(ctx)));
  }

  /**
   * A hint alone, which the relying party may hold of anybody, ends nothing: the visitor has to be that one.
   *
   * @returns whether they are
   */
  async function endAdmission(ctx: KoaContextWithOIDC, sub: string | undefined): Promise<boolean> {
    const room = sub === undefined ? undefined : rooms.ofVisitor(sub);
    if (sub === undefined || room === undefined) return false;
    const presented = readTicket(cookies, room, ctx.req);
    const ticket = presented.kind === "ticket" && presented.ticket.sub === sub ? presented.ticket : null;
    if (ticket === null && sub !== ctx.oidc.session?.accountId) return false;
    await room.admissions.end(sub, "logout");
    if (ticket !== null) {
      keepTicket(cookies, room, ctx.res, withoutPlace(ticket));
      forgetSpares(cookies, room, ctx);
    }
    forgetIdentity(ctx, room.id);
    return true;
  }

  /** Who comes to this browser next has to sign in themselves. The session at the provider is not ours to end. */
  function forgetIdentity(ctx: KoaContextWithOIDC, room: string): void {
    if (cookies.identity(room).read(ctx.req) === undefined) return;
    cookies.identity(room).clear(ctx.res);
    cookies.key(room).clear(ctx.res);
  }

  /** As oidc-provider does it after its question. */
  async function endSession(ctx: KoaContextWithOIDC): Promise<void> {
    const { provider, session } = ctx.oidc;
    const logins = Object.values(session?.authorizations ?? {});
    await Promise.all(logins.map(({ grantId }) => revokeGrant(provider, grantId)));
    await session?.destroy();
    ctx.cookies.set(provider.cookieName("session"), null, { ...sessionCookie, overwrite: true });
  }

  function goOn(ctx: KoaContextWithOIDC): void {
    const { params } = ctx.oidc;
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
