import type { Context } from "koa";
import { UsherError } from "../../../lib/errors.ts";
import type { Pages } from "../../../pages/index.ts";
import { sendScript } from "./send-script.ts";

/** `GET /assets/…`: what the pages' scripts load on demand. The names have the hash of what is in the files. */
export function createAssets({ laterFile }: Pick<Pages, "laterFile">): (ctx: Context) => void {
  return (ctx) => {
    const [, file = ""] = /^(.+)\.js$/.exec(String(ctx.params.file)) ?? [];
    const part = laterFile(file);
    // It may be of another version, which another process runs: the page goes on without it.
    if (part === undefined) throw new UsherError("not_found", "there is no such part of a page");
    ctx.set("Cache-Control", "public, max-age=31536000, immutable");
    sendScript(ctx, part);
  };
}
