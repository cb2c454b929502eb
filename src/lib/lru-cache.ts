import { LRUCache } from "lru-cache";

/**
 * Remembers so many entries, those that were used last, and takes memory as it fills. With `max`, the library would take that of all
 * entries at once, megabytes for each room.
 */
export function createLruCache<K extends {}, V extends {}>(entriesMax: number, ttlMs?: number): LRUCache<K, V> {
  return new LRUCache<K, V>({
    maxSize: entriesMax,
    sizeCalculation: () => 1,
    ...(ttlMs !== undefined && { ttl: ttlMs }),
  });
}
