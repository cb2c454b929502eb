import { type JWK, SignJWT } from "jose";
import { publicJwk, type SigningJwk } from "../../config/index.ts";
import { derived } from "../../lib/derived.ts";
import { createLruCache } from "../../lib/lru-cache.ts";
import type { Admission } from "../../room/index.ts";
import type { TokenTerms } from "./home.ts";

/** The answer of `generate_token`, in the order of the interface. */
export interface TokenSet {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly token_type: "Bearer";
  /** Seconds; 0 for tokens that have expired. */
  readonly expires_in: number;
}

/** What of an admission is in its tokens. */
export type Admitted = Pick<Admission, "sub" | "position" | "admittedMs" | "expiresMs">;

/** Their authorizers know no other. */
const alg = "RS256";
const uses = ["access", "refresh", "id"] as const;
/** About 2.5 KB each. */
const cachedMax = 4_000;

export type AwsTokens = ReturnType<typeof createAwsTokens>;

/**
 * Tokens as the interface has them, three of each admission: signed with the issuer's RSA key, which signs the same text alike, so that all processes
 * make the same tokens. They are cached by visitor: who asks again costs no signature.
 *
 * @param issuer `iss`, where the admission does not say another
 */
export function createAwsTokens({
  issuer,
  keys,
}: {
  readonly issuer: string;
  readonly keys: () => readonly SigningJwk[];
}) {
  const current = derived(
    () => [keys()],
    (all) => {
      const key = all.find((candidate) => candidate.alg === alg);
      if (key === undefined) throw new TypeError("there is no RSA key to sign tokens with");
      return key;
    },
  );
  const cache = createLruCache<string, Promise<readonly string[]>>(cachedMax);

  return {
    /** The one key by which tokens are verified (RFC 7517); members as the interface has them. */
    publicKey(): { alg: string; e: string; kid: string; kty: string; n: string } {
      const { kty, kid, n = "", e = "" } = publicJwk(current()) as Readonly<Record<string, string>>;
      return { alg, e, kid: kid ?? "", kty: kty ?? "", n };
    },

    /** @param nowMs of the store */
    async issue(
      event: string,
      requestId: string,
      admission: Admitted,
      terms: TokenTerms,
      nowMs: number,
    ): Promise<TokenSet> {
      const claims = claimsOf(event, requestId, admission, terms);
      const key = current();
      const name = [admission.sub, key.kid, event, claims.iss, claims.iat, claims.exp].join(" ");
      let signed = cache.get(name);
      if (signed === undefined) {
        signed = Promise.all(uses.map((use) => sign(key, { ...claims, token_use: use })));
        cache.set(name, signed);
        // What failed is tried again.
        signed.catch(() => cache.delete(name));
      }
      const [access_token = "", refresh_token = "", id_token = ""] = await signed;
      const expires_in = Math.max(0, claims.exp - Math.floor(nowMs / 1_000));
      return { access_token, refresh_token, id_token, token_type: "Bearer", expires_in };
    },
  };

  function claimsOf(event: string, requestId: string, admission: Admitted, terms: TokenTerms) {
    const iat = Math.floor(admission.admittedMs / 1_000);
    return {
      aud: event,
      sub: requestId,
      queue_position: admission.position,
      iat,
      nbf: iat,
      exp: expiryOf(admission, terms),
      iss: terms.issuer ?? issuer,
    };
  }
}

/** When the tokens of an admission expire, in seconds: with it, or before. */
export function expiryOf(
  { admittedMs, expiresMs }: Pick<Admission, "admittedMs" | "expiresMs">,
  terms: TokenTerms,
): number {
  const end = Math.floor(expiresMs / 1_000);
  return terms.validitySec === null ? end : Math.min(end, Math.floor(admittedMs / 1_000) + terms.validitySec);
}

function sign(key: SigningJwk, claims: Readonly<Record<string, string | number>>): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg, typ: "JWT", kid: key.kid }).sign(key as JWK);
}
