import type { Speech } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import {
  type Allowed,
  type Field,
  linksText,
  rangesInLine,
  rulesInLine,
  siteRulesInLine,
  textOf,
  wordsText,
} from "./field.ts";
import { texts } from "./texts.ts";

/** A value on one line, to be read. @param zone of times */
export function valueInWords(field: Field, value: unknown, zone: string, speech: Speech): string {
  const { kind } = field.allowed;
  if (value === null || value === undefined) return speech.text(texts.none);
  if (kind === "links") return linksText(value).split("\n").join(", ") || speech.text(texts.none);
  if (kind === "rules") return rulesInLine(value) || speech.text(texts.none);
  if (kind === "siteRules") return siteRulesInLine(value) || speech.text(texts.none);
  if (kind === "mapping" && typeof value === "object") {
    const members = Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([key, member]) => `${key}: ${Array.isArray(member) ? rangesInLine(member) : wordsText(member)}`);
    return members.length === 0 ? speech.text(texts.on) : members.join(", ");
  }
  if (kind === "flag") return speech.text(value === true ? frameTexts.form.yes : frameTexts.form.no);
  if (Array.isArray(value)) return value.length === 0 ? speech.text(texts.none) : value.join(", ");
  const text = textOf(field, value, zone);
  return kind === "time" ? text.replace("T", " ") : text;
}

/** What a field may hold, where its control does not show it; null elsewhere. */
export function allowedInWords(allowed: Allowed, speech: Speech): string | null {
  switch (allowed.kind) {
    case "whole":
    case "number":
    case "wholeOrOff":
      return speech.text(texts.allowed.range, { from: String(allowed.minimum), to: speech.number(allowed.maximum) });
    case "duration":
      return speech.text(texts.allowed.duration, { range: allowed.range });
    case "list":
    case "links":
      return speech.text(texts.allowed[allowed.kind], { n: allowed.itemsMax });
    case "redirect":
      return speech.text(texts.allowed.redirect, { words: allowed.choices.join(", ") });
    case "words":
    case "markdown":
    case "rules":
    case "siteRules":
    case "ranges":
      return speech.text(texts.allowed[allowed.kind]);
    default:
      return null;
  }
}
