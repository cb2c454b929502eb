import { AlreadyConsumedError } from "../../lib/errors.ts";
import type { OidcAdapter, OidcRecord } from "../contract/room-store.ts";
import { boundToRun } from "../contract/shared.ts";
import type { MemoryData } from "./data.ts";

const pruneCount = 20;

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

  function liveRecord(key: string) {
    const record = store.oidc.records.get(key);
    if (record === undefined || record.expiresMs <= now()) return undefined;
    return record.runId === null || record.runId === store.runId ? record : undefined;
  }

  function find(id: string): OidcRecord | undefined {
    const record = liveRecord(keyOf(id));
    if (record === undefined) return undefined;
    const payload = structuredClone(record.payload);
    const { consumed, consumedBy } = record;
    if (consumed === null) return payload;
    return { ...payload, consumed, ...(consumedBy !== undefined && { consumed_by: consumedBy }) };
  }

  return {
    async upsert(id, payload, expiresInSec) {
      const key = keyOf(id);
      const expiresMs = now() + expiresInSec * 1_000;
      prune(store.oidc.records, now());
      const { consumed = null, consumedBy } = liveRecord(key) ?? {};
      const runId = boundToRun.has(model) ? store.runId : null;
      store.oidc.records.set(key, {
        payload: structuredClone(payload),
        consumed,
        expiresMs,
        runId,
        ...(consumedBy && { consumedBy }),
      });
    },
    async find(id) {
      return find(id);
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
  };
}
