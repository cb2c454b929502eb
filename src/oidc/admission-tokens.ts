import { createLocalJWKSet, errors, type JWK, jwtVerify, SignJWT } from "jose";
import type { SigningJwk } from "../config/config.ts";
import { publicJwk, usualAudience } from "../config/index.ts";
import { derived } from "../lib/derived.ts";
import type { RoomDirectory } from "../registry/index.ts";
import type { Admission, AwayAdmission } from "../room/index.ts";
import type { OidcParts } from "./parts.ts";
import { type AdmissionClaims, admissionClaims } from "./provider/admission-policy.ts";

export type IssuedAdmissionToken = Awaited<ReturnType<AdmissionTokens["issue"]>>;

/** What a good token says. Times in milliseconds, to the second. */
export interface PresentedAdmission {
  readonly sub: string;
  readonly issuedMs: number;
  readonly expiresMs: number;
  readonly admittedMs: number;
  /** When the admission ends, as it was when the token was made. */
  readonly admittedUntilMs: number;
  /** Null where there was no place in line. */
  readonly position: number | null;
  readonly via: string;
  /** The login for which it was handed over in an address, and is to be taken once; null for all others. */
  readonly handOver: string | null;
}

export type AdmissionTokens = ReturnType<typeof createAdmissionTokens>;

const tokenType = "admission+jwt";
/** Whatever the clients' ID tokens are signed with: apps and sites verify by libraries of any age. */
const admissionTokenAlg = "RS256";
/** Milliseconds for which a token in an address is valid. */
const handOverMs = 60_000;
/** Characters. Ours are shorter by half; longer ones are not looked at. */
const tokenLengthMax = 4_096;

/**
 * Admissions as signed tokens (RFC 7519, RFC 8725 3.11: explicitly typed), for apps and for sites behind forward
 * authentication. Anyone can verify them by the JWKS; `usher/verify` does. Times are by the clock by which admissions lapse.
 */
export function createAdmissionTokens({
  issuer,
  keys,
  directory,
}: Pick<OidcParts, "issuer" | "keys"> & { readonly directory: Pick<RoomDirectory, "get"> }) {
  const current = derived(() => [keys.current.signing], readKeys);

  /** How a room's tokens are made: how long one is good for, never longer than its admission, and for whom. */
  function settingsOf(room: string) {
    const found = directory.get(room);
    if (found === undefined) throw new TypeError(`there is no room ${room}`);
    const { audience, validityMs } = found.waysIn.admissionToken;
    return { audience: audience ?? usualAudience(issuer, room), validityMs, line: found.line };
  }

  async function sign(
    room: string,
    admission: Admission | AwayAdmission,
    nowMs: number,
    validityMs: number,
    id?: string,
  ) {
    const expiresMs = Math.min(nowMs + validityMs, admission.expiresMs);
    const { key, header } = current();
    const admittedUntil = Math.ceil(admission.expiresMs / 1_000);
    const { audience, line } = settingsOf(room);
    // Tells the room from an earlier or later one of its id.
    const ofLine = line !== undefined && { line };
    const jwt = new SignJWT({ ...admissionClaims(room, admission), ...ofLine, admitted_until: admittedUntil })
      .setProtectedHeader(header)
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(admission.sub)
      .setIssuedAt(Math.floor(nowMs / 1_000))
      .setExpirationTime(Math.ceil(expiresMs / 1_000));
    const token = await (id === undefined ? jwt : jwt.setJti(id)).sign(key);
    return { token, expiresMs };
  }

  return {
    issue: (room: string, admission: Admission | AwayAdmission, nowMs: number) =>
      sign(room, admission, nowMs, settingsOf(room).validityMs),

    /**
     * One that travels in an address: it is good for a minute at most, and to be taken once. All of one login have one name.
     *
     * @param login hash of the login that it is made for
     */
    issueHandOver(room: string, admission: Admission | AwayAdmission, login: string, nowMs: number) {
      const validityMs = Math.min(settingsOf(room).validityMs, handOverMs);
      return sign(room, admission, nowMs, validityMs, `${login}.${admission.sub}`);
    },

    /** Null for a token that is not of this issuer for this room, or has expired. */
    async read(room: string, token: string, nowMs: number): Promise<PresentedAdmission | null> {
      if (token.length > tokenLengthMax) return null;
      const { audience, line } = settingsOf(room);
      try {
        const { payload } = await jwtVerify(token, current().publicKeys, {
          issuer,
          audience,
          algorithms: [admissionTokenAlg],
          typ: tokenType,
          currentDate: new Date(nowMs),
          requiredClaims: ["sub", "room", "iat", "exp", "admitted_at"],
        });
        const { sub = "", iat = 0, exp = 0, jti } = payload;
        if (payload.room !== room || payload.line !== line) return null;
        // What we have signed has the shape that we gave it.
        const said = payload as unknown as AdmissionClaims & { readonly admitted_until: number };
        const { queue_position, admitted_via, admitted_at } = said;
        return {
          sub,
          issuedMs: iat * 1_000,
          expiresMs: exp * 1_000,
          admittedMs: admitted_at * 1_000,
          admittedUntilMs: said.admitted_until * 1_000,
          position: queue_position,
          via: admitted_via,
          handOver: jti?.split(".", 1)[0] ?? null,
        };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

function readKeys(signingKeys: readonly SigningJwk[]) {
  const admissionKeys = signingKeys.filter(({ alg }) => alg === admissionTokenAlg);
  const [first] = admissionKeys;
  if (first === undefined) throw new Error("there is no key to sign with");
  return {
    key: first as JWK,
    header: { alg: first.alg, kid: first.kid, typ: tokenType },
    publicKeys: createLocalJWKSet({ keys: admissionKeys.map(publicJwk) }),
  };
}
