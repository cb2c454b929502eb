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
    const cookie = cookies.check(room.id);
    const session = cookie.read(ctx.req);
    const [proof, response] = [form.get("proof") ?? undefined, form.get("challenge_response") ?? undefined];
    const pass = await checks.prove(room, joinAddressOf(ctx), { proof, response, session });
    if (typeof pass === "object" && pass.result === "unjudged") throw unjudged();
    if (typeof pass !== "string") {
      // A pass that another tab has just got is kept.
      if (session === undefined) cookie.set(ctx.res, pass.session);
      throw checkRequired(pass, "this does not count here, or not any more");
    }
    cookie.set(ctx.res, pass);
    ctx.status = 204;
  };
}
