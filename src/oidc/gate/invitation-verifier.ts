/**
 * Checks invitations: JWTs that the site or a mailing signs for one room and one person (docs/invitations.md). What they are signed with
 * decides the algorithm, and never the token: with a shared secret HS256, with public keys a signature.
 */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  customFetch as joseFetch,
  jwtVerify,
} from "jose";
import type { RoomConfig } from "../../config/index.ts";
import { createDocumentFetch } from "../../lib/bounded-fetch.ts";
import type { Clock } from "../../lib/clock-and-random.ts";

/** What an invitation says. */
export interface Invitation {
  /** Names one person. */
  readonly key: string;
  /** "" for none. */
  readonly classId: string;
  readonly expiresMs: number;
}

/** `away`: the keys cannot be fetched. Of a token that is not good, it is not said why. */
export type InvitationRefusal = "invalid" | "expired" | "away";

export type VerifyInvitation = (token: string) => Promise<Invitation | InvitationRefusal>;

type Invitations = NonNullable<RoomConfig["invitations"]>;

/** Characters; a link of more is cut by some mail programs. */
const tokenLengthMax = 4_096;
const keyLengthMax = 256;
const toleranceSec = 30;
/** An invitation is for a sale, and not for ever. */
const validityMaxSec = 366 * 24 * 3_600;
const publicAlgorithms = ["RS256", "ES256", "EdDSA", "Ed25519"];
const fetchTimeoutMs = 5_000;
const keysForMs = 600_000;
/** Minimum interval between fetches for unknown keys, since anybody can send a token that names one. */
const cooldownMs = 30_000;

/** @param audience the issuer of Usher */
export function createInvitationVerifier(
  { room, audience }: { readonly room: string; readonly audience: string },
  { secrets, jwks, jwksUri, issuer, classes, subjects }: Invitations,
  clock: Clock,
): VerifyInvitation {
  const macKeys = secrets.map((secret) => new TextEncoder().encode(secret));
  const publicKeys = publicKeysOf(jwks, jwksUri);

  async function payloadOf(token: string): Promise<JWTPayload> {
    const options: JWTVerifyOptions = {
      audience,
      clockTolerance: toleranceSec,
      currentDate: new Date(clock.now()),
      requiredClaims: ["exp", "sub", "room"],
      ...(issuer !== undefined && { issuer }),
    };
    if (publicKeys !== null) {
      return (await jwtVerify(token, publicKeys, { ...options, algorithms: publicAlgorithms })).payload;
    }
    let fault: unknown = null;
    for (const key of macKeys) {
      try {
        return (await jwtVerify(token, key, { ...options, algorithms: ["HS256"] })).payload;
      } catch (error) {
        fault = error;
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw fault;
  }

  function read({ room: ofRoom, sub, exp = 0, class: classId = "" }: JWTPayload): Invitation | "invalid" {
    // RFC 7519, section 4.1.2: text, whatever the types say. A list of one would pass for its only member.
    if (typeof sub !== "string") return "invalid";
    const key = subjects === "email" ? sub.normalize("NFC").trim().toLowerCase() : sub;
    const isKey = key !== "" && key.length <= keyLengthMax;
    const isClass = classId === "" || classes.some(({ id }) => id === classId);
    const isBounded = exp <= clock.now() / 1_000 + validityMaxSec;
    if (ofRoom !== room || !isKey || !isClass || !isBounded) return "invalid";
    return { key, classId: String(classId), expiresMs: Math.floor(exp * 1_000) };
  }

  return async (token) => {
    if (token.length > tokenLengthMax) return "invalid";
    try {
      return read(await payloadOf(token));
    } catch (error) {
      // Its signature was checked before.
      if (error instanceof errors.JWTExpired && error.payload.room === room) return "expired";
      return isOfToken(error) ? "invalid" : "away";
    }
  };
}

function publicKeysOf(jwks: Invitations["jwks"], uri: string | undefined): JWTVerifyGetKey | null {
  if (jwks !== undefined) return createLocalJWKSet(jwks as unknown as JSONWebKeySet);
  if (uri === undefined) return null;
  return createRemoteJWKSet(new URL(uri), {
    cacheMaxAge: keysForMs,
    cooldownDuration: cooldownMs,
    [joseFetch]: createDocumentFetch({ timeoutMs: fetchTimeoutMs }),
  });
}

/** Whether the token is at fault, and not the keys. */
function isOfToken(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  return (
    ![errors.JWKSTimeout, errors.JWKSInvalid].some((kind) => error instanceof kind) && error.code !== "ERR_JOSE_GENERIC"
  );
}
