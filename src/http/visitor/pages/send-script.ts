import type { Context } from "koa";
import { robotsTag } from "../../middleware/robots.ts";

/** A script as it is and compressed. */
export interface SentScript {
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/** Answers with a script that only pages of this origin have. How long it may be kept is the caller's to say. */
export function sendScript(ctx: Context, { plain, gzip }: SentScript): void {
  const isShort = ctx.acceptsEncodings("gzip", "identity") === "gzip";
  ctx.set("Cross-Origin-Resource-Policy", "same-origin");
  ctx.set("Vary", "Accept-Encoding");
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.set(...robotsTag);
  if (isShort) ctx.set("Content-Encoding", "gzip");
  ctx.type = "text/javascript";
  ctx.body = isShort ? gzip : plain;
}
