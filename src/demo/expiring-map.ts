import type { Clock } from "../lib/clock.ts";

/** A map whose entries end at a time of their own; when it is full, the oldest entry makes room. */
export interface ExpiringMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, expiresMs: number): void;
  /** Answers the entry and removes it, so that it is used once. */
  take(key: string): Value | undefined;
  delete(key: string): void;
}

export function createExpiringMap<Value>(sizeMax: number, clock: Clock): ExpiringMap<Value> {
  const entries = new Map<string, { value: Value; expiresMs: number }>();

  function get(key: string): Value | undefined {
    const entry = entries.get(key);
    if (entry !== undefined && entry.expiresMs <= clock.now()) entries.delete(key);
    return entries.get(key)?.value;
  }

  return {
    get,
    set(key, value, expiresMs) {
      // Deleted first, so that the map's order stays that of the last change.
      entries.delete(key);
      entries.set(key, { value, expiresMs });
      const [oldest] = entries.keys();
      if (entries.size > sizeMax && oldest !== undefined) entries.delete(oldest);
    },
    take(key) {
      const value = get(key);
      entries.delete(key);
      return value;
    },
    delete: (key) => void entries.delete(key),
  };
}
