/** How scripts and files of pages are sent. */
import type { Context } from "koa";
import { UsherError } from "../../../lib/errors.ts";
import { acceptsBrotli, acceptsGzip } from "../../../lib/request.ts";
import { robotsTag } from "../../middleware/answer-headers.ts";
import type { Pages } from "../../pages/index.ts";

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
  readonly brotli?: Buffer | undefined;
}

/** Answers with a script that only pages of this origin have. How long it may be kept is the caller's to say. */
export function sendScript(ctx: Context, script: SentScript): void {
  sendFile(ctx, { type: "text/javascript", ...script });
}

/** The same with any file. */
export function sendFile(ctx: Context, file: SentFile): void {
  const encoding = encodingFor(ctx, file);
  ctx.set("Cross-Origin-Resource-Policy", "same-origin");
  ctx.set("Vary", "Accept-Encoding");
  ctx.set("X-Content-Type-Options", "nosniff");
  ctx.set(...robotsTag);
  if (encoding === "brotli") ctx.set("Content-Encoding", "br");
  else if (encoding === "gzip") ctx.set("Content-Encoding", "gzip");
  ctx.type = file.type;
  ctx.body = file[encoding];
}

/** A browser takes Brotli where it came by TLS, and it is an eighth shorter. */
function encodingFor({ headers }: Context, file: SentFile): "plain" | "gzip" | "brotli" {
  if (acceptsBrotli(headers) && file.brotli !== undefined) return "brotli";
  return acceptsGzip(headers) && file.gzip !== undefined ? "gzip" : "plain";
}

/** An image that somebody opens by itself runs nothing, and loads nothing. */
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** `GET /assets/…`: files of pages, and what their scripts load on demand. The names have the hash of what is in the files. */
export function createAssets({ assetFile }: Pick<Pages, "assetFile">): (ctx: Context) => void {
  return (ctx) => {
    const part = assetFile(String(ctx.params.file));
    // It may be of another version, which another process runs: the page goes on without it, or asks for itself anew.
    if (part === undefined) throw new UsherError("not_found", "there is no such part of a page");
    if (part.type.startsWith("image/")) ctx.set("Content-Security-Policy", imagePolicy);
    ctx.set("Cache-Control", "public, max-age=31536000, immutable");
    sendFile(ctx, part);
  };
}
