import type { Context } from "koa";
import { UsherError } from "../../../lib/errors.ts";
import { classifyRequest, freshStart, seeOther, type VisitorCookies } from "../../../oidc/index.ts";
import { type WaitingRoom, withoutPlace } from "../../../room/index.ts";
import { readForm } from "../../middleware/read-body.ts";
import { requireSameOrigin } from "../../middleware/same-origin.ts";
import type { PageResponder } from "../page-responder.ts";
import { referrerOf } from "../referrer.ts";
import type { Targets } from "../targets.ts";

/** Where a visitor of a room may be sent, and whence its sites' links come. */
export interface RoomSites {
  /** Addresses, compared exactly: those after logout and those where a login starts. */
  readonly returnUris: ReadonlySet<string>;
  /** Origins of the relying parties, and of the sites that links lead to. */
  readonly origins: ReadonlySet<string>;
}

export interface LeaveOptions {
  readonly issuer: string;
  readonly sitesOf: (room: string) => RoomSites;
  /** Where links to the room lead, visitors may be sent as well. */
  readonly targetsOf: (room: string) => Targets;
  readonly cookies: VisitorCookies;
  readonly responder: PageResponder;
}

/**
 * The visitor's browser gives up the place, or ends the visit. Anybody can link to the address, so a link that does not come
 * from a site of the room only asks.
 */
export function createLeave({ issuer, sitesOf, targetsOf, cookies, responder }: LeaveOptions) {
  return {
    /**
     * `GET …/leave?return=ADDRESS`: from a site of the room at once, else with a question. A prefetch, an image or a frame
     * leaves nothing.
     */
    async byLink(ctx: Context, room: WaitingRoom): Promise<void> {
      const returnTo = readReturn(ctx.query.return, room);
      if (classifyRequest(ctx.req) === "navigation" && sitesOf(room.id).origins.has(originOf(ctx.get("Referer")))) {
        await leave(ctx, room);
        return answer(ctx, room, returnTo);
      }
      responder.page(ctx, 200, {
        code: "leave_confirm",
        values: { room: room.title },
        message: room.message,
        action: {
          kind: "post",
          action: `/rooms/${room.id}/leave`,
          label: "leave",
          fields: returnTo === null ? {} : { return: returnTo },
        },
      });
    },

    /** The button of our own pages, for browsers without scripts as well. */
    async byButton(ctx: Context, room: WaitingRoom): Promise<void> {
      requireSameOrigin(ctx, issuer);
      const hasForm = ctx.get("Content-Length") !== "0" && ctx.get("Content-Type") !== "";
      const form = new URLSearchParams(hasForm ? await readForm(ctx) : "");
      const returnTo = readReturn(form.get("return") ?? undefined, room);
      await leave(ctx, room);
      answer(ctx, room, returnTo);
    },
  };

  async function leave(ctx: Context, room: WaitingRoom): Promise<void> {
    const presented = room.read(cookies.readTicket(ctx.req, room.id));
    if (presented.kind === "unknown_key") {
      throw new UsherError("ticket_unreadable", "this process cannot read the ticket; try again later", {
        status: 409,
      });
    }
    if (presented.kind !== "ticket") return;
    await room.leave(presented.ticket);
    cookies.setTicket(ctx.res, room.id, room.encode(withoutPlace(presented.ticket)));
  }

  function answer(ctx: Context, room: WaitingRoom, returnTo: string | null): void {
    if (returnTo !== null) {
      seeOther(ctx, returnTo);
      return;
    }
    const back = referrerOf(ctx, issuer);
    responder.page(ctx, 200, {
      code: "left",
      values: { room: room.title },
      message: room.message,
      ...(back !== undefined && { action: { kind: "link", href: freshStart(back), label: "join_again" } }),
    });
  }

  /** @throws UsherError `bad_request` for an address that is not on the list */
  function readReturn(value: unknown, room: WaitingRoom): string | null {
    if (value === undefined || value === "") return null;
    if (typeof value === "string") {
      const returnTo = sitesOf(room.id).returnUris.has(value) ? value : targetsOf(room.id).find(value);
      if (returnTo !== null) return returnTo;
    }
    throw new UsherError("bad_request", "the address to return to is not one that this room's sites have registered", {
      status: 400,
    });
  }
}

function originOf(referer: string): string {
  return URL.canParse(referer) ? new URL(referer).origin : "";
}
