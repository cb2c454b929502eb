import { AlreadyConsumedError } from "../../lib/errors.ts";
import { boundToRun, grantable } from "../contract/oidc-adapter.ts";
import type { OidcAdapter, OidcRecord } from "../contract/room-store.ts";
import type { Keys } from "./keys.ts";
import type { Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";
import type { UsedRecords } from "./used-records.ts";

/** What must not come back when the server's data is put back. */
const worksOnce: ReadonlySet<string> = new Set([...grantable, ...boundToRun]);
/** How long a revoked grant is remembered at least, so that a token saved late finds out. */
const revokedMs = 60 * 60_000;

/**
 * oidc-provider's records in Redis. Each command touches one key, so that a Cluster may keep them anywhere; what
 * binds several keys together is the order in which they are written.
 */
export function createRedisOidcAdapter(runner: Runner, keys: Keys, used: UsedRecords, model: string): OidcAdapter {
  const keyOf = (id: string) => `${model}:${id}`;
  const destroyKey = async (record: string) => {
    if (worksOnce.has(record.slice(0, record.indexOf(":")))) used.add(record, "gone");
    await runner.command("del", (client) => client.del(keys.oidcRecord(record)));
  };

  async function find(id: string): Promise<OidcRecord | undefined> {
    const { payload, consumed, by } = await runner.run(scripts.findRecord, { record: keys.oidcRecord(keyOf(id)) }, {});
    const how = used.of(keyOf(id));
    if (payload === "" || how === "gone") return undefined;
    const record = JSON.parse(payload) as OidcRecord;
    if (boundToRun.has(model) && (await used.isVoid(Number(record.iat) * 1_000))) return undefined;
    // Used up here, and put back since.
    if (consumed === "" && how === "consumed") return { ...record, consumed: record.iat ?? 1 };
    if (consumed === "") return record;
    return { ...record, consumed: Number(consumed), ...(by !== "" && { consumed_by: by }) };
  }

  return {
    find,
    async findByUid(uid) {
      const id = await runner.run(scripts.findIndex, { index: keys.oidcUid(model, uid) }, {});
      const record = id === "" ? undefined : await find(id);
      // The index may outlive what it pointed to.
      return record?.uid === uid ? record : undefined;
    },
    async upsert(id, payload, expiresInSec) {
      const record = keyOf(id);
      used.forget(record);
      const ttl_ms = Math.max(1, Math.ceil(expiresInSec * 1_000));
      const { uid, grantId } = payload;
      const bound_to_run = boundToRun.has(model) ? "1" : "0";
      const text = { payload: JSON.stringify(payload), ttl_ms, bound_to_run };
      await runner.run(scripts.upsertRecord, { record: keys.oidcRecord(record) }, text);
      if (uid !== undefined) await runner.run(scripts.putIndex, { index: keys.oidcUid(model, uid) }, { id, ttl_ms });
      if (grantId === undefined || !grantable.has(model)) return;
      // After the record: a process that revokes the grant meanwhile either finds the record listed, or is noticed here.
      const grant = keys.oidcGrant(grantId);
      const isFiled = await runner.run(scripts.fileUnderGrant, { grant }, { record, ttl_ms });
      if (!isFiled) await destroyKey(record);
    },
    async consume(id, by = "") {
      const isFirst = await runner.run(scripts.consumeRecord, { record: keys.oidcRecord(keyOf(id)) }, { by });
      if (!isFirst || used.of(keyOf(id)) !== null) throw new AlreadyConsumedError();
      used.add(keyOf(id), "consumed");
    },
    async destroy(id) {
      await destroyKey(keyOf(id));
    },
    async revokeByGrantId(grantId) {
      const grant = keys.oidcGrant(grantId);
      const records = await runner.run(scripts.revokeGrant, { grant }, { ttl_ms: revokedMs });
      await Promise.all(records.map((record) => destroyKey(record)));
    },
  };
}
