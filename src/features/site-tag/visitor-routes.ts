import { createHash } from "node:crypto";
import type { Context } from "koa";
import { javaScript, notModified } from "../../lib/described-route.ts";
import { acceptsGzip } from "../../lib/request.ts";
import { featureModule, type Gateway, type RunningFeature } from "../../operate/feature.ts";
import { robotsTag } from "../../web/middleware/answer-headers.ts";
import { createRouteTable, type RouteTable } from "../../web/middleware/router.ts";
import type { Pages } from "../../web/pages/index.ts";

/** Seconds for which a browser keeps it without asking. After an upgrade all have the new one by then. */
const maxAgeSec = 300;

interface RunningTag extends RunningFeature {
  readonly pages: Pick<Pages, "script">;
}

/** It runs nothing: the script is made by the build. */
export const siteTagInGateway = featureModule({
  start: ({ pages }: Gateway): RunningTag => ({ pages }),
  visitorRoutes: ({ pages }) => siteTagRoutes(pages),
});

/** `GET /usher.js`: for pages of any origin, those too that embed only what allows it (Cross-Origin-Embedder-Policy). */
export function siteTagRoutes(pages: Pick<Pages, "script">): RouteTable {
  const table = createRouteTable();
  const script = pages.script("usher");
  let etag: string | undefined;
  table.add(
    "Pages",
    "GET",
    "/usher.js",
    () => ({
      summary: "The tag for pages of sites.",
      answers: [{ status: 200, types: javaScript, description: "A script, for any origin." }, notModified],
    }),
    (ctx: Context): void => {
      etag ??= etagOf(script.plain);
      const isShort = acceptsGzip(ctx.headers);
      ctx.set("Access-Control-Allow-Origin", "*");
      ctx.set("Cross-Origin-Resource-Policy", "cross-origin");
      ctx.set("Cache-Control", `public, max-age=${maxAgeSec}`);
      ctx.set("Vary", "Accept-Encoding");
      ctx.set("X-Content-Type-Options", "nosniff");
      ctx.set(...robotsTag);
      ctx.set("ETag", etag);
      ctx.status = 200;
      if (ctx.fresh) {
        ctx.status = 304;
        return;
      }
      if (isShort) ctx.set("Content-Encoding", "gzip");
      ctx.type = "text/javascript";
      ctx.body = isShort ? script.gzip : script.plain;
    },
  );
  return table;
}

/** Weak: the script as it is and compressed have the same. */
function etagOf(script: Buffer): string {
  return `W/"${createHash("sha256").update(script).digest("base64url").slice(0, 22)}"`;
}
