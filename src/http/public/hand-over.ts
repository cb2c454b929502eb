import type { Context } from "koa";
import { type AdmissionTokens, seeOther } from "../../oidc/index.ts";
import type { Admission, WaitingRoom } from "../../waiting-room/index.ts";
import { withToken } from "./token-parameter.ts";

/** Sends a visitor who is in to a site's address, with an admission token. @param nowMs the store's clock */
export async function handOver(
  ctx: Context,
  tokens: AdmissionTokens,
  { room, admission, target, nowMs }: { room: WaitingRoom; admission: Admission; target: string; nowMs: number },
): Promise<void> {
  const { token } = await tokens.issueHandOver(room.id, admission, nowMs);
  ctx.set("Referrer-Policy", "no-referrer");
  seeOther(ctx, withToken(target, token));
}
