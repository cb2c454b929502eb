/**
 * How the keys of the configuration (or of the secrets file) come into the registry, so that a change there is a rotation like any
 * other: verified with by all first, then signing. Pure, as key-lifecycle.ts.
 */
import type { KeyPurpose, RegisteredKey, RegistryContent } from "../content.ts";
import { activeIn, allowedAtMs, type LifecycleTerms, slotOf, takeStep } from "./key-lifecycle.ts";

/**
 * Milliseconds for which a key must be known before it is promoted by itself, when it is first at the source. Longer
 * than the time asked of an operator: processes read their configuration at different times, and Amazon's secrets once
 * a minute.
 */
const automaticAfterMs = 15 * 60_000;

export interface KeyName {
  readonly kid: string;
  readonly purpose: KeyPurpose;
  readonly alg: string | null;
}

export interface Enrolment {
  /** The keys of this process's configuration, in its order. */
  readonly atSource: readonly KeyName[];
  /** Whether this process has a key itself. */
  readonly isHeld: (kid: string) => boolean;
  /** Of these slots this process has just read which key is first: at its start, and when its source changed. */
  readonly announced: ReadonlySet<string>;
  /** No other process goes by this registry. */
  readonly isAlone: boolean;
  readonly terms: LifecycleTerms;
}

/**
 * Enters what is not known yet. Where nothing was, the first key is the active one; later ones are staged. A process that does
 * not have the active key has another configuration than the others, and enters nothing: it would take over with keys that
 * nobody else has.
 */
export function enrolKeys(content: RegistryContent, enrolment: Enrolment): RegistryContent {
  const slots = new Set(enrolment.atSource.map(slotOf));
  return [...slots].reduce((before, slot) => enrolSlot(before, slot, enrolment), content);
}

/** Promotes what is first at the source and has been known to all for long enough. */
export function promoteDue(
  content: RegistryContent,
  terms: LifecycleTerms,
  isHeld: (kid: string) => boolean,
): RegistryContent {
  let result = content;
  for (const { kid, is_to_sign } of Object.values(content.sources ?? {})) {
    const key = result.keys.find((candidate) => candidate.kid === kid);
    if (!is_to_sign || key === undefined || !isHeld(kid)) continue;
    const fromMs = allowedAtMs("promote", key, terms.longestTokenMs);
    const isDue = fromMs !== null && terms.nowMs >= Math.max(fromMs, (key.since.staged ?? 0) + automaticAfterMs);
    if (isDue) result = takeStep(result, "promote", kid, terms);
  }
  return result;
}

/** Whether a key of the configuration has been there long enough for all processes to have it. */
export function isSettled({ state, since }: RegisteredKey, nowMs: number): boolean {
  return state !== "staged" || nowMs >= (since.staged ?? 0) + automaticAfterMs;
}

function enrolSlot(content: RegistryContent, slot: string, enrolment: Enrolment): RegistryContent {
  const { isHeld, announced, isAlone, terms } = enrolment;
  const names = enrolment.atSource.filter((name) => slotOf(name) === slot);
  const active = activeIn(content, slot);
  const isStranger = active !== undefined && !isHeld(active.kid);
  if (isStranger && !isAlone) return content;

  const entered = enterStaged(content, names, terms.nowMs);
  const stateOf = (kid: string) => entered.keys.find((key) => key.kid === kid)?.state;
  const first = names.find(({ kid }) => stateOf(kid) !== "retired");
  if (first === undefined) return entered;
  if (active === undefined || isStranger) {
    return withSource(takeStep(entered, "promote", first.kid, terms, true), slot, first.kid, false);
  }
  if (!announced.has(slot) || entered.sources?.[slot]?.kid === first.kid) return entered;
  return withSource(entered, slot, first.kid, stateOf(first.kid) !== "active");
}

function enterStaged(content: RegistryContent, names: readonly KeyName[], nowMs: number): RegistryContent {
  const known = new Set(content.keys.map(({ kid }) => kid));
  // Two places of the configuration may hold one key.
  const unknown = new Map(names.filter(({ kid }) => !known.has(kid)).map((name) => [name.kid, name]));
  if (unknown.size === 0) return content;
  const entries = [...unknown.values()].map(
    (name): RegisteredKey => ({
      ...nameOnly(name),
      source: "configuration",
      state: "staged",
      since: { staged: nowMs },
      wrapped: null,
    }),
  );
  return { ...content, keys: [...content.keys, ...entries] };
}

export function nameOnly({ kid, purpose, alg }: KeyName): KeyName {
  return { kid, purpose, alg };
}

function withSource(content: RegistryContent, slot: string, kid: string, isToSign: boolean): RegistryContent {
  return { ...content, sources: { ...content.sources, [slot]: { kid, is_to_sign: isToSign } } };
}
