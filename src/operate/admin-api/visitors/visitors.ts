/** Routes that find out how it stands with one visitor, for the people who help: box office and support. */
import type { Context } from "koa";
import { z } from "zod";
import { duration, formatTime, oneOf, text } from "../../../config/index.ts";
import { UsherError } from "../../../lib/errors.ts";
import {
  type Finding,
  lookUpVisitor,
  nothingFound,
  roomOfVisitor,
  type VisitorRef,
  type WaitingRoom,
  type WaitingRooms,
} from "../../../room/index.ts";
import { later, notSyncedYet } from "../../../web/visitor/status.ts";
import type { Principal } from "../access/principal.ts";
import type { PrincipalBounds } from "../access/principal-bounds.ts";
import type { AdminRoute, RoutesAbout } from "../admin-router.ts";
import { badRequest, object, timeText } from "../bodies.ts";
import type { DebugLinks } from "./debug-links.ts";
import { findingJson, visitorAnswer } from "./finding-json.ts";

/** Characters; as long as the longest ticket that is read. */
const ticketLengthMax = 1_024;
const expectedRef = "a position, an entry number or a sub";

const minuteMs = 60_000;
const debugLinkBody = object({ expires_in: duration(minuteMs, 24 * 60 * minuteMs).prefault("30m") });
const debugLinkAnswer = z.object({ url: z.string(), expires_at: timeText, room: z.string() }).meta({ id: "DebugLink" });
const refQuery = object({ by: oneOf("kind", ["position", "entry"]).optional() });
type RequestedRef = Exclude<VisitorRef, { by: "ticket" }>;
export const findBody = object({ ticket: text("a visitor's ticket", ticketLengthMax) });
const tag = "Visitors";
const role = "box_office";

export interface VisitorRoutesOptions {
  readonly rooms: WaitingRooms;
  readonly debugLinks: DebugLinks;
  readonly bounds: PrincipalBounds;
}

export function visitorRoutes(
  route: RoutesAbout<WaitingRoom>,
  { rooms, debugLinks, bounds }: VisitorRoutesOptions,
): AdminRoute[] {
  return [
    route(
      "GET",
      "/visitors/:ref",
      {
        summary: "Tells how it stands with a visitor, and why, by position, entry number or sub.",
        tag,
        role,
        query: refQuery,
        answers: visitorAnswer,
      },
      async ({ subject: room, ctx, principal, query }) => {
        const ref = readRef(ctx, query.by);
        return answerFor(room, principal, ref, await lookUp(room, ref));
      },
    ),
    route(
      "POST",
      "/visitors/:ref/debug-link",
      {
        summary: "Makes a link that shows one browser, the first to open it, how it stands with a visitor, and why.",
        tag,
        role,
        query: refQuery,
        body: debugLinkBody,
        status: 201,
        answers: debugLinkAnswer,
        errors: ["too_many_requests"],
      },
      async ({ subject: room, ctx, principal, query, body }) => {
        const { address } = debugLinks;
        if (address === null) throw new UsherError("not_found", "set admin.url: a link needs the address of this page");
        const ref = readRef(ctx, query.by);
        const finding = await lookUp(room, ref);
        const { edition, place, why } = answerFor(room, principal, ref, finding);
        const isNobody = ref.by === "sub" ? why.code === "other_room" : place === null;
        if (isNobody) throw new UsherError("not_found", why.text);
        // A number that is an entry now stays one after the draw.
        const by = place?.state === "entered" ? "entry" : "position";
        const debugRef = ref.by === "sub" ? ref : { by: ref.by === "number" ? by : ref.by, number: ref.number };
        bounds.take(principal, "debug link");
        const { path, expiresMs } = await debugLinks.make({ room: room.id, edition, ref: debugRef }, body.expires_in);
        return { url: `${address}${path}`, expires_at: formatTime(expiresMs), room: room.id };
      },
    ),
    route(
      "POST",
      "/visitors/find",
      {
        summary: "Tells how it stands with the visitor of a ticket, and why.",
        tag,
        role,
        body: findBody,
        answers: visitorAnswer,
      },
      async ({ subject: room, principal, body: { ticket } }) => {
        const presented = room.read(ticket);
        if (presented.kind === "ticket") {
          const ref = { by: "ticket", ticket: presented.ticket } as const;
          return answerFor(room, principal, ref, await lookUpVisitor(room, ref));
        }
        await room.catchUp();
        const reason = presented.kind === "unknown_key" ? ({ code: "unknown_key" } as const) : ofOtherRoom();
        // Why it is none is nobody's business: a forger would learn from it.
        if (reason === null) throw badRequest([{ path: ["ticket"], message: "this is no ticket of this room" }]);
        return answerFor(room, principal, { by: "ticket" }, nothingFound(reason));

        /** Null where the ticket is of no room that the caller may see. */
        function ofOtherRoom() {
          const other = rooms.all.find(
            (candidate) => principal.isFor(candidate.id) && candidate.read(ticket).kind === "ticket",
          );
          return other === undefined ? null : ({ code: "other_room", otherRoom: other.id } as const);
        }
      },
    ),
  ];
}

async function lookUp(room: WaitingRoom, ref: RequestedRef): Promise<Finding | "ambiguous" | null> {
  const otherRoom = ref.by === "sub" ? roomOfVisitor(ref.sub) : room.id;
  const isOther = ref.by === "sub" && otherRoom !== undefined && otherRoom !== room.id;
  return isOther ? nothingFound({ code: "other_room", otherRoom }, ref.sub) : lookUpVisitor(room, ref);
}

/** Logs that it was asked, and never the ticket. @throws UsherError `bad_request`, `store_unavailable` */
function answerFor(
  room: WaitingRoom,
  { id: admin }: Principal,
  ref: RequestedRef | { readonly by: "ticket" },
  finding: Finding | "ambiguous" | null,
) {
  if (finding === "ambiguous") {
    const message = "required here: the number is both an entry number and a position; expected position or entry";
    throw badRequest([{ path: ["by"], message }]);
  }
  if (finding === null || room.state === null) throw later(notSyncedYet);
  const position = finding.place?.position ?? ("number" in ref ? ref.number : null);
  const { sub, state } = finding;
  room.emit("visitor.looked_up", { by: ref.by, sub, position: position || null, state, admin });
  return findingJson(room, finding);
}

/**
 * The forms differ in shape: digits, and a `sub` with its dot.
 *
 * @throws UsherError `bad_request` that says what to ask by instead
 */
function readRef(ctx: Context, by: "position" | "entry" | undefined): RequestedRef {
  const ref = String(ctx.params.ref);
  if (/^[1-9]\d{0,14}$/.test(ref)) return { by: by ?? "number", number: Number(ref) };
  if (by !== undefined)
    throw badRequest([{ path: ["ref"], message: "expected a number from 1, since `by` names one" }]);
  if (roomOfVisitor(ref) !== undefined) return { by: "sub", sub: ref };
  if (/^[a-z]+(_[a-z]+)+$/.test(ref)) {
    const message = `the name of a problem, which many may meet; expected ${expectedRef}, or look in the log for the id beside it`;
    throw badRequest([{ path: ["ref"], message }]);
  }
  if (!/^[wc]1\./.test(ref)) throw badRequest([{ path: ["ref"], message: `expected ${expectedRef}` }]);
  // A refusal is logged with the address, and a ticket may be used by anybody who reads it there.
  ctx.path = ctx.path.slice(0, ctx.path.lastIndexOf("/"));
  const message = `expected ${expectedRef}; a ticket goes into the body of POST …/visitors/find, and never into an address`;
  throw badRequest([{ path: ["ref"], message }]);
}
