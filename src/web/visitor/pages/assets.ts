import type { Context } from "koa";
import { UsherError } from "../../../lib/errors.ts";
import type { Pages } from "../../pages/index.ts";
import { sendFile } from "./send-script.ts";

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
