/** What may be done with a key of an issuer, and what that means for what is out. */
import type { AdminAnswers } from "../../client/index.ts";
import type { Localized } from "../frame/speech.ts";
import { texts } from "./texts.ts";

export type Key = AdminAnswers["Key"];
export type KeyStep = "stage" | "promote" | "retire";

/** An active key leaves its state by another one's step. */
export const stepsOf: Readonly<Record<Key["state"], readonly KeyStep[]>> = {
  new: ["stage", "retire"],
  staged: ["promote", "retire"],
  active: [],
  retiring: ["promote", "retire"],
  retired: [],
};

/** When a step is due; null where nobody waits for it. */
function dueMs({ state, may_promote_at: promote, may_retire_at: retire }: Key, step: KeyStep): number | null {
  const at = step === "promote" && state === "staged" ? promote : step === "retire" ? retire : null;
  return at === null ? null : Date.parse(at);
}

/** A step before its time skips what it would wait for, and costs something. */
export function isEarly(key: Key, step: KeyStep, nowMs: number): boolean {
  const due = dueMs(key, step);
  return due !== null && due > nowMs;
}

/** What a step means for tokens, places and sessions that are out. */
export function meaningOf(key: Key, step: KeyStep, nowMs: number): Localized {
  if (step === "stage") return texts.signing.warnings.stage;
  if (step === "promote")
    return isEarly(key, step, nowMs) ? texts.signing.warnings.promoteEarly : texts.signing.warnings.promote;
  if (key.state !== "retiring") return texts.signing.warnings.retireUnused;
  return isEarly(key, step, nowMs) ? texts.signing.earlyRetirement[key.purpose] : texts.signing.warnings.retire;
}

interface Next {
  readonly text: Localized;
  /** When; null where there is no time to it. */
  readonly atMs: number | null;
}

/** What happens next with a key. */
export function nextOf(key: Key, nowMs: number): Next {
  const step = key.state === "staged" ? "promote" : key.state === "retiring" ? "retire" : null;
  const atMs = step === null ? null : dueMs(key, step);
  if (step === null || atMs === null) return { text: texts.signing.nextByState[key.state], atMs: null };
  return atMs > nowMs ? { text: texts.signing.nextAt[step], atMs } : { text: texts.signing.nextNow[step], atMs: null };
}
