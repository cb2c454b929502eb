/**
 * What becomes of the keys without anybody's asking. Keys of the configuration (or of the secrets file) come into the registry, so
 * that a change there is a rotation like any other: verified with by all first, then signing. Pure, as key-lifecycle.ts.
 */
import type { MacKey, SigningAlg } from "../../config/index.ts";
import type { KeyPurpose, RegisteredKey, RegistryContent } from "../content.ts";
import type { KeyName } from "./held-keys.ts";
import { activeIn, allowedAtMs, type LifecycleTerms, slotOf, takeStep } from "./key-lifecycle.ts";
import type { KeyPool } from "./key-pool.ts";
import { wrapKey, wrappedWith } from "./key-wrapping.ts";

/**
 * Milliseconds for which a key must be known before it is promoted by itself, when it is first at the source. Longer
 * than the time asked of an operator: processes read their configuration at different times, and Amazon's secrets once
 * a minute.
 */
const automaticAfterMs = 15 * 60_000;
/** Retired ones of one purpose that stay on record. */
const retiredMax = 50;
/** Keys of configurations, of one purpose, that are not retired and that this process does not have. */
const absentMax = 100;

/** Which keys are left to anybody. */
export interface Presence {
  /** No other process goes by this registry. */
  readonly isAlone: boolean;
  readonly pool: KeyPool;
}

export interface Upkeep extends Presence {
  /** Of these slots this process has just read which key is first: at its start, and when its source changed. */
  readonly announced: ReadonlySet<string>;
  readonly terms: LifecycleTerms;
  /** Staged ones for algorithms that clients want; each signs at once where nothing else does. */
  readonly generated: readonly RegisteredKey[];
  /** By what stands there now. */
  readonly rewrapped: ReadonlyMap<string, string>;
}

/** The same content where there is nothing to do. */
export function keepUp(content: RegistryContent, upkeep: Upkeep): RegistryContent {
  const { pool, generated, terms, rewrapped } = upkeep;
  const slots = new Set(pool.atSource.map(slotOf));
  const enrolled = [...slots].reduce((before, slot) => enrolSlot(before, slot, upkeep), content);
  const entered = generated.reduce((before, key) => enterGenerated(before, key, upkeep), enrolled);
  return rewrap(tidyKeys(promoteDue(entered, upkeep), terms, pool.isAtSource), rewrapped);
}

/** The algorithms among those wanted for which no key signs. */
export function missingAlgs(content: RegistryContent, wanted: Iterable<SigningAlg>, presence: Presence): SigningAlg[] {
  return [...new Set(wanted)].filter((alg) => isVacant(content, slotOf({ purpose: "signing", alg }), presence));
}

/** The ticket key to wrap new keys with: one of the configuration, which all processes have. Undefined: it is not known here. */
export function rootFor(content: RegistryContent, pool: KeyPool, nowMs: number): MacKey | undefined {
  const candidates = [content.sources?.tickets?.kid, ...pool.atSource.map(({ kid }) => kid)];
  return candidates.map((kid) => settledRoot(content, kid, pool, nowMs)).find((root) => root !== undefined);
}

/**
 * What is wrapped with an older ticket key, wrapped with the one that the configuration has first now: the older one may leave it
 * then. All processes go by the same first one, so that they do not undo each other's.
 */
export async function wrapAnew(content: RegistryContent, pool: KeyPool, issuer: string, nowMs: number) {
  const rewrapped = new Map<string, string>();
  const root = settledRoot(content, content.sources?.tickets?.kid, pool, nowMs);
  if (root === undefined) return rewrapped;
  for (const { wrapped, ...name } of content.keys) {
    const unwrapped = pool.unwrapped(name.kid);
    if (wrapped === null || unwrapped === undefined || wrappedWith(wrapped) === root.kid) continue;
    rewrapped.set(wrapped, await wrapKey(root, issuer, name, unwrapped.text));
  }
  return rewrapped;
}

/** Once it has been there long enough for all processes to have it. */
function settledRoot(content: RegistryContent, kid: string | undefined, pool: KeyPool, nowMs: number) {
  const entry = content.keys.find((key) => key.kid === kid && key.purpose === "tickets");
  const isSettled =
    entry !== undefined && (entry.state !== "staged" || nowMs >= (entry.since.staged ?? 0) + automaticAfterMs);
  return isSettled ? pool.root(entry.kid) : undefined;
}

/**
 * Enters what is not known yet. Where nothing was, the first key is the active one; later ones are staged. A process that does
 * not have the active key has another configuration than the others, and enters nothing: it would take over with keys that
 * nobody else has.
 */
function enrolSlot(content: RegistryContent, slot: string, upkeep: Upkeep): RegistryContent {
  const { pool, announced, terms } = upkeep;
  const names = pool.atSource.filter((name) => slotOf(name) === slot);
  const active = activeIn(content, slot);
  if (active !== undefined && !upkeep.isAlone && !pool.has(active.kid)) return content;

  const entered = names.reduce((before, name) => enterStaged(before, name, terms.nowMs), content);
  const stateOf = (kid: string) => entered.keys.find((key) => key.kid === kid)?.state;
  const first = names.find(({ kid }) => stateOf(kid) !== "retired");
  if (first === undefined) return entered;
  if (isVacant(content, slot, upkeep)) {
    return withSource(takeStep(entered, "promote", first.kid, terms, true), slot, first.kid, false);
  }
  if (!announced.has(slot) || entered.sources?.[slot]?.kid === first.kid) return entered;
  return withSource(entered, slot, first.kid, stateOf(first.kid) !== "active");
}

/** Two places of the configuration may hold one key. */
function enterStaged(content: RegistryContent, name: KeyName, nowMs: number): RegistryContent {
  if (content.keys.some(({ kid }) => kid === name.kid)) return content;
  return { ...content, keys: [...content.keys, keyOfSource(name, { staged: nowMs })] };
}

/** A staged one. */
export function keyOfSource({ kid, purpose, alg }: KeyName, since: RegisteredKey["since"]): RegisteredKey {
  return { kid, purpose, alg, source: "configuration", state: "staged", since, wrapped: null };
}

function withSource(content: RegistryContent, slot: string, kid: string, isToSign: boolean): RegistryContent {
  return { ...content, sources: { ...content.sources, [slot]: { kid, is_to_sign: isToSign } } };
}

/** No process signs with it, or none that still runs. */
function isVacant(content: RegistryContent, slot: string, { isAlone, pool }: Presence): boolean {
  const active = activeIn(content, slot);
  return active === undefined || (isAlone && !pool.has(active.kid));
}

function enterGenerated(content: RegistryContent, key: RegisteredKey, upkeep: Upkeep): RegistryContent {
  if (!isVacant(content, slotOf(key), upkeep)) return content;
  return takeStep({ ...content, keys: [...content.keys, key] }, "promote", key.kid, upkeep.terms, true);
}

/** Promotes what is first at the source and has been known to all for long enough. */
function promoteDue(content: RegistryContent, { terms, pool }: Upkeep): RegistryContent {
  let result = content;
  for (const { kid, is_to_sign } of Object.values(content.sources ?? {})) {
    const key = result.keys.find((candidate) => candidate.kid === kid);
    if (!is_to_sign || key === undefined || !pool.has(kid)) continue;
    const fromMs = allowedAtMs("promote", key, terms.longestTokenMs);
    const isDue = fromMs !== null && terms.nowMs >= Math.max(fromMs, (key.since.staged ?? 0) + automaticAfterMs);
    if (isDue) result = takeStep(result, "promote", kid, terms);
  }
  return result;
}

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
  const isAbsent = ({ source, kid }: RegisteredKey) => source === "configuration" && !isAtSource(kid);
  const isOver = (key: RegisteredKey) =>
    isAbsent(key) &&
    key.state === "retiring" &&
    terms.nowMs >= (allowedAtMs("retire", key, terms.longestTokenMs) ?? Number.POSITIVE_INFINITY);
  const retired = content.keys
    .filter(isOver)
    .reduce((before, { kid }) => takeStep(before, "retire", kid, terms), content);
  const forgotten = new Set([
    ...beyond(retired, retiredMax, ({ kid, state }) => state === "retired" && !isAtSource(kid)),
    ...beyond(retired, absentMax, (key) => isAbsent(key) && (key.state === "staged" || key.state === "retiring")),
  ]);
  return forgotten.size === 0 ? retired : { ...retired, keys: retired.keys.filter((key) => !forgotten.has(key)) };
}

/** Those that are more than `max` of their purpose, the longest unchanged first. */
function beyond({ keys }: RegistryContent, max: number, counts: (key: RegisteredKey) => boolean): RegisteredKey[] {
  const seen = new Map<KeyPurpose, number>();
  const changedMs = ({ since }: RegisteredKey) => Math.max(...Object.values(since));
  return keys
    .filter(counts)
    .sort((a, b) => changedMs(b) - changedMs(a))
    .filter(({ purpose }) => {
      const count = (seen.get(purpose) ?? 0) + 1;
      seen.set(purpose, count);
      return count > max;
    });
}

function rewrap(content: RegistryContent, rewrapped: ReadonlyMap<string, string>): RegistryContent {
  const nextOf = ({ wrapped }: RegisteredKey) => (wrapped === null ? undefined : rewrapped.get(wrapped));
  if (!content.keys.some((key) => nextOf(key) !== undefined)) return content;
  return { ...content, keys: content.keys.map((key) => ({ ...key, wrapped: nextOf(key) ?? key.wrapped })) };
}
