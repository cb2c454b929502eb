import { type Adapter, type AdapterFactory, errors } from "oidc-provider";
import { AlreadyConsumedError } from "../../lib/errors.ts";
import { orTemporarilyUnavailable } from "./unavailable.ts";

/** The store's records as oidc-provider wants them: a second redemption is `invalid_grant`, not a fault. */
export function createAdapterFactory(adapterOf: AdapterFactory): AdapterFactory {
  return (model) => {
    const records = adapterOf(model);
    const adapter: Adapter = {
      upsert: (id, payload, expiresInSec) => orTemporarilyUnavailable(records.upsert(id, payload, expiresInSec)),
      find: (id) => orTemporarilyUnavailable(records.find(id)),
      findByUid: (uid) => orTemporarilyUnavailable(records.findByUid(uid)),
      findByUserCode: (userCode) => orTemporarilyUnavailable(records.findByUserCode(userCode)),
      destroy: (id) => orTemporarilyUnavailable(records.destroy(id)),
      revokeByGrantId: (grantId) => orTemporarilyUnavailable(records.revokeByGrantId(grantId)),
      async consume(id) {
        try {
          await orTemporarilyUnavailable(records.consume(id));
        } catch (error) {
          if (error instanceof AlreadyConsumedError) throw new errors.InvalidGrant("already consumed");
          throw error;
        }
      },
    };
    return adapter;
  };
}
