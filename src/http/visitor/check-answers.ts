import type { Context } from "koa";
import type { WaitingRoom } from "../../room/index.ts";
import { readOwnForm } from "../middleware/read-body.ts";
import { checkRequired } from "./check-json.ts";
import type { VisitorParts } from "./parts.ts";

/**
 * `POST …/check`, by the script of our own page: takes what was done, and keeps the pass for it in a cookie. The page then loads
 * itself anew, so that whatever the visitor came for is as it was.
 */
export function createCheckAnswers({ issuer, checks, cookies, joinAddressOf }: VisitorParts) {
  return async (ctx: Context, room: WaitingRoom): Promise<void> => {
    const form = await readOwnForm(ctx, issuer);
    const pass = await checks.prove(room, joinAddressOf(ctx), form.get("proof") ?? "");
    if (typeof pass !== "string") throw checkRequired(pass, "this proof does not count here, or not any more");
    cookies.check(room.id).set(ctx.res, pass);
    ctx.status = 204;
  };
}
