/**
 * Logins that no store knows (`rooms[].when_away: let_in`): all that a store would keep of a code or an access token is in the token itself,
 * encrypted by a key that all processes of the issuer have. A process knows which of them it has seen used; others do not.
 */
import { hkdfSync } from "node:crypto";
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from "jose";
import { LRUCache } from "lru-cache";
import type { MacKey } from "../../config/resolve/config.ts";
import type { AwayAdmission } from "../../room/index.ts";
import type { OidcParts } from "../parts.ts";

/** A record as oidc-provider makes it. */
export type SealedRecord = Readonly<Record<string, unknown>>;

export interface SealedLogin {
  readonly model: "AuthorizationCode" | "AccessToken";
  readonly record: SealedRecord;
  readonly grant: SealedRecord;
  readonly admission: AwayAdmission;
}

export type SealedLogins = ReturnType<typeof createSealedLogins>;

/** No id of a record in the store begins so: those have no dot. */
const prefix = "away.";
/** Characters. Ours have about 1,600, more with a long nonce; longer ones are not looked at. */
const lengthMax = 8_192;
/** So many codes that were used, tokens and grants that were revoked are remembered by a process. */
const goneMax = 100_000;
const keyBytes = 32;

export function isSealed(id: unknown): id is string {
  return typeof id === "string" && id.startsWith(prefix);
}

/** @param keys those of the tickets, which all processes of an issuer share: the first seals, all of them open */
export function createSealedLogins({ issuer, keys }: Pick<OidcParts, "issuer" | "keys">) {
  const gone = new LRUCache<string, true>({ max: goneMax });

  return {
    async seal(login: SealedLogin): Promise<string> {
      const [key] = keys.current.tickets;
      if (key === undefined) throw new TypeError("there is no key to seal with");
      const content = new TextEncoder().encode(JSON.stringify({ issuer, ...login }));
      const header = { alg: "dir", enc: "A256GCM", kid: key.kid };
      return prefix + (await new CompactEncrypt(content).setProtectedHeader(header).encrypt(sealingKey(key)));
    },

    /** Null for what no process of this issuer has sealed. Whether it was revoked meanwhile: see `isRevoked`. */
    async open(id: string): Promise<SealedLogin | null> {
      if (!isSealed(id) || id.length > lengthMax) return null;
      const sealed = id.slice(prefix.length);
      try {
        const { kid } = decodeProtectedHeader(sealed);
        const key = keys.current.tickets.find((each) => each.kid === kid);
        if (key === undefined) return null;
        const options = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] };
        const { plaintext } = await compactDecrypt(sealed, sealingKey(key), options);
        const { issuer: of, ...login } = JSON.parse(new TextDecoder().decode(plaintext)) as SealedLogin & {
          issuer: string;
        };
        return of === issuer ? login : null;
      } catch {
        // Altered, or of somebody else.
        return null;
      }
    },

    isGone: (id: string): boolean => gone.has(id),
    /** Whether the grant was, at this process. */
    isRevoked: (login: SealedLogin): boolean => gone.has(grantName(login)),
    /** Answers whether it was there until now: a code is used once, as far as this process knows. */
    take(id: string): boolean {
      if (gone.has(id)) return false;
      gone.set(id, true);
      return true;
    },
    async revokeGrant(id: string): Promise<void> {
      const login = await this.open(id);
      if (login !== null) gone.set(grantName(login), true);
    },
  };
}

function grantName({ grant }: SealedLogin): string {
  return `grant ${grant.jti}`;
}

/** RFC 5869. A key of its own, so that nothing that is signed with the ticket key says anything about it. */
function sealingKey({ secret }: MacKey): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "usher login without a store", keyBytes));
}
