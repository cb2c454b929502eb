import { type Adapter, type AdapterFactory, errors } from "oidc-provider";
import { AlreadyConsumedError } from "../lib/errors.ts";

/** The store's records as oidc-provider wants them: a second redemption is `invalid_grant`, not a fault. */
export function createAdapterFactory(adapterOf: AdapterFactory): AdapterFactory {
  return (model) => {
    const records = adapterOf(model);
    const adapter: Adapter = {
      upsert: (id, payload, expiresInSec) => records.upsert(id, payload, expiresInSec),
      find: (id) => records.find(id),
      findByUid: (uid) => records.findByUid(uid),
      findByUserCode: (userCode) => records.findByUserCode(userCode),
      destroy: (id) => records.destroy(id),
      revokeByGrantId: (grantId) => records.revokeByGrantId(grantId),
      async consume(id) {
        try {
          await records.consume(id);
        } catch (error) {
          if (error instanceof AlreadyConsumedError) throw new errors.InvalidGrant("already consumed");
          throw error;
        }
      },
    };
    return adapter;
  };
}
