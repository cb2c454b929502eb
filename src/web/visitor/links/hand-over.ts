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

export function withToken(address: string, token: string): string {
  const { base, query, fragment } = partsOf(withoutToken(address));
  return `${base}?${query === null || query === "" ? "" : `${query}&`}${name}=${token}${fragment}`;
}

export function withoutToken(address: string): string {
  const { base, query, fragment } = partsOf(address);
  if (query === null) return address;
  const parameters = query.split("&").filter((parameter) => !isToken(parameter));
  if (parameters.length === query.split("&").length) return address;
  return `${base}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}${fragment}`;
}

/** The last one: a site's own link may carry an older one along. */
export function tokenIn(address: string): string | null {
  const found = partsOf(address).query?.split("&").findLast(isToken);
  return found === undefined ? null : found.slice(name.length + 1);
}

function isToken(parameter: string): boolean {
  return parameter === name || parameter.startsWith(`${name}=`);
}

function partsOf(address: string): { base: string; query: string | null; fragment: string } {
  const [, base = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
  return { base, query: query ?? null, fragment };
}
