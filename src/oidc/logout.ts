import type { Middleware } from "koa";
import type { KoaContextWithOIDC } from "oidc-provider";
import type { WaitingRooms } from "../waiting-room/index.ts";
import type { VisitorCookies } from "./visitor-cookies.ts";

/** RP-initiated logout that was confirmed ends the visitor's admission, and only their `sub` stays in the cookie. */
export function endAdmissionAfterLogout(rooms: WaitingRooms, cookies: VisitorCookies): Middleware {
  return async (ctx, next) => {
    await next();
    const { oidc } = ctx as unknown as Partial<KoaContextWithOIDC>;
    if (oidc?.route !== "end_session_confirm" || !isDestroyed(oidc.session)) return;
    const sub = oidc.session?.accountId;
    const room = sub === undefined ? undefined : rooms.ofVisitor(sub);
    if (sub === undefined || room === undefined) return;
    await room.endAdmission(sub, "logout");
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    if (presented.kind === "ticket" && presented.ticket.sub === sub) {
      cookies.setTicket(ctx.res, room.id, room.encode(room.emptyTicket(presented.ticket)));
    }
  };
}

/** oidc-provider marks a session so when the visitor chose to log out of everything. */
function isDestroyed(session: object | undefined): boolean {
  return session !== undefined && "destroyed" in session && session.destroyed === true;
}
