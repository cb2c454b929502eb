/** Checks an admission token: by its signature, and by what it says. */
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from "jose";

/** Bytes. A gateway's key set has some kilobytes. */
const bytesMax = 262_144;

/** What a room's admission token says; times in seconds since 1970. */
export interface AdmissionClaims {
  readonly iss: string;
  readonly aud: string | string[];
  /** The visitor; the same when it comes back to the room. */
  readonly sub: string;
  readonly room: string;
  /** Null where there was no place in line. */
  readonly queue_position: number | null;
  readonly admitted_via: string;
  readonly admitted_at: number;
  /** When the admission lapses. It may have been extended since, and it may end sooner. */
  readonly admitted_until: number;
  /** Names a token that came in an address, and is to be taken once; others have none. */
  readonly jti?: string;
  readonly iat: number;
  readonly exp: number;
}

export interface AdmissionVerifierOptions {
  /** Usher's issuer, such as https://queue.example.com, without a trailing slash. */
  readonly issuer: string;
  /** The room whose admissions count here. */
  readonly room: string;
  /** What the room's setting `admission_token.audience` says; by default `ISSUER/rooms/ROOM`. */
  readonly audience?: string;
  /** By how many seconds the clocks may differ; 5 by default. */
  readonly clockToleranceSec?: number;
  /** Where the keys come from; by default `ISSUER/.well-known/jwks.json`. For tests and offline use. */
  readonly keys?: JWTVerifyGetKey;
}

/** Why a token does not admit. The keys could not be fetched: `keys_unavailable`, which says nothing about the token. */
export type RefusalReason = "missing" | "malformed" | "expired" | "other_room" | "forged" | "keys_unavailable";

export class AdmissionRefusedError extends Error {
  override name = "AdmissionRefusedError";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, options?: ErrorOptions) {
    super(`the admission token is refused: ${reason}`, options);
    this.reason = reason;
  }
}

export type VerifyAdmission = (token: string | undefined) => Promise<AdmissionClaims>;

const tokenType = "admission+jwt";
const algorithms = ["RS256", "PS256", "ES256"];
const defaultToleranceSec = 5;
/** Characters. Usher's own are shorter by half; longer ones are not looked at. */
const tokenLengthMax = 4_096;

/**
 * Makes a function that answers a token's claims, or throws.
 *
 * @throws AdmissionRefusedError by the function that it makes
 */
export function createAdmissionVerifier(options: AdmissionVerifierOptions): VerifyAdmission {
  const { issuer, room } = options;
  const audience = options.audience ?? `${issuer}/rooms/${room}`;
  const clockTolerance = options.clockToleranceSec ?? defaultToleranceSec;
  const keys = options.keys ?? keysAt(new URL("/.well-known/jwks.json", issuer));

  return async (token) => {
    if (token === undefined || token === "") throw new AdmissionRefusedError("missing");
    if (typeof token !== "string" || token.length > tokenLengthMax) throw new AdmissionRefusedError("malformed");
    try {
      const { payload } = await jwtVerify<AdmissionClaims>(token, keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance,
        typ: tokenType,
        requiredClaims: ["sub", "room", "exp", "iat", "admitted_at"],
      });
      if (payload.room !== room) throw new AdmissionRefusedError("other_room");
      return payload;
    } catch (error) {
      throw error instanceof AdmissionRefusedError
        ? error
        : new AdmissionRefusedError(reasonOf(error), { cause: error });
    }
  };
}

function reasonOf(error: unknown): RefusalReason {
  if (error instanceof errors.JWTExpired) return "expired";
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim === "aud" ? "other_room" : "forged";
  // Usher's own tokens name their key, so that no others fit.
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) return "forged";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "forged";
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) return "forged";
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return "malformed";
  return "keys_unavailable";
}

/** The keys at an address, in an answer of bounded length; jose bounds its time, and asks for one at a time. */
function keysAt(url: URL): JWTVerifyGetKey {
  return createRemoteJWKSet(url, { [customFetch]: fetchKeys });
}

async function fetchKeys(url: string, init: RequestInit): Promise<Response> {
  const { body, status } = await fetch(url, init);
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (length > bytesMax) throw new Error(`a key set of more than ${bytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return new Response(text === "" ? null : text, { status });
}
