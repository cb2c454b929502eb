/** The life of a key of an issuer: what can be done with it, what that means for what is signed with it, and what happens next. */
import type { AdminAnswers } from "../../client/index.ts";
import type { Localized, LocalizedTexts } from "../frame/speech.ts";

export type Key = AdminAnswers["Key"];
export type KeyStep = "stage" | "promote" | "retire";

export const texts = {
  nextByState: {
    new: {
      en: "Nothing knows it yet. Staging makes it known.",
      de: "Noch kennt ihn niemand. Bekannt machen veröffentlicht ihn.",
    },
    staged: { en: "It is known, and may sign.", de: "Er ist bekannt und darf signieren." },
    active: { en: "It signs, until another one is promoted.", de: "Er signiert, bis ein anderer ihn ablöst." },
    retiring: {
      en: "It signs no more, and is still verified with.",
      de: "Er signiert nicht mehr und wird noch geprüft.",
    },
    retired: { en: "It is worth nothing.", de: "Er ist nichts mehr wert." },
  },
  nextAt: {
    promote: {
      en: "It is becoming known. It may sign from {time}.",
      de: "Er wird gerade bekannt. Ab {time} darf er signieren.",
    },
    retire: {
      en: "What it has signed lapses. It may be retired from {time}.",
      de: "Was er signiert hat, verfällt. Ab {time} darf er gelöscht werden.",
    },
  },
  nextNow: {
    promote: { en: "It is known, and may sign now.", de: "Er ist bekannt und darf jetzt signieren." },
    retire: {
      en: "All that it has signed has lapsed: it may be retired.",
      de: "Alles, was er signiert hat, ist verfallen: Er darf gelöscht werden.",
    },
  },
  warnings: {
    stage: {
      en: "It is published, and everybody can get to know it. It signs nothing yet, and all that is out stays good.",
      de: "Er wird veröffentlicht, und alle können ihn kennenlernen. Noch signiert er nichts, und was ausgegeben ist, bleibt gültig.",
    },
    promote: {
      en: "It signs from now on. What the key before has signed stays good: that one is still verified with until it is retired.",
      de: "Von jetzt an signiert er. Was der bisherige signiert hat, bleibt gültig: Er wird noch geprüft, bis er gelöscht wird.",
    },
    promoteEarly: {
      en: "It is too early: not everybody knows this key yet. Sites that do not will refuse new logins until they have read the keys again. Do this where the key before has leaked.",
      de: "Es ist zu früh: Noch kennen nicht alle diesen Schlüssel. Websites, die ihn nicht kennen, lehnen neue Anmeldungen ab, bis sie die Schlüssel neu gelesen haben. Tun Sie das, wenn der bisherige bekannt geworden ist.",
    },
    retire: {
      en: "The key is deleted. All that it has signed has lapsed, so nobody loses anything.",
      de: "Der Schlüssel wird gelöscht. Alles, was er signiert hat, ist verfallen; niemand verliert etwas.",
    },
    retireUnused: {
      en: "The key is deleted. It signs nothing at present, so nobody loses anything.",
      de: "Der Schlüssel wird gelöscht. Er signiert zurzeit nichts; niemand verliert etwas.",
    },
  },
  earlyRetirement: {
    signing: {
      en: "It is too early: tokens that it has signed are still in use, and are refused from now on. Do this where the key has leaked.",
      de: "Es ist zu früh: Tokens, die er signiert hat, sind noch in Gebrauch und werden von jetzt an abgelehnt. Tun Sie das, wenn der Schlüssel bekannt geworden ist.",
    },
    tickets: {
      en: "It is too early: whoever waits with a place that it has signed loses it, and may join again at the end of the line. Do this where the key has leaked.",
      de: "Es ist zu früh: Wer mit einem Platz wartet, den er signiert hat, verliert ihn und kann sich hinten neu anstellen. Tun Sie das, wenn der Schlüssel bekannt geworden ist.",
    },
    cookies: {
      en: "It is too early: visitors who are logged in by it have to log in again; their admissions are still there. Do this where the key has leaked.",
      de: "Es ist zu früh: Besucher, die damit angemeldet sind, müssen sich neu anmelden; ihr Einlass bleibt. Tun Sie das, wenn der Schlüssel bekannt geworden ist.",
    },
    draw: {
      en: "It is too early: a draw that is committed to with it can no longer be drawn, and no receipts of earlier ones are signed. Do this where the key has leaked.",
      de: "Es ist zu früh: Eine Verlosung, die mit ihm zugesagt ist, kann nicht mehr gezogen werden, und für frühere werden keine Belege mehr signiert. Tun Sie das, wenn der Schlüssel bekannt geworden ist.",
    },
  },
} satisfies LocalizedTexts;

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
export function warningOf(key: Key, step: KeyStep, nowMs: number): Localized {
  if (step === "stage") return texts.warnings.stage;
  if (step === "promote") return isEarly(key, step, nowMs) ? texts.warnings.promoteEarly : texts.warnings.promote;
  if (key.state !== "retiring") return texts.warnings.retireUnused;
  return isEarly(key, step, nowMs) ? texts.earlyRetirement[key.purpose] : texts.warnings.retire;
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
  if (step === null || atMs === null) return { text: texts.nextByState[key.state], atMs: null };
  return atMs > nowMs ? { text: texts.nextAt[step], atMs } : { text: texts.nextNow[step], atMs: null };
}
