import type { Context } from "koa";
import type { z } from "zod";
import { html, javaScript } from "../../../lib/described-route.ts";
import { UsherError } from "../../../lib/errors.ts";
import type { DeepReadonly } from "../../../lib/json.ts";
import { acceptsHtml } from "../../../lib/request.ts";
import { type RoomState, reportedPlace, type Ticket, type WaitingRoom } from "../../../room/index.ts";
import { showDraw, type VisitorEntry } from "../../pages/render/variables.ts";
import { drawAnswer, receiptAnswer } from "../answers.ts";
import { ofRoom } from "../pages/gate-notices.ts";
import type { PageResponder } from "../pages/page-responder.ts";
import { sendScript } from "../pages/send-file.ts";
import { readTicket, type VisitorParts } from "../parts.ts";
import type { Presented, RoomRoutes } from "../room-routes.ts";
import { later, notSyncedYet } from "../status.ts";

type DrawParts = Pick<VisitorParts, "cookies"> & { readonly responder: Pick<PageResponder, "page" | "drawChecker"> };

/** Seconds for which an answer may be kept: while something is to come, and when all is drawn. */
const maxAgeSec = { before: 1, after: 60 };
const checkerMaxAgeSec = 300;

/** The routes of draws. */
export function addDrawRoutes({ page, script, ofHolder }: RoomRoutes, parts: DrawParts): void {
  const draw = createDrawPages(parts);
  script(
    "GET",
    "/draw",
    () => ({
      summary: "Shows the public record of the room's draws.",
      answers: [
        { status: 200, schema: drawAnswer, types: html, description: "The record, or a page that explains it." },
      ],
      errors: ["store_unavailable"],
    }),
    draw.show,
  );
  ofHolder(
    "GET",
    "/tickets/me/receipt",
    () => ({
      summary: "Shows the signed receipt of an entry number.",
      answers: [{ status: 200, schema: receiptAnswer, description: "The receipt, a JWS." }],
      errors: ["not_an_entry"],
    }),
    draw.tellReceipt,
  );
  page(
    "GET",
    "/draw/checker.js",
    () => ({
      summary: "The program with which the page of a draw checks it.",
      answers: [{ status: 200, types: javaScript, description: "A worker." }],
    }),
    draw.checker,
  );
}

/** What a room's draws are, for programs and for people, and the program with which people's browsers check them. */
export function createDrawPages({ cookies, responder }: DrawParts) {
  const records = new WeakMap<RoomState, string>();

  return {
    /** `GET …/draw`: the record as JSON; for a browser a page that explains it, with the visitor's own number and receipt. */
    async show(ctx: Context, room: WaitingRoom): Promise<void> {
      const isPage = acceptsHtml(ctx.headers);
      const ticket = isPage ? await currentTicket(ctx, room) : null;
      const record = room.draws.document();
      if (record === null || room.state === null) throw later(notSyncedYet);
      if (isPage) {
        const draw = showDraw(record, ticket && entryOf(room, ticket));
        responder.page(ctx, 200, {
          code: draw === null && record.order === "arrival" ? "no_draw" : "draw",
          ...ofRoom(room),
          ...(draw !== null && { draw }),
        });
        return;
      }
      const isDone =
        record.draws.length > 0 && record.draws.every(({ stage }) => stage === "drawn" || stage === "cancelled");
      const body =
        records.get(room.state) ?? JSON.stringify(record satisfies DeepReadonly<z.output<typeof drawAnswer>>);
      records.set(room.state, body);
      ctx.set("Cache-Control", `public, max-age=${isDone ? maxAgeSec.after : maxAgeSec.before}`);
      ctx.set("Vary", "Accept");
      ctx.type = "json";
      ctx.body = body;
    },

    /** `GET …/draw/checker.js`: a worker of that page. It loads nothing, and may not. */
    checker(ctx: Context): void {
      ctx.set("Cache-Control", `public, max-age=${checkerMaxAgeSec}`);
      ctx.set("Content-Security-Policy", "default-src 'none'");
      sendScript(ctx, responder.drawChecker);
    },

    /** `GET …/tickets/me/receipt`: `{ receipt }`. @throws UsherError `not_an_entry` for a place that no draw gives */
    async tellReceipt(ctx: Context, room: WaitingRoom, { ticket }: Pick<Presented, "ticket">): Promise<void> {
      if (room.isNews(ticket)) await room.verifyAhead(ticket);
      const receipt = room.draws.receiptFor(ticket);
      if (receipt === null) {
        throw new UsherError("not_an_entry", "this place is in no draw of the room, or no longer yours");
      }
      ctx.body = { receipt } satisfies z.output<typeof receiptAnswer>;
    },
  };

  async function currentTicket(ctx: Context, room: WaitingRoom): Promise<Ticket | null> {
    const presented = readTicket(ctx, room, cookies);
    if (presented.kind !== "ticket") return null;
    const { ticket } = presented;
    // The page explains its purpose even while the store is away.
    if (room.isAhead(ticket)) await room.catchUp();
    return ticket;
  }
}

/** Null where no draw gives the place, or the place is void. */
function entryOf(room: WaitingRoom, ticket: Ticket): VisitorEntry | null {
  const { entry, position, state, voided } = reportedPlace(room, ticket);
  if (entry === null || ticket.edition !== room.state?.edition) return null;
  return {
    entry,
    position: state === "entered" || voided !== undefined ? null : position,
    receipt: room.draws.receiptFor(ticket),
  };
}
