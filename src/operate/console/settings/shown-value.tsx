import { useConsole } from "../frame/console.ts";
import type { Speech } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { rangesInWords } from "./ranges-value.ts";
import { rulesInWords } from "./rules-value.ts";
import type { Setting } from "./setting.ts";
import { texts } from "./texts.ts";
import { writtenOf } from "./values.ts";
import { linksText, wordsText } from "./words-value.ts";
import { fieldTime, instantsOf, localOf } from "./zones.ts";

/** A value in words, for the eye. @param zone of times */
export function valueInWords(setting: Setting, value: unknown, zone: string, speech: Speech): string {
  const { kind } = setting.allowed;
  if (value === null || value === undefined) return speech.text(texts.none);
  if (kind === "links") return linksText(value).split("\n").join(", ") || speech.text(texts.none);
  if (kind === "rules") return rulesInWords(value) || speech.text(texts.none);
  if (kind === "mapping" && typeof value === "object") {
    const members = Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => [key, Array.isArray(member) ? rangesInWords(member) : wordsText(member)]);
    return members.length === 0
      ? speech.text(texts.on)
      : members.map(([key, member]) => `${key}: ${member}`).join(", ");
  }
  if (kind === "flag") return speech.text(value === true ? frameTexts.form.yes : frameTexts.form.no);
  if (Array.isArray(value)) return value.length === 0 ? speech.text(texts.none) : value.join(", ");
  const text = writtenOf(setting, value, zone);
  return kind === "time" ? text.replace("T", " ") : text;
}

interface ValueProps {
  readonly setting: Setting;
  readonly value: unknown;
  readonly zone: string;
}

export function ShownValue({ setting, value, zone }: ValueProps) {
  const { speech } = useConsole();
  return <span dir="auto">{valueInWords(setting, value, zone, speech)}</span>;
}

/** `by your clock 2027-03-01 09:00`, where that is another time; null elsewhere. */
export function hereInWords(local: string, zone: string, speech: Speech): string | null {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [instant] = instantsOf(local, zone) ?? [];
  if (instant === undefined) return null;
  const atHome = localOf(instant.ms, here);
  return fieldTime(atHome) === fieldTime(local)
    ? null
    : speech.text(texts.localTime, { time: atHome.replace("T", " ") });
}
