import type { Context } from "koa";
import { type AdmissionTokens, seeOther } from "../../../oidc/index.ts";
import type { Admission, WaitingRoom } from "../../../room/index.ts";
import { withToken } from "./token-parameter.ts";

interface HandOver {
  readonly room: WaitingRoom;
  readonly admission: Admission;
  /** Hash of the login that the hand-over is. */
  readonly login: string;
  readonly target: string;
  /** The store's clock. */
  readonly nowMs: number;
}

/** Redirects an admitted visitor to a site's address, with an admission token. */
export async function handOver(
  ctx: Context,
  tokens: AdmissionTokens,
  { room, admission, login, target, nowMs }: HandOver,
): Promise<void> {
  const { token } = await tokens.issueHandOver(room.id, admission, login, nowMs);
  ctx.set("Referrer-Policy", "no-referrer");
  seeOther(ctx, withToken(target, token));
}
