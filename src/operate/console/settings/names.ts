/** What operators call settings, and values for the eye: the same in the form, in what happened, and after the sale. */
import type { Speech, TextKey } from "../texts/texts.ts";

/** Those that are changed on the day. The others have their path alone. */
const names: Readonly<Record<string, TextKey>> = {
  message: "message",
  rehearsal: "rehearsal",
  stock: "setting.stock",
  max_waiting: "setting.max_waiting",
  "inlet.outflow_per_minute": "rate",
  "schedule.prequeue_at": "setting.doors",
  "schedule.opens_at": "setting.opens",
  "schedule.ends_at": "setting.ends",
  "draw.order": "setting.draw",
  "admission.duration": "setting.visit",
  "admission.claim_within": "setting.turn",
};

/** Null where a setting has no name but its path. */
export function settingName(path: string, speech: Speech): string | null {
  const key = names[path];
  return key === undefined ? null : speech.text(key);
}

/** A value as it is told, in one line: times by the operator's clock, a message by its texts. */
export function valueInLine(path: string, value: unknown, speech: Speech): string {
  if (value === undefined || value === null) return "–";
  if (typeof value === "string") return path.endsWith("_at") ? timeInLine(value, speech) : value;
  return (path === "message" && textsOf(value)) || JSON.stringify(value);
}

function timeInLine(value: string, speech: Speech): string {
  const ms = Date.parse(value);
  // With its day and year: nobody knows when it is read.
  return Number.isNaN(ms) ? value : speech.time(ms, 0);
}

function textsOf(message: unknown): string {
  const text: unknown = typeof message === "object" && message !== null && "text" in message ? message.text : message;
  if (typeof text === "string") return text;
  return typeof text === "object" && text !== null ? Object.values(text).join(" / ") : "";
}
