/** Invitations in the address of a visit: a link of a mailing, or the parameter `invitation` of an authorization request. */
import type { Context } from "koa";
import type { WaitingRoom } from "../../room/index.ts";
import type { Arrival, GateResponder } from "./contract.ts";
import type { KeyedEntries } from "./keyed-entry.ts";
import { seeOther } from "./navigation.ts";
import { readTicket, type VisitorCookies } from "./visitor-cookies.ts";

/** Until the keys that invitations are signed with can be fetched again. */
const awayRetryMs = 5_000;

export type InvitationLinks = ReturnType<typeof createInvitationLinks>;

interface Parts {
  readonly keyedEntries: KeyedEntries;
  readonly cookies: VisitorCookies;
  readonly responder: GateResponder;
}

export function createInvitationLinks({ keyedEntries, cookies, responder }: Parts) {
  return {
    /** Takes the invitation of a visit. One in an address is taken out of it, and the visitor comes again by the rest. */
    async beforeVisit({ ctx, room, parameter }: Arrival): Promise<boolean> {
      const invitation = parameter("invitation");
      if (invitation === null || !room.isByKey) return false;
      const { value: token, plain } = invitation;
      const refusal = await keyedEntries.show(ctx, room, token);
      if (refusal !== null && !hasPlace(ctx, room)) {
        if (refusal === "away") responder.notice(ctx, { status: 503, code: "hold_on", room, retryMs: awayRetryMs });
        else responder.notice(ctx, { status: 403, code: "invalid_invitation", room });
        return true;
      }
      const isOthersPlace = refusal === null && keyedEntries.keep(ctx, room);
      // The request still carries the other person's ticket: the visitor comes again without it.
      const again = isOthersPlace ? `${ctx.path}?${ctx.querystring}` : null;
      const next = plain ?? again;
      if (next === null) return false;
      ctx.set("Referrer-Policy", "no-referrer");
      seeOther(ctx, next);
      return true;
    },
  };

  /** Who has a place needs no invitation any more. */
  function hasPlace(ctx: Context, room: WaitingRoom): boolean {
    const presented = readTicket(cookies, room, ctx.req);
    return presented.kind === "ticket" && presented.ticket.position > 0;
  }
}
