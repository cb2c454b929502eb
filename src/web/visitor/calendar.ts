/** What a room has for a calendar: for pages that offer it, and the entry itself. */
import { createHash } from "node:crypto";
import type { Context } from "koa";
import { z } from "zod";
import { UsherError } from "../../lib/errors.ts";
import { type CalendarEvent, writeCalendar } from "../../lib/icalendar.ts";
import { messageIn, type WaitingRoom } from "../../room/index.ts";
import { robotsTag } from "../middleware/answer-headers.ts";
import type { RoomSitesOf } from "../room-sites.ts";
import type { RoomRoutes } from "./room-routes.ts";
import { later, notSyncedYet } from "./status.ts";

/** What a calendar entry may be of; the first that there is, where the request names none. */
export type CalendarSubject = "opening" | "next_sale";

/** Where a page leads that offers one, in the page's language. */
export function calendarUrl(room: string, of: CalendarSubject): string {
  return `/rooms/${room}/calendar.ics?of=${of}`;
}

/** When the line begins, where it has not begun yet. */
export function openingAhead(room: WaitingRoom): number | null {
  const phase = room.state?.basePhase;
  return phase === "idle" || phase === "prequeue" ? room.lineBeginsMs : null;
}

/** What the organiser sells next; null where nothing is to come. */
export function nextSaleAhead(room: WaitingRoom) {
  const { nextSale } = room.settings;
  return nextSale != null && nextSale.startsAtMs > room.nowMs ? nextSale : null;
}

const maxAgeSec = 60;
const remindsMinutesBefore = 10;
/** A tag of RFC 5646, as far as a choice among texts goes by it. */
const tagPattern = /^[a-z0-9-]{1,35}$/i;

export function addCalendarRoute({ script }: RoomRoutes, parts: Parameters<typeof createCalendar>[0]): void {
  script(
    "GET",
    "/calendar.ics",
    () => ({
      summary: "The opening, or the next sale, for a calendar.",
      query: z.object({ of: z.enum(["opening", "next_sale"]).optional(), language: z.string().optional() }),
      answers: [{ status: 200, types: ["text/calendar"], description: "An entry (RFC 5545); nothing personal." }],
      errors: ["not_found", "store_unavailable"],
    }),
    createCalendar(parts),
  );
}

/**
 * `GET …/calendar.ics`: the opening of the room, or the next sale, for the visitor's calendar. Nothing personal: a cache may keep it, and
 * the language is in its address.
 */
export function createCalendar({ issuer, sitesOf }: { readonly issuer: string; readonly sitesOf: RoomSitesOf }) {
  const host = () => new URL(issuer).host;

  return (ctx: Context, room: WaitingRoom): void => {
    if (room.state === null) throw later(notSyncedYet);
    const { of } = ctx.query;
    if (of !== undefined && of !== "opening" && of !== "next_sale") {
      throw new UsherError("bad_request", "of: expected opening or next_sale");
    }
    const event =
      (of === "next_sale" ? null : openingOf(room)) ??
      (of === "opening" ? null : nextSaleOf(room, languageOf(ctx.query.language)));
    if (event === null) throw new UsherError("not_found", "nothing is to come that a calendar could hold");
    ctx.set("Cache-Control", `public, max-age=${maxAgeSec}`);
    ctx.set("Content-Disposition", `inline; filename="${room.id}.ics"`);
    ctx.set("X-Content-Type-Options", "nosniff");
    ctx.set(...robotsTag);
    ctx.type = "text/calendar; charset=utf-8";
    ctx.body = writeCalendar({ stampMs: room.nowMs, remindsMinutesBefore, ...event });
  };

  type Subject = Omit<CalendarEvent, "stampMs" | "remindsMinutesBefore">;

  /** An opening that is put off is the same event of this edition. */
  function openingOf(room: WaitingRoom): Subject | null {
    const startsMs = openingAhead(room);
    if (startsMs === null) return null;
    const way = sitesOf(room.id).continueTo(undefined);
    const url = way?.by === "token" ? `${issuer}/rooms/${room.id}/enter` : (way?.address ?? null);
    return { uid: `opening-${room.state?.edition}-${room.id}@${host()}`, summary: room.title, startsMs, url };
  }

  function nextSaleOf(room: WaitingRoom, language: string): Subject | null {
    const sale = nextSaleAhead(room);
    if (sale === null) return null;
    const { title, startsAtMs, url } = sale;
    const summary = messageIn({ texts: title }, language)?.text ?? room.title;
    // A sale that is put off keeps its title and address.
    const name = createHash("sha256")
      .update(JSON.stringify([title, url]))
      .digest("hex")
      .slice(0, 16);
    return { uid: `sale-${name}-${room.id}@${host()}`, summary, startsMs: startsAtMs, url };
  }
}

function languageOf(value: unknown): string {
  return typeof value === "string" && tagPattern.test(value) ? value : "";
}
