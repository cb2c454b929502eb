import type { Context } from "koa";
import type { WaitingRoom } from "../../room/index.ts";
import { readOwnForm } from "../middleware/read-body.ts";
import { checkRequired } from "./check-json.ts";
import { unjudged } from "./join-check.ts";
import type { VisitorParts } from "./parts.ts";

/**
 * `POST …/check`, by the script of our own page: takes what was done, and keeps the pass for it in a cookie. The page then loads
 * itself anew, so that whatever the visitor came for is as it was.
 */
export function createCheckAnswers({ issuer, checks, cookies, joinAddressOf }: VisitorParts) {
  return async (ctx: Context, room: WaitingRoom): Promise<void> => {
    const form = await readOwnForm(ctx, issuer);
    const shown = { proof: form.get("proof") ?? undefined, response: form.get("challenge_response") ?? undefined };
    const pass = await checks.prove(room, joinAddressOf(ctx), shown);
    if (typeof pass === "object" && pass.result === "unjudged") throw unjudged();
    if (typeof pass !== "string") throw checkRequired(pass, "this does not count here, or not any more");
    cookies.check(room.id).set(ctx.res, pass);
    ctx.status = 204;
  };
}
