import type { Context } from "koa";
import { UsherError } from "../../../lib/errors.ts";
import type { Pages } from "../../../pages/index.ts";
import { robotsTag } from "../../middleware/robots.ts";

const headers = {
  "Cache-Control": "public, max-age=31536000, immutable",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  Vary: "Accept-Encoding",
};

/** `GET /assets/…`: parts of the pages' scripts that are loaded on demand. Their names have the hash of what is in them. */
export function createAssets({ laterParts }: Pick<Pages, "laterParts">): (ctx: Context) => void {
  const files = new Map([...laterParts.values()].map((part) => [`${part.file}.js`, part]));
  return (ctx) => {
    const part = files.get(String(ctx.params.file));
    // It may be of another version, which another process runs: the page goes on without it.
    if (part === undefined) throw new UsherError("not_found", "there is no such part of a page");
    ctx.set(headers);
    ctx.set(...robotsTag);
    const isShort = ctx.acceptsEncodings("gzip", "identity") === "gzip";
    if (isShort) ctx.set("Content-Encoding", "gzip");
    ctx.type = "text/javascript";
    ctx.body = isShort ? part.gzip : part.plain;
  };
}
