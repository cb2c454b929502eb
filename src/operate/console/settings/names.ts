/** Names and values of settings as operators read them: the same in the form, in the timeline, and after the sale. */
import type { Localized, Speech } from "../frame/speech.ts";
import { texts as messageTexts } from "../room/message/texts.ts";
import { texts as roomTexts } from "../room/texts.ts";
import { texts as roomsTexts } from "../rooms/texts.ts";

/** Of the settings that are changed on the day. The others have only their path. */
const names: Readonly<Record<string, Localized>> = {
  message: messageTexts.title,
  rehearsal: roomsTexts.rehearsal,
  stock: { en: "Tickets left", de: "Karten, die noch da sind" },
  max_waiting: { en: "The most who may wait", de: "Wie viele höchstens warten" },
  "inlet.outflow_per_minute": roomTexts.rate.title,
  "schedule.prequeue_at": { en: "The doors open, the line waits", de: "Der Einlass in die Schlange beginnt" },
  "schedule.opens_at": { en: "The room opens, visitors enter", de: "Der Raum öffnet, Besucher treten ein" },
  "schedule.ends_at": { en: "The room ends", de: "Der Raum endet" },
  "draw.order": { en: "The draw", de: "Die Auslosung" },
  "admission.duration": { en: "How long a visit lasts", de: "Wie lange ein Besuch dauert" },
  "admission.claim_within": { en: "How long a turn lasts", de: "Wie lange man an der Reihe ist" },
};

/** Null where a setting has no name but its path. */
export function settingName(path: string, speech: Speech): string | null {
  const name = names[path];
  return name === undefined ? null : speech.text(name);
}

/** A value on one line: times by the operator's clock, a message by its texts. */
export function valueInLine(path: string, value: unknown, speech: Speech): string {
  if (value === undefined || value === null) return "–";
  if (typeof value === "string") return path.endsWith("_at") ? timeInLine(value, speech) : value;
  return (path === "message" && textsOf(value)) || JSON.stringify(value);
}

function timeInLine(value: string, speech: Speech): string {
  const ms = Date.parse(value);
  // With day and year: it may be read long after.
  return Number.isNaN(ms) ? value : speech.time(ms, 0);
}

function textsOf(message: unknown): string {
  const text: unknown = typeof message === "object" && message !== null && "text" in message ? message.text : message;
  if (typeof text === "string") return text;
  return typeof text === "object" && text !== null ? Object.values(text).join(" / ") : "";
}
