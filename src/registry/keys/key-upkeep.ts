/** What becomes of the keys without anybody's asking. */
import type { MacKey, SigningAlg } from "../../config/index.ts";
import type { RegisteredKey, RegistryContent } from "../content.ts";
import { type Enrolment, enrolKeys, isSettled, promoteDue } from "./key-enrolment.ts";
import { activeIn, slotOf, takeStep } from "./key-lifecycle.ts";
import type { KeyPool } from "./key-pool.ts";
import { tidyKeys } from "./key-tidying.ts";
import { wrapKey, wrappedWith } from "./key-wrapping.ts";

/** Which keys are left to anybody. */
export type Presence = Pick<Enrolment, "isAlone" | "isHeld">;

export interface Upkeep {
  readonly enrolment: Enrolment;
  readonly isAtSource: (kid: string) => boolean;
  /** Staged ones for algorithms that clients want; each signs at once where nothing else does. */
  readonly made: readonly RegisteredKey[];
  /** By what stands there now. */
  readonly rewrapped: ReadonlyMap<string, string>;
}

/** The same content where there is nothing to do. Pure. */
export function keepUp(content: RegistryContent, { enrolment, isAtSource, made, rewrapped }: Upkeep): RegistryContent {
  const { terms, isHeld } = enrolment;
  const entered = made.reduce((before, key) => enterMade(before, key, enrolment), enrolKeys(content, enrolment));
  return rewrap(tidyKeys(promoteDue(entered, terms, isHeld), terms, isAtSource), rewrapped);
}

/** The algorithms among those wanted for which no key signs. */
export function missingAlgs(content: RegistryContent, wanted: Iterable<SigningAlg>, presence: Presence): SigningAlg[] {
  return [...new Set(wanted)].filter((alg) => isVacant(content, slotOf({ purpose: "signing", alg }), presence));
}

/** The ticket key to wrap new keys with: one of the configuration, which all processes have. Null: it is not known here. */
export function rootFor(content: RegistryContent, pool: KeyPool, nowMs: number): MacKey | null {
  const candidates = [content.sources?.tickets?.kid, ...pool.atSource.map(({ kid }) => kid)];
  for (const kid of candidates) {
    const root = kid === undefined ? undefined : settledRoot(content, kid, pool, nowMs);
    if (root !== undefined) return root;
  }
  return null;
}

/**
 * What is wrapped with an older ticket key, wrapped with the one that the configuration has first now: the older one may leave it
 * then. All processes go by the same first one, so that they do not undo each other's.
 */
export async function wrapAnew(content: RegistryContent, pool: KeyPool, issuer: string, nowMs: number) {
  const rewrapped = new Map<string, string>();
  const first = content.sources?.tickets?.kid;
  const root = first === undefined ? undefined : settledRoot(content, first, pool, nowMs);
  if (root === undefined) return rewrapped;
  for (const { kid, purpose, alg, wrapped } of content.keys) {
    const known = pool.unwrapped(kid);
    if (wrapped === null || known === null || wrappedWith(wrapped) === root.kid) continue;
    rewrapped.set(wrapped, await wrapKey(root, issuer, { kid, purpose, alg }, known.text));
  }
  return rewrapped;
}

function settledRoot(content: RegistryContent, kid: string, pool: KeyPool, nowMs: number): MacKey | undefined {
  const entry = content.keys.find((key) => key.kid === kid && key.purpose === "tickets");
  return entry !== undefined && isSettled(entry, nowMs) ? pool.root(kid) : undefined;
}

/** No process signs with it, or none that still runs. */
function isVacant(content: RegistryContent, slot: string, { isAlone, isHeld }: Presence): boolean {
  const active = activeIn(content, slot);
  return active === undefined || (isAlone && !isHeld(active.kid));
}

function enterMade(content: RegistryContent, key: RegisteredKey, enrolment: Enrolment): RegistryContent {
  if (!isVacant(content, slotOf(key), enrolment)) return content;
  return takeStep({ ...content, keys: [...content.keys, key] }, "promote", key.kid, enrolment.terms, true);
}

function rewrap(content: RegistryContent, rewrapped: ReadonlyMap<string, string>): RegistryContent {
  const nextOf = ({ wrapped }: RegisteredKey) => (wrapped === null ? undefined : rewrapped.get(wrapped));
  if (!content.keys.some((key) => nextOf(key) !== undefined)) return content;
  return { ...content, keys: content.keys.map((key) => ({ ...key, wrapped: nextOf(key) ?? key.wrapped })) };
}
