import type { Account, FindAccount, KoaContextWithOIDC } from "oidc-provider";
import type { Admission, WaitingRooms } from "../waiting-room/index.ts";

/** The claims that say how a visitor was admitted. */
export interface AdmissionClaims {
  [claim: string]: unknown;
  room: string;
  queue_position: number | null;
  admitted_via: "queue";
  /** Seconds since the Unix epoch. */
  admitted_at: number;
}

/** Claims that come with the scope `openid`, in the ID token and at userinfo. */
export const openidClaims = ["sub", "room", "queue_position", "admitted_via", "admitted_at", "auth_time"];

export function admissionClaims(room: string, admission: Admission): AdmissionClaims {
  return {
    room,
    queue_position: admission.position,
    admitted_via: "queue",
    admitted_at: Math.floor(admission.admittedMs / 1_000),
  };
}

/** An account that carries the claims it was made with. */
export interface VisitorAccount extends Account {
  readonly frozenClaims: AdmissionClaims | null;
  /** When the admission lapses, in milliseconds; null where it was not looked up. */
  readonly expiresMs: number | null;
}

/**
 * Finds visitors. An exchange of a code or a refresh token needs a live admission; an access token carries
 * the claims it was issued with, so that userinfo says what the ID token said.
 */
export function createFindAccount(rooms: WaitingRooms): FindAccount {
  return async (_ctx: KoaContextWithOIDC, sub, token) => {
    const room = rooms.ofVisitor(sub);
    if (room === undefined) return undefined;
    if (token === undefined) return createAccount(sub, null);
    if (token.kind === "AccessToken") return createAccount(sub, (token.extra ?? null) as AdmissionClaims | null);
    const admission = await room.admission(sub);
    if (admission === null || admission.ended !== null) return undefined;
    return createAccount(sub, admissionClaims(room.id, admission), admission.expiresMs);
  };
}

export function createAccount(
  sub: string,
  frozenClaims: AdmissionClaims | null,
  expiresMs: number | null = null,
): VisitorAccount {
  return { accountId: sub, frozenClaims, expiresMs, claims: () => ({ sub, ...frozenClaims }) };
}
