import type { Context } from "koa";

/** Sends the browser on, by GET, to an address that is used as it is. */
export function seeOther(ctx: Context, location: string): void {
  ctx.status = 303;
  ctx.set("Location", location);
  ctx.set("Cache-Control", "no-store");
  ctx.body = "";
}
