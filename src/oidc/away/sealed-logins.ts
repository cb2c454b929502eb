/**
 * Logins that no store knows (`rooms[].when_away: let_in`): all that a store would keep of a code or an access token is in the token itself,
 * encrypted by a key that all processes of the issuer have. A process knows which of them it has seen used; others do not.
 */
import { createLruCache } from "../../lib/lru-cache.ts";
import type { AwayAdmission } from "../../room/index.ts";
import type { OidcParts } from "../parts.ts";
import { createSealing } from "../sealing.ts";

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
/** Characters. Ours have about 1,600, more with a long nonce, and with what a provider says of the visitor 4,000 more; longer ones are not looked at. */
const lengthMax = 8_192;
/** So many codes that were used, tokens and grants that were revoked are remembered by a process. */
const goneMax = 100_000;

export function isSealed(id: unknown): id is string {
  return typeof id === "string" && id.startsWith(prefix);
}

export function createSealedLogins(parts: Pick<OidcParts, "issuer" | "keys">) {
  const sealing = createSealing<SealedLogin>(parts, "usher login without a store", lengthMax);
  const gone = createLruCache<string, true>(goneMax);

  return {
    seal: async (login: SealedLogin): Promise<string> => prefix + (await sealing.seal(login)),

    /** Null for what no process of this issuer has sealed. Whether it was revoked meanwhile: see `isRevoked`. */
    async open(id: string): Promise<SealedLogin | null> {
      return isSealed(id) ? sealing.open(id.slice(prefix.length)) : null;
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
