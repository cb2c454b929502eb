import type { RegisteredKey, RegistryContent } from "../content.ts";
import { nameOnly } from "./key-enrolment.ts";
import { mayPromoteAtMs, mayRetireAtMs } from "./key-lifecycle.ts";
import type { KeyPool } from "./key-pool.ts";

/** A key as an operator sees it. Times in milliseconds since 1970; null: never, or not by itself. */
export interface KeyReport {
  readonly key: RegisteredKey;
  readonly mayPromoteAtMs: number | null;
  readonly mayRetireAtMs: number | null;
  /** Whether this process has it. */
  readonly isHeld: boolean;
}

/** All keys, in the order in which they came, with those that this process alone knows. */
export function keyReports(content: RegistryContent, pool: KeyPool, longestTokenMs: number): KeyReport[] {
  return [...content.keys, ...ownUnknown(content, pool)].map((key) => reportOf(key, pool, longestTokenMs));
}

export function reportOf(key: RegisteredKey, pool: KeyPool, longestTokenMs: number): KeyReport {
  const isKnown = key.since[key.state] !== undefined;
  return {
    key,
    mayPromoteAtMs: isKnown ? mayPromoteAtMs(key) : null,
    mayRetireAtMs: isKnown ? mayRetireAtMs(key, longestTokenMs) : null,
    isHeld: pool.has(key.kid),
  };
}

/** With a key of this process's configuration that was not entered: where all others are lost, it may be promoted. */
export function withOwn(content: RegistryContent, pool: KeyPool, kid: string, nowMs: number): RegistryContent {
  const own = ownUnknown(content, pool).find((key) => key.kid === kid);
  return own === undefined ? content : { ...content, keys: [...content.keys, { ...own, since: { staged: nowMs } }] };
}

function ownUnknown({ keys }: RegistryContent, pool: KeyPool): RegisteredKey[] {
  return pool.atSource
    .filter(({ kid }) => !keys.some((key) => key.kid === kid))
    .map((key) => ({ ...nameOnly(key), source: "configuration", state: "staged", since: {}, wrapped: null }));
}
