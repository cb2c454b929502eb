/** The reports on the keys: the list for operators, what is wrong at this process, and log lines. */
import type { RegisteredKey, RegistryContent } from "../content.ts";
import { allowedAtMs, eventOfState, slotOf } from "./key-lifecycle.ts";
import type { KeyPool } from "./key-pool.ts";
import { keyOfSource } from "./key-upkeep.ts";
import { wrappedWith } from "./key-wrapping.ts";

/** A key as an operator sees it. Times in milliseconds since 1970; null: never, or not by itself. */
export interface KeyReport {
  readonly key: RegisteredKey;
  readonly mayPromoteAtMs: number | null;
  readonly mayRetireAtMs: number | null;
  /** Whether this process has it. */
  readonly isAvailable: boolean;
}

/** All keys, in the order in which they came, with those that this process alone knows. */
export function keyReports(content: RegistryContent, pool: KeyPool, longestTokenMs: number): KeyReport[] {
  return [...content.keys, ...unregistered(content, pool)].map((key) => reportOf(key, pool, longestTokenMs));
}

export function reportOf(key: RegisteredKey, pool: KeyPool, longestTokenMs: number): KeyReport {
  const isEntered = key.since[key.state] !== undefined;
  return {
    key,
    mayPromoteAtMs: isEntered ? allowedAtMs("promote", key, longestTokenMs) : null,
    mayRetireAtMs: isEntered ? allowedAtMs("retire", key, longestTokenMs) : null,
    isAvailable: pool.has(key.kid),
  };
}

/** With a key of this process's configuration that was not entered: where all others are lost, it may be promoted. */
export function withConfigured(content: RegistryContent, pool: KeyPool, kid: string, nowMs: number): RegistryContent {
  const configured = unregistered(content, pool).find((key) => key.kid === kid);
  return configured === undefined
    ? content
    : { ...content, keys: [...content.keys, { ...configured, since: { staged: nowMs } }] };
}

function unregistered({ keys }: RegistryContent, pool: KeyPool): RegisteredKey[] {
  const unknown = pool.atSource.filter(({ kid }) => !keys.some((key) => key.kid === kid));
  return unknown.map((key) => keyOfSource(key, {}));
}

/** Keys that this process should have and does not: one sentence each, with what to do. */
export function keyFaults({ keys }: RegistryContent, pool: KeyPool, suffix: string): string[] {
  return keys.flatMap((key) => {
    const { kid, purpose, state, wrapped } = key;
    if (state === "new" || state === "retired" || pool.has(kid)) return [];
    const which = `the ${state} key ${kid} for ${purpose}${suffix}`;
    if (wrapped !== null) {
      return [
        `${which} cannot be unwrapped here: it takes the ticket key ${wrappedWith(wrapped)}; ` +
          `give this process the secrets file (or keys.tickets) of the others${lastResort(key, pool)}`,
      ];
    }
    const advice = "give this process the secrets file (or the configured keys) of the others";
    return state === "active" ? [`${which} is not here: ${advice}${lastResort(key, pool)}`] : [];
  });
}

/** What to do where the key is lost at all processes: another signs in its place, or it is given up. */
function lastResort(key: RegisteredKey, pool: KeyPool): string {
  if (key.state !== "active") return `; if it is lost for good: usher keys retire ${key.kid} --force`;
  const replacement = pool.atSource.find((candidate) => slotOf(candidate) === slotOf(key));
  return replacement === undefined ? "" : `; if it is lost for good: usher keys promote ${replacement.kid} --force`;
}

/** What happens to keys, in the words of the log. */
export type KeyEvent =
  | ({
      readonly event: "key.entered" | "key.generated" | "key.staged" | "key.promoted" | "key.retired";
      readonly kid: string;
      readonly purpose: string;
      readonly alg: string | null;
    } & KeyChangeBy)
  | { readonly event: "key.upkeep_failed"; readonly err: unknown };

export interface KeyChangeBy {
  /** Id of the admin key; absent: nobody asked. */
  readonly admin?: string;
  /** The time that a key should have had was skipped. */
  readonly forced?: true;
}

/** What a change has done, key by key. That another one is superseded goes without saying. */
export function eventsOf(before: RegistryContent, after: RegistryContent, by: KeyChangeBy): KeyEvent[] {
  const states = new Map(before.keys.map((key) => [key.kid, key.state]));
  return after.keys.flatMap(({ kid, purpose, alg, state, source }) => {
    if (states.get(kid) === state) return [];
    const entered = source === "configuration" ? "key.entered" : "key.generated";
    const event = states.has(kid) ? eventOfState(state) : entered;
    return event === null ? [] : [{ event, kid, purpose, alg, ...by }];
  });
}
