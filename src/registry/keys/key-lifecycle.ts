/**
 * The life of a key: which step leads from which state to which, and when. What operators do, what happens by itself, what is
 * reported and what is logged follows from this one table. Pure: all that it needs is passed in, and a new content is the answer.
 */
import { formatTime } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import type { KeyPurpose, KeyState, RegisteredKey, RegistryContent } from "../content.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** Relying parties keep a JWKS for up to twelve hours; all processes sync a key within seconds. */
const stagedAtLeastMs: Readonly<Record<KeyPurpose, number>> = {
  signing: dayMs,
  tickets: minuteMs,
  cookies: minuteMs,
  draw: minuteMs,
};

/** Milliseconds for which signatures of a superseded key are still presented: sessions, ticket cookies, receipts. */
const retiringAtLeastMs: Readonly<Record<Exclude<KeyPurpose, "signing">, number>> = {
  tickets: 400 * dayMs,
  cookies: dayMs,
  draw: 30 * dayMs,
};

/** Made at run time for one purpose, retired ones aside. */
export const liveMax = 20;

export interface LifecycleTerms {
  readonly nowMs: number;
  /** How long the longest-lived signed token of the issuer is good for. */
  readonly longestTokenMs: number;
}

export type KeyStep = "stage" | "promote" | "retire";

/** For how long a key has to be in its state before the step, in milliseconds; or why the step is none from there. */
type Way = ((purpose: KeyPurpose, longestTokenMs: number) => number) | string;

const atOnce: Way = () => 0;
const afterStaging: Way = (purpose) => stagedAtLeastMs[purpose];
const whenLapsed: Way = (purpose, longestTokenMs) =>
  purpose === "signing" ? Math.max(hourMs, longestTokenMs) + dayMs : retiringAtLeastMs[purpose];

const notNew = (state: KeyState) => `only a new key can be staged, and this one is ${state}`;
const noPromotion = (state: KeyState, advice: string) => `this key is ${state} and cannot be promoted: ${advice}`;

const lifecycle: Readonly<Record<KeyState, Readonly<Record<KeyStep, Way>>>> = {
  new: {
    stage: atOnce,
    promote: noPromotion("new", "stage it first, so that everybody knows it before it signs"),
    retire: atOnce,
  },
  staged: { stage: notNew("staged"), promote: afterStaging, retire: atOnce },
  active: {
    stage: notNew("active"),
    promote: noPromotion("active", "it signs already"),
    retire: "this key signs: promote another one first",
  },
  // Everybody has verified with a superseded one all along.
  retiring: { stage: notNew("retiring"), promote: atOnce, retire: whenLapsed },
  retired: {
    stage: notNew("retired"),
    promote: noPromotion("retired", "generate a new one"),
    retire: "this key is retired already",
  },
};

const outcomes = {
  stage: { state: "staged", done: "staged" },
  promote: { state: "active", done: "promoted" },
  retire: { state: "retired", done: "retired" },
} as const satisfies Record<KeyStep, { state: KeyState; done: string }>;

/** What the log calls it that a key has come into a state by a step; null for the others. */
export function eventOfState(state: KeyState) {
  const outcome = Object.values(outcomes).find((candidate) => candidate.state === state);
  return outcome === undefined ? null : (`key.${outcome.done}` as const);
}

/** Within a slot one key signs: a purpose, and for `signing` an algorithm. */
export function slotOf({ purpose, alg }: Pick<RegisteredKey, "purpose" | "alg">): string {
  return alg === null ? purpose : `${purpose} ${alg}`;
}

export function activeIn({ keys }: RegistryContent, slot: string): RegisteredKey | undefined {
  return keys.find((key) => key.state === "active" && slotOf(key) === slot);
}

/** @throws UsherError `not_found` */
function findKey({ keys }: RegistryContent, kid: string): RegisteredKey {
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key !== undefined) return key;
  throw new UsherError("not_found", "there is no key of this id: GET /admin/keys lists them");
}

/** When a step may be taken, in milliseconds since 1970; null where it is none, whatever the time. */
export function allowedAtMs(step: KeyStep, { state, since, purpose }: RegisteredKey, longestTokenMs: number) {
  const way = lifecycle[state][step];
  return typeof way === "string" ? null : (since[state] ?? 0) + way(purpose, longestTokenMs);
}

/** @throws UsherError `conflict` when there are too many */
export function addKey(content: RegistryContent, key: RegisteredKey): RegistryContent {
  const live = content.keys.filter(({ purpose, wrapped }) => purpose === key.purpose && wrapped !== null);
  if (live.length >= liveMax) {
    throw refusal(`there are ${live.length} keys of this purpose that are not retired: retire some first`);
  }
  return { ...content, keys: [...content.keys, key] };
}

/**
 * Takes a step. Of one slot one key signs: where another is promoted, it becomes `retiring`. Of a retired key it is forgotten
 * what it was, and kept that it was.
 *
 * @param force skips the time that it should have been in its state
 * @throws UsherError `not_found`, `conflict`
 */
export function takeStep(
  content: RegistryContent,
  step: KeyStep,
  kid: string,
  { nowMs, longestTokenMs }: LifecycleTerms,
  force = false,
): RegistryContent {
  const key = findKey(content, kid);
  const way = lifecycle[key.state][step];
  if (typeof way === "string") throw refusal(way);
  const fromMs = allowedAtMs(step, key, longestTokenMs) ?? 0;
  if (!force && way !== atOnce && nowMs < fromMs) throw tooEarly(step, key, fromMs);
  const slot = slotOf(key);
  const old = step === "promote" ? activeIn(content, slot) : undefined;
  const superseded = old === undefined ? content : become(content, old.kid, "retiring", nowMs);
  const next = become(superseded, kid, outcomes[step].state, nowMs);
  const isLastWord = step === "promote" || (step === "retire" && content.sources?.[slot]?.kid === kid);
  return isLastWord ? settleSource(next, slot) : next;
}

/** What the configuration has first does not ask to sign any more. */
function settleSource(content: RegistryContent, slot: string): RegistryContent {
  const source = content.sources?.[slot];
  if (source?.is_to_sign !== true) return content;
  return { ...content, sources: { ...content.sources, [slot]: { ...source, is_to_sign: false } } };
}

function become(content: RegistryContent, kid: string, state: KeyState, nowMs: number): RegistryContent {
  const change = (key: RegisteredKey): RegisteredKey =>
    key.kid === kid
      ? { ...key, state, since: { ...key.since, [state]: nowMs }, wrapped: state === "retired" ? null : key.wrapped }
      : key;
  return { ...content, keys: content.keys.map(change) };
}

function tooEarly(step: KeyStep, { purpose }: RegisteredKey, fromMs: number): UsherError {
  const promoteReason =
    purpose === "signing" ? "relying parties keep the published keys for hours" : "all processes hear of it first";
  const reason = step === "promote" ? promoteReason : "what it has signed is still shown until then";
  const advice = "force (--force) does it at once: for a key that leaked";
  return refusal(`this key may be ${outcomes[step].done} from ${formatTime(fromMs)} on, since ${reason}; ${advice}`);
}

function refusal(message: string): UsherError {
  return new UsherError("conflict", message);
}
