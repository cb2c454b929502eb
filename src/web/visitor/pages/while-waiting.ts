/** What visitors may read while they wait, as its page and the waiting page ask for it. */
import type { Context } from "koa";
import { z } from "zod";
import type { ThemeConfig, WordsInLanguage } from "../../../config/index.ts";
import { html, notModified } from "../../../lib/described-route.ts";
import { UsherError } from "../../../lib/errors.ts";
import { acceptsGzip } from "../../../lib/request.ts";
import type { WaitingRoom } from "../../../room/index.ts";
import { robotsTag } from "../../middleware/answer-headers.ts";
import { type Pages, revisionOf } from "../../pages/index.ts";
import type { RoomRoutes } from "../room-routes.ts";
import type { PageThemes } from "./page-request.ts";
import { whileWaitingOf } from "./parked-page.ts";

type Words = readonly WordsInLanguage[];

/** Seconds. A page asks for a text by its revision, so another text has another address. */
const maxAgeSec = 300;
/** A tag of RFC 5646, as far as a choice among texts goes by it. */
const tagPattern = /^[a-z0-9-]{1,35}$/i;

const headers = {
  "Cache-Control": `public, max-age=${maxAgeSec}`,
  "Content-Type": "text/html; charset=utf-8",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  Vary: "Accept-Encoding",
  [robotsTag[0]]: robotsTag[1],
};

/** The routes of what visitors may read. */
export function addWhileWaitingRoutes({ page }: RoomRoutes, whileWaiting: ReturnType<typeof createWhileWaiting>): void {
  const add = (kind: "page" | "part", path: string, summary: string, what: string) =>
    page(
      "GET",
      path,
      () => ({
        summary,
        query: z.object({ of: z.string().optional(), language: z.string().optional() }),
        answers: [
          { status: 200, types: html, description: `${what} \`of\` is \`while_waiting\` of the status.` },
          notModified,
        ],
        errors: ["not_found"],
      }),
      whileWaiting(kind),
      "Public API",
    );
  add("page", "/while-waiting", "What visitors may read while they wait.", "A page, the same for all.");
  add("part", "/while-waiting/part", "The same as a part of the waiting page.", "What the page's script takes over.");
}

/**
 * `GET …/while-waiting?of=REVISION&language=TAG`, a page, and `…/while-waiting/part`, what the waiting page loads of it: the same for all, and kept, so that
 * nothing is made for a request. Without a revision the text that is in force.
 */
export function createWhileWaiting(pages: Pick<Pages, "whileWaiting">, themes: PageThemes) {
  return (kind: "page" | "part") =>
    (ctx: Context, room: WaitingRoom): void => {
      const { of, language } = ctx.query;
      const tag = typeof language === "string" && tagPattern.test(language) ? language : "";
      const found = find(room, typeof of === "string" ? of : undefined);
      // Not kept by caches: another process may not know yet of a change.
      if (found === null) throw new UsherError("not_found", "there is nothing to read here");
      const { words, theme } = found;
      const isRehearsal = room.settings.rehearsal === true;
      const page = pages.whileWaiting({ words, theme, room: room.title, isRehearsal }, tag)[kind];
      ctx.set(headers);
      ctx.set("ETag", page.etag);
      // That of an answer without a page, too: a browser may keep what comes with it.
      ctx.set("Content-Security-Policy", page.contentSecurityPolicy);
      ctx.status = 200;
      if (ctx.fresh) {
        ctx.status = 304;
        return;
      }
      ctx.set("Content-Language", page.language);
      const isShort = acceptsGzip(ctx.headers);
      if (isShort) ctx.set("Content-Encoding", "gzip");
      ctx.body = isShort ? page.gzip : page.plain;
    };

  /** The text of this revision, of the room or of a theme that its visitors may have. */
  function find(
    room: WaitingRoom,
    revision: string | undefined,
  ): { words: Words; theme: ThemeConfig | undefined } | null {
    const roomWords = whileWaitingOf(room);
    const usual = themes.of(room.id, undefined);
    if (revision === undefined) {
      const words = roomWords === undefined ? (usual?.whileWaiting ?? null) : roomWords;
      return words && { words, theme: usual };
    }
    if (roomWords && revisionOf(roomWords) === revision) return { words: roomWords, theme: usual };
    for (const theme of themes.allOf(room.id)) {
      const { whileWaiting: words } = theme;
      if (words !== null && revisionOf(words) === revision) return { words, theme };
    }
    return null;
  }
}
