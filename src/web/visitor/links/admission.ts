import type { Context } from "koa";
import { z } from "zod";
import { UsherError } from "../../../lib/errors.ts";
import type { WaitingRoom } from "../../../room/index.ts";
import { isOver } from "../../forward-auth/site-tokens.ts";
import { readPlainText } from "../../middleware/read-body.ts";
import { admissionAnswer } from "../answers.ts";
import type { VisitorParts } from "../parts.ts";
import type { RoomRoutes } from "../room-routes.ts";

/** Bytes. Ours are shorter by half. */
const tokenLengthMax = 4_096;
/** For which a token counts after it has expired: a page may take as long to load, or Usher be away for a while. */
const lateMs = 120_000;

export function addAdmissionRoute({ script }: RoomRoutes, parts: Parameters<typeof createAdmissionAnswer>[0]): void {
  script(
    "POST",
    "/admission",
    () => ({
      summary: "Reads the token that a visitor of a link came to a site with; uses nothing up.",
      plainText: z.string().max(tokenLengthMax),
      answers: [{ status: 200, schema: admissionAnswer, description: "Whether, whose, and for how long yet." }],
    }),
    createAdmissionAnswer(parts),
  );
}

/**
 * `POST …/admission`: what the token says that a visitor of a link came to the site with, for scripts of the site's pages. It uses
 * nothing up and asks no store. A text that is no token of this room, or none, is no admission; why is not said.
 */
export function createAdmissionAnswer({ tokens }: Pick<VisitorParts, "tokens">) {
  return async (ctx: Context, room: WaitingRoom): Promise<void> => {
    const token = await readToken(ctx);
    const { nowMs } = room;
    const presented = token === "" ? null : await tokens.read(room.id, token, nowMs - lateMs);
    const forMs = presented === null || isOver(room, presented) ? 0 : presented.admittedUntilMs - nowMs;
    const answer: z.output<typeof admissionAnswer> =
      presented !== null && forMs > 0
        ? { admitted: true, sub: presented.sub, admitted_until: presented.admittedUntilMs / 1_000, for_ms: forMs }
        : { admitted: false };
    ctx.body = answer;
  };
}

/** Empty for a token that is too long to be Usher's: the page then gets a refusal, and stops retrying. */
async function readToken(ctx: Context): Promise<string> {
  try {
    return await readPlainText(ctx, tokenLengthMax);
  } catch (error) {
    if (error instanceof UsherError && error.code === "body_too_large") return "";
    throw error;
  }
}
