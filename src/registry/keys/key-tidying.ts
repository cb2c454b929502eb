/** Keeps the list of keys from growing for ever. Pure, as key-lifecycle.ts. */
import type { KeyPurpose, RegisteredKey, RegistryContent } from "../content.ts";
import { allowedAtMs, type LifecycleTerms, takeStep } from "./key-lifecycle.ts";

/** Retired ones of one purpose that stay on record. */
const retiredKeptMax = 50;
/** Keys of configurations, of one purpose, that are not retired and that this process does not have. */
const absentKeptMax = 100;

/**
 * A key of the configuration is taken out of it, not retired by hand: it is retired here once it is gone from there and what it
 * has signed has lapsed. Of retired keys the newest are kept on record.
 *
 * @param isAtSource whether this process's configuration has the key
 */
export function tidyKeys(
  content: RegistryContent,
  terms: LifecycleTerms,
  isAtSource: (kid: string) => boolean,
): RegistryContent {
  const isOver = (key: RegisteredKey) =>
    key.source === "configuration" &&
    key.state === "retiring" &&
    !isAtSource(key.kid) &&
    terms.nowMs >= (allowedAtMs("retire", key, terms.longestTokenMs) ?? Number.POSITIVE_INFINITY);
  const retired = content.keys
    .filter(isOver)
    .reduce((before, { kid }) => takeStep(before, "retire", kid, terms), content);
  const forgotten = new Set([
    ...beyond(retired, retiredKeptMax, ({ kid, state }) => state === "retired" && !isAtSource(kid)),
    ...beyond(retired, absentKeptMax, (key) => isVerifiedOnly(key) && !isAtSource(key.kid)),
  ]);
  return forgotten.size === 0 ? retired : { ...retired, keys: retired.keys.filter(({ kid }) => !forgotten.has(kid)) };
}

function isVerifiedOnly({ source, state }: RegisteredKey): boolean {
  return source === "configuration" && (state === "staged" || state === "retiring");
}

/** The ids of those that are more than `max` of their purpose, the longest unchanged first. */
function beyond({ keys }: RegistryContent, max: number, counts: (key: RegisteredKey) => boolean): string[] {
  const seen = new Map<KeyPurpose, number>();
  return keys
    .filter(counts)
    .sort((a, b) => changedMs(b) - changedMs(a))
    .filter(({ purpose }) => {
      const count = (seen.get(purpose) ?? 0) + 1;
      seen.set(purpose, count);
      return count > max;
    })
    .map(({ kid }) => kid);
}

function changedMs({ since }: RegisteredKey): number {
  return Math.max(...Object.values(since));
}
