/** What may become of a key, and when. Pure: all that it needs is passed in, and a new content is the answer. */
import { formatTime } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import type { KeyPurpose, KeyState, RegisteredKey, RegistryContent } from "../content.ts";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** Relying parties keep a JWKS for up to twelve hours; all processes have heard of a key within seconds. */
const stagedAtLeastMs: Readonly<Record<KeyPurpose, number>> = {
  signing: dayMs,
  tickets: minuteMs,
  cookies: minuteMs,
  draw: minuteMs,
};

/** For so long what a superseded key has signed is still shown: sessions, ticket cookies, receipts. */
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

/** Within a slot one key signs: a purpose, and for `signing` an algorithm. */
export function slotOf({ purpose, alg }: Pick<RegisteredKey, "purpose" | "alg">): string {
  return alg === null ? purpose : `${purpose} ${alg}`;
}

export function keysInSlot({ keys }: RegistryContent, slot: string): readonly RegisteredKey[] {
  return keys.filter((key) => slotOf(key) === slot);
}

export function activeIn(content: RegistryContent, slot: string): RegisteredKey | undefined {
  return keysInSlot(content, slot).find(({ state }) => state === "active");
}

/** @throws UsherError `not_found` */
export function findKey({ keys }: RegistryContent, kid: string): RegisteredKey {
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key !== undefined) return key;
  throw new UsherError("not_found", "there is no key of this id: GET /admin/keys lists them", { status: 404 });
}

/** Milliseconds since 1970; null for a key that cannot be promoted, whatever the time. */
export function mayPromoteAtMs({ state, since, purpose }: RegisteredKey): number | null {
  // Everybody has verified with a superseded one all along.
  if (state === "retiring") return since.retiring ?? 0;
  return state === "staged" ? (since.staged ?? 0) + stagedAtLeastMs[purpose] : null;
}

/** Milliseconds since 1970; null for a key that cannot be retired, whatever the time. */
export function mayRetireAtMs(key: RegisteredKey, longestTokenMs: number): number | null {
  const { state, since, purpose } = key;
  if (state === "new" || state === "staged") return since[state] ?? 0;
  if (state !== "retiring") return null;
  const ms = purpose === "signing" ? Math.max(hourMs, longestTokenMs) + dayMs : retiringAtLeastMs[purpose];
  return (since.retiring ?? 0) + ms;
}

/** @throws UsherError `conflict` when there are too many */
export function addKey(content: RegistryContent, key: RegisteredKey): RegistryContent {
  const live = content.keys.filter(({ purpose, wrapped }) => purpose === key.purpose && wrapped !== null);
  if (live.length >= liveMax) {
    throw refusal(`there are ${live.length} keys of this purpose that are not retired: retire some first`);
  }
  return { ...content, keys: [...content.keys, key] };
}

/** @throws UsherError `not_found`, `conflict` */
export function stageKey(content: RegistryContent, kid: string, nowMs: number): RegistryContent {
  const key = findKey(content, kid);
  if (key.state !== "new") throw refusal(`only a new key can be staged, and this one is ${key.state}`);
  return become(content, kid, "staged", nowMs);
}

/**
 * The key signs from now on, and the one that did becomes `retiring`.
 *
 * @param force skips the time that it has to be staged
 * @throws UsherError `not_found`, `conflict`
 */
export function promoteKey(
  content: RegistryContent,
  kid: string,
  terms: LifecycleTerms,
  force = false,
): RegistryContent {
  const key = findKey(content, kid);
  const fromMs = mayPromoteAtMs(key);
  if (fromMs === null) {
    const advice: Partial<Record<KeyState, string>> = {
      new: "stage it first, so that everybody knows it before it signs",
      active: "it signs already",
      retired: "generate a new one",
    };
    throw refusal(`this key is ${key.state} and cannot be promoted: ${advice[key.state]}`);
  }
  if (!force && terms.nowMs < fromMs) {
    const whom =
      key.purpose === "signing"
        ? "relying parties keep the published keys for hours"
        : "all processes hear of it first";
    throw tooEarly("promoted", fromMs, whom);
  }
  const slot = slotOf(key);
  const old = activeIn(content, slot);
  const superseded = old === undefined ? content : become(content, old.kid, "retiring", terms.nowMs);
  return settleSource(become(superseded, kid, "active", terms.nowMs), slot);
}

/**
 * The key is worth nothing from now on; what it was is forgotten, and that it was is kept.
 *
 * @param force skips the time that what it has signed is good for
 * @throws UsherError `not_found`, `conflict`
 */
export function retireKey(
  content: RegistryContent,
  kid: string,
  terms: LifecycleTerms,
  force = false,
): RegistryContent {
  const key = findKey(content, kid);
  const fromMs = mayRetireAtMs(key, terms.longestTokenMs);
  if (fromMs === null) {
    throw refusal(key.state === "active" ? "this key signs: promote another one first" : "this key is retired already");
  }
  if (!force && terms.nowMs < fromMs) {
    throw tooEarly("retired", fromMs, "what it has signed is still shown until then");
  }
  const slot = slotOf(key);
  const retired = become(content, kid, "retired", terms.nowMs);
  return content.sources?.[slot]?.kid === kid ? settleSource(retired, slot) : retired;
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

function tooEarly(step: string, fromMs: number, reason: string): UsherError {
  const advice = "force (--force) does it at once: for a key that leaked";
  return refusal(`this key may be ${step} from ${formatTime(fromMs)} on, since ${reason}; ${advice}`);
}

function refusal(message: string): UsherError {
  return new UsherError("conflict", message, { status: 409 });
}
