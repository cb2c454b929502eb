import type { Context } from "koa";
import { acceptsGzip } from "../../../lib/request.ts";
import { robotsTag } from "../../middleware/robots.ts";

/** A script as it is and compressed. */
export interface SentScript {
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/** What pages load, as it is and compressed, where that is shorter. */
export interface SentFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer | undefined;
}

/** Answers with a script that only pages of this origin have. How long it may be kept is the caller's to say. */
export function sendScript(ctx: Context, script: SentScript): void {
  sendFile(ctx, { type: "text/javascript", ...script });
}

/** The same with any file. */
export function sendFile(ctx: Context, { type, plain, gzip }: SentFile): void {
  const short = acceptsGzip(ctx.headers) ? gzip : undefined;
  ctx.set("Cross-Origin-Resource-Policy", "same-origin");
  ctx.set("Vary", "Accept-Encoding");
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.set(...robotsTag);
  if (short !== undefined) ctx.set("Content-Encoding", "gzip");
  ctx.type = type;
  ctx.body = short ?? plain;
}
