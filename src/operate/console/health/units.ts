import type { Speech } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { texts } from "./texts.ts";

/** Null is not known. */
export function figure(value: number | null, { number, text }: Speech): string {
  return value === null ? text(frameTexts.unknown) : number(value);
}

/** Below ten with a decimal. */
export function milliseconds(value: number | null, speech: Speech): string {
  if (value === null) return speech.text(frameTexts.unknown);
  if (Math.abs(value) >= 10_000) return speech.text(texts.seconds, { n: Math.round(value / 1_000) });
  const text =
    Math.abs(value) < 10
      ? new Intl.NumberFormat(speech.tag, { maximumFractionDigits: 1 }).format(value)
      : speech.number(value);
  return speech.text(texts.milliseconds, { n: text });
}

export function bytes(value: number | null, speech: Speech): string {
  if (value === null) return speech.text(frameTexts.unknown);
  return speech.text(texts.megabytes, { n: Math.round(value / 1_000_000) });
}
