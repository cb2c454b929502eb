import type { Context } from "koa";
import type { FailedAttempts } from "../../lib/address-buckets.ts";
import { html, javaScript } from "../../lib/described-route.ts";
import { UsherError } from "../../lib/errors.ts";
import { acceptsGzip } from "../../lib/request.ts";
import { isRoomId } from "../../lib/room-id.ts";
import { createRouteTable, type RouteTable } from "../../web/middleware/router.ts";
import { type BrowserSessions, findSession } from "../admin-api/access/principal.ts";
import { signInPath } from "../admin-api/sign-in/return-to.ts";
import { type Console, filesPath } from "./files.ts";

/** Nothing that is not a file of ours, and no text that becomes markup or script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  // Pages as visitors see them, which the admin API answers with a policy of their own.
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const pageHeaders = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

const fileHeaders = {
  "Cache-Control": "public, max-age=31536000, immutable",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  Vary: "Accept-Encoding",
};

/** Addresses of its screens, which the script tells apart: it says so where there is none of a name. */
const screens = [
  ["/console", "Shows the console to people who are signed in, and sends others to sign in."],
  ["/console/:screen", "Shows a screen of the console, whether there is such a screen or not."],
  ["/console/rooms/:room", "Shows the console's screen of a room, whether there is such a room or not."],
  ["/console/rooms/:room/:screen", "Shows one of the console's screens of a room, whether there is such a one or not."],
] as const;
const screenName = /^[a-z-]{1,40}$/;

export interface ConsoleRoutesOptions {
  readonly console: Console;
  readonly browsers: BrowserSessions;
  readonly failures: FailedAttempts;
}

/** The page, for people who are signed in; others sign in first, and come back to where they wanted to go. */
export function consoleRoutes(options: ConsoleRoutesOptions): RouteTable {
  const { console: built, browsers, failures } = options;
  const table = createRouteTable();

  for (const [path, summary] of screens) {
    table.add(
      "People",
      "GET",
      path,
      () => ({
        summary,
        answers: [
          { status: 200, types: html, description: "A page." },
          { status: 302, description: "Go on at `Location`." },
        ],
        errors: ["store_unavailable", ...(path === "/console" ? [] : (["not_found"] as const))],
      }),
      show,
    );
  }
  table.add(
    "People",
    "GET",
    `${filesPath}/:file`,
    () => ({
      summary: "Shows a file of the console, which never changes.",
      answers: [{ status: 200, types: [...javaScript, "text/css"], description: "A script or a stylesheet." }],
      errors: ["not_found"],
    }),
    (ctx) => {
      const file = built.files.get(String(ctx.params.file));
      // It may be of another version, which another process runs.
      if (file === undefined)
        throw new UsherError("not_found", "there is no such file of the console; load the page again");
      ctx.set(fileHeaders);
      ctx.type = file.type;
      const isGzipped = acceptsGzip(ctx.headers);
      if (isGzipped) ctx.set("Content-Encoding", "gzip");
      ctx.body = isGzipped ? file.gzipped : file.body;
    },
  );
  return table;

  async function show(ctx: Context): Promise<void> {
    const { room, screen } = ctx.params as { readonly room?: string; readonly screen?: string };
    // Whether there is such a room is the admin API's to say, to those who may know.
    if ((room !== undefined && !isRoomId(room)) || (screen !== undefined && !screenName.test(screen))) {
      throw new UsherError("not_found", "there is nothing at this address");
    }
    ctx.set(pageHeaders);
    const session = browsers.cookies.session(ctx);
    if (session === null || (await findSession(browsers, session, ctx, failures)) === null) {
      ctx.redirect(`${signInPath}?return_to=${encodeURIComponent(`${ctx.path}${ctx.search}`)}`);
      return;
    }
    ctx.type = "html";
    ctx.body = built.page;
  }
}
