import type { Account, FindAccount, KoaContextWithOIDC, Provider, RefreshToken } from "oidc-provider";
import type { ExtraClaim } from "../../config/resolve/config.ts";
import type { ClientDirectory } from "../../registry/index.ts";
import type { Admission, WaitingRoom, WaitingRooms } from "../../room/index.ts";
import { orTemporarilyUnavailable } from "./unavailable.ts";

/** The claims that say how a visitor was admitted. */
export interface AdmissionClaims {
  [claim: string]: unknown;
  room: string;
  queue_position: number | null;
  admitted_via: Admission["via"];
  /** Seconds since the Unix epoch. */
  admitted_at: number;
}

/** Claims that come with the scope `openid`, in the ID token and at userinfo; the last two only where the client has them. */
export const openidClaims = [
  ...["sub", "room", "queue_position", "admitted_via", "admitted_at", "auth_time"],
  ...(["email", "email_verified"] satisfies ExtraClaim[]),
];

/**
 * For relying parties that refuse a visitor without an address. Nobody has this one, and nothing can be sent to it: the
 * domain is reserved (RFC 2606). It is never said to be verified.
 */
function extraClaims(sub: string, claims: readonly ExtraClaim[]): { email?: string; email_verified?: false } {
  return {
    ...(claims.includes("email") && { email: `${sub}@visitor.invalid` }),
    ...(claims.includes("email_verified") && { email_verified: false as const }),
  };
}

export function admissionClaims(room: string, admission: Admission): AdmissionClaims {
  return {
    room,
    queue_position: admission.position === 0 ? null : admission.position,
    admitted_via: admission.via,
    admitted_at: Math.floor(admission.admittedMs / 1_000),
  };
}

/** An account that carries the claims it was made with. */
export interface VisitorAccount extends Account {
  readonly frozenClaims: AdmissionClaims | null;
  /** When the admission lapses, in milliseconds, and the latest time to which it may be extended; null where not looked up. */
  readonly expiresMs: number | null;
  readonly latestEndMs: number | null;
}

/**
 * Finds visitors. An exchange of a code or a refresh token needs a live admission to a room of the client, which a refresh
 * extends where admissions are sliding: so the operator's word ends the session at a relying party that refreshes. An access token carries
 * the claims it was issued with, so that userinfo says what the ID token said.
 */
export function createFindAccount(rooms: WaitingRooms, clients: ClientDirectory): FindAccount {
  return async (ctx: KoaContextWithOIDC, sub, token) => {
    const room = rooms.ofVisitor(sub);
    if (room === undefined) return undefined;
    if (token === undefined) return createAccount(sub, null);
    const client = clients.get(token.clientId ?? "");
    const extra = client?.claims ?? [];
    if (token.kind === "AccessToken") return createAccount(sub, (token.extra ?? null) as AdmissionClaims | null, extra);
    // The room was taken off the client since; its visitors are no business of it any more, and nothing is extended.
    if (client?.rooms.includes(room.id) !== true) return undefined;
    // A rotated token that comes again is about to be refused, and extends nothing.
    const isRefresh = token.kind === "RefreshToken" && !("consumed" in token && token.consumed);
    const admission = await orTemporarilyUnavailable(
      isRefresh ? room.admissions.renew(sub) : room.admissions.find(sub),
    );
    if (admission !== null && admission.ended === null && isOfAdmission(token, admission)) {
      return accountOf(room, admission, extra);
    }
    // The admission is over, and with it all that the login's grant has issued: refresh tokens and access tokens.
    if (isRefresh) await orTemporarilyUnavailable(revokeGrant(ctx.oidc.provider, (token as RefreshToken).grantId));
    return undefined;
  };
}

/** Whether the login that a code or refresh token comes of was made under this admission, and not under an earlier one. */
export function isOfAdmission(token: object, { admittedMs }: Admission): boolean {
  const loginSec = "authTime" in token ? Number(token.authTime) : Number.NaN;
  return !(loginSec < Math.floor(admittedMs / 1_000));
}

export async function revokeGrant(provider: Provider, grantId: string | undefined): Promise<void> {
  // Our adapters find a grant's records of all kinds, whichever asks.
  if (grantId !== undefined) await provider.RefreshToken.revokeByGrantId(grantId);
}

/** The account of a visitor whose admission was looked up. */
export function accountOf(room: WaitingRoom, admission: Admission, extra: readonly ExtraClaim[] = []): VisitorAccount {
  const { sub, expiresMs } = admission;
  const latestEndMs = room.latestEndMs(admission);
  return { ...createAccount(sub, admissionClaims(room.id, admission), extra), expiresMs, latestEndMs };
}

function createAccount(
  sub: string,
  frozenClaims: AdmissionClaims | null,
  extra: readonly ExtraClaim[] = [],
): VisitorAccount {
  const claims = () => ({ sub, ...frozenClaims, ...extraClaims(sub, extra) });
  return { accountId: sub, frozenClaims, expiresMs: null, latestEndMs: null, claims };
}
