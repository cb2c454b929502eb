import { createHash } from "node:crypto";
import type { Context } from "koa";
import { UsherError } from "../../../lib/errors.ts";
import { type CalendarEvent, writeCalendar } from "../../../lib/icalendar.ts";
import { messageIn, type WaitingRoom } from "../../../room/index.ts";
import { robotsTag } from "../../middleware/robots.ts";
import { nextSaleAhead, openingAhead } from "../calendar-subjects.ts";
import type { VisitorParts } from "../parts.ts";
import { later, nothingKnown } from "../status.ts";

const maxAgeSec = 60;
const remindsMinutesBefore = 10;
/** A tag of RFC 5646, as far as a choice among texts goes by it. */
const tagPattern = /^[a-z0-9-]{1,35}$/i;

/**
 * `GET …/calendar.ics`: the opening of the room, or the next sale, for the visitor's calendar. Nothing personal: a cache may keep it, and
 * the language is in its address.
 */
export function createCalendar({ issuer, sitesOf }: Pick<VisitorParts, "issuer" | "sitesOf">) {
  const host = () => new URL(issuer).host;

  return (ctx: Context, room: WaitingRoom): void => {
    if (room.state === null) throw later(nothingKnown);
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
