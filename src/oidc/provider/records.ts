import { hash } from "node:crypto";
import { type Adapter, type AdapterFactory, errors } from "oidc-provider";
import { AlreadyConsumedError } from "../../lib/errors.ts";
import { isInterruption } from "../../room/index.ts";
import { withSealed } from "../away/away-provider.ts";
import type { SealedLogins } from "../away/sealed-logins.ts";

/**
 * Codes, tokens and sessions are known by their ids, so the store has them under the hash of it alone: who reads the store can use
 * none (RFC 9700 §4.9.3). They have 256 random bits, so a plain hash does.
 */
function nameOf(id: string): string {
  return hash("sha256", id, "base64url");
}

/** Of one model, in one store. */
export type StoredRecords = Omit<Adapter, "findByUserCode">;

/** The store's records as oidc-provider wants them, and those of logins that no store knows. */
export function createAdapterFactory(
  adapterOf: (model: string) => StoredRecords,
  logins: SealedLogins,
): AdapterFactory {
  return (model): Adapter => {
    const records = adapterOf(model);
    const stored: Adapter = {
      upsert: (id, { jti, ...rest }, expiresInSec) => {
        const payload = jti === undefined || jti === id ? rest : { ...rest, jti };
        return orTemporarilyUnavailable(records.upsert(nameOf(id), payload, expiresInSec));
      },
      async find(id) {
        const found = await orTemporarilyUnavailable(records.find(nameOf(id)));
        return found && { jti: id, ...found };
      },
      // Of interactions, and of tokens that end with a session: there are neither.
      findByUid: (uid) => orTemporarilyUnavailable(records.findByUid(uid)),
      // Of the device flow alone, which there is not.
      findByUserCode: async () => undefined,
      destroy: (id) => orTemporarilyUnavailable(records.destroy(nameOf(id))),
      revokeByGrantId: (grantId) => orTemporarilyUnavailable(records.revokeByGrantId(grantId)),
      consume: (id) => orTemporarilyUnavailable(records.consume(nameOf(id))),
    };
    return withSealed(model, stored, logins);
  };
}

/**
 * A store that is away, or a room that recovers, as relying parties understand it: HTTP 503 with an error code that says to
 * try again (RFC 6749 4.1.2.1 names it for the authorization endpoint), instead of a fault of the server. So is a second
 * redemption, which is `invalid_grant`.
 */
export async function orTemporarilyUnavailable<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof AlreadyConsumedError) throw new errors.InvalidGrant("already consumed");
    if (!isInterruption(error)) throw error;
    throw Object.assign(new errors.TemporarilyUnavailable(error.message), { status: 503, statusCode: 503 });
  }
}
