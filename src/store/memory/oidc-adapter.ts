import { AlreadyConsumedError } from "../../lib/errors.ts";
import type { OidcAdapter, OidcRecord } from "../contract/room-store.ts";
import { boundToRun, grantable } from "../contract/shared.ts";
import type { MemoryData } from "./data.ts";

const pruneCount = 20;
/** How long a revoked grant is remembered at least, so that a token saved late finds out. */
const revokedMs = 60 * 60_000;

/**
 * Takes out expired entries from the front; each call looks at no more than a few. Entries that still live go to
 * the back, so that in time every entry is looked at, whatever its lifetime.
 */
function prune<T extends { expiresMs: number }>(entries: Map<string, T>, nowMs: number): void {
  let count = 0;
  for (const [key, entry] of entries) {
    if (count++ >= pruneCount) return;
    entries.delete(key);
    if (entry.expiresMs > nowMs) entries.set(key, entry);
  }
}

/** oidc-provider's adapter over plain maps. */
export function createOidcAdapter(
  store: Pick<MemoryData, "oidc" | "runId">,
  model: string,
  now: () => number,
): OidcAdapter {
  const keyOf = (id: string) => `${model}:${id}`;

  function live<T extends { expiresMs: number }>(entries: Map<string, T>, key: string): T | undefined {
    const entry = entries.get(key);
    return entry !== undefined && entry.expiresMs > now() ? entry : undefined;
  }

  function liveRecord(key: string) {
    const record = live(store.oidc.records, key);
    return record?.runId === null || record?.runId === store.runId ? record : undefined;
  }

  function find(id: string): OidcRecord | undefined {
    const record = liveRecord(keyOf(id));
    if (record === undefined) return undefined;
    const payload = structuredClone(record.payload);
    const { consumed, consumedBy } = record;
    if (consumed === null) return payload;
    return { ...payload, consumed, ...(consumedBy !== undefined && { consumed_by: consumedBy }) };
  }

  /** Files the record under its grant; answers false when that grant has been revoked. */
  function fileUnderGrant(grantId: string, key: string, expiresMs: number): boolean {
    prune(store.oidc.grants, now());
    const grant = live(store.oidc.grants, grantId) ?? { keys: new Set<string>(), revoked: false, expiresMs };
    if (grant.revoked) return false;
    grant.keys.add(key);
    grant.expiresMs = Math.max(grant.expiresMs, expiresMs);
    store.oidc.grants.set(grantId, grant);
    return true;
  }

  return {
    async upsert(id, payload, expiresInSec) {
      const key = keyOf(id);
      const expiresMs = now() + expiresInSec * 1_000;
      prune(store.oidc.records, now());
      prune(store.oidc.uids, now());
      const isGranted = grantable.has(model) && payload.grantId !== undefined;
      if (isGranted && !fileUnderGrant(payload.grantId ?? "", key, expiresMs)) return;
      const { consumed = null, consumedBy } = liveRecord(key) ?? {};
      const runId = boundToRun.has(model) ? store.runId : null;
      store.oidc.records.set(key, {
        payload: structuredClone(payload),
        consumed,
        expiresMs,
        runId,
        ...(consumedBy && { consumedBy }),
      });
      if (payload.uid !== undefined) store.oidc.uids.set(`${model}:${payload.uid}`, { id, expiresMs });
    },
    async find(id) {
      return find(id);
    },
    async findByUid(uid) {
      const entry = live(store.oidc.uids, `${model}:${uid}`);
      const payload = entry === undefined ? undefined : find(entry.id);
      return payload?.uid === uid ? payload : undefined;
    },
    async consume(id, by) {
      const record = liveRecord(keyOf(id));
      if (record === undefined || record.consumed !== null) throw new AlreadyConsumedError();
      record.consumed = Math.floor(now() / 1_000);
      if (by !== undefined) record.consumedBy = by;
    },
    async destroy(id) {
      store.oidc.records.delete(keyOf(id));
    },
    async revokeByGrantId(grantId) {
      const grant = live(store.oidc.grants, grantId);
      for (const key of grant?.keys ?? []) store.oidc.records.delete(key);
      const expiresMs = Math.max(grant?.expiresMs ?? 0, now() + revokedMs);
      store.oidc.grants.set(grantId, { keys: new Set(), revoked: true, expiresMs });
    },
  };
}
