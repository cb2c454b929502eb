import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Context } from "koa";
import { acceptsGzip } from "../../lib/request.ts";
import { robotsTag } from "../middleware/answer-headers.ts";

/** The script for pages of sites, as it is and compressed. */
export interface SiteTag {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  /** Weak: both forms have it. */
  readonly etag: string;
}

/** Seconds for which a browser keeps it without asking. After an upgrade all have the new one by then. */
const maxAgeSec = 300;

/** @param browserDir the folder of compiled scripts. @throws Error where it is missing */
export function readSiteTag(browserDir: string): SiteTag {
  const plain = readFileSync(join(browserDir, "usher.js"));
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  return { plain, gzip: gzipSync(plain, { level: 9 }), etag: `W/"${hash}"` };
}

/** `GET /usher.js`: for pages of any origin, those too that embed only what allows it (Cross-Origin-Embedder-Policy). */
export function answerSiteTag({ plain, gzip, etag }: SiteTag) {
  return (ctx: Context): void => {
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
    ctx.body = isShort ? gzip : plain;
  };
}
