/**
 * Sends a visitor on to a site, with or without an admission token in the address. The rest of the address stays as it was
 * written: sites may compare it, and parsers that write it anew change it.
 */
import type { Context } from "koa";
import { type AdmissionTokens, seeOther } from "../../../oidc/index.ts";
import type { Admission, AwayAdmission, WaitingRoom } from "../../../room/index.ts";

const name = "usher_token";

export function sendOn(ctx: Context, address: string): void {
  ctx.set("Referrer-Policy", "no-referrer");
  seeOther(ctx, address);
}

/** @param login hash of the login that the hand-over is */
export async function handOver(
  ctx: Context,
  tokens: AdmissionTokens,
  room: WaitingRoom,
  admission: Admission | AwayAdmission,
  { login, target }: { readonly login: string; readonly target: string },
): Promise<void> {
  const { token } = await tokens.issueHandOver(room.id, admission, login, room.nowMs);
  sendOn(ctx, withToken(target, token));
}

/** @param by the parameter that has the token, as sites know it */
export function withToken(address: string, token: string, by = name): string {
  const { base, query, fragment } = partsOf(withoutToken(address, by));
  return `${base}?${query === null || query === "" ? "" : `${query}&`}${by}=${token}${fragment}`;
}

export function withoutToken(address: string, by = name): string {
  const { base, query, fragment } = partsOf(address);
  if (query === null) return address;
  const parameters = query.split("&").filter((parameter) => !isToken(parameter, by));
  if (parameters.length === query.split("&").length) return address;
  return `${base}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}${fragment}`;
}

/** The last one: a site's own link may carry an older one along. */
export function tokenIn(address: string): string | null {
  const found = partsOf(address)
    .query?.split("&")
    .findLast((parameter) => isToken(parameter, name));
  return found === undefined ? null : found.slice(name.length + 1);
}

function isToken(parameter: string, by: string): boolean {
  return parameter === by || parameter.startsWith(`${by}=`);
}

function partsOf(address: string): { base: string; query: string | null; fragment: string } {
  const [, base = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
  return { base, query: query ?? null, fragment };
}
