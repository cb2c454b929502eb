/** Values of settings, as they are told, as a field has them, and as the admin API takes them. */
import type { Localized } from "../frame/speech.ts";
import { rangesText, readRanges } from "./ranges-value.ts";
import { readRules, rulesText } from "./rules-value.ts";
import type { Setting } from "./setting.ts";
import { texts } from "./texts.ts";
import { linksText, markdownText, readLinks, readMarkdownTexts, readWords, wordsText } from "./words-value.ts";
import { exactTime, instantsOf, isZone, localOf } from "./zones.ts";

/** The value at a path, of whatever was told; null where there is none. */
export function valueAt(told: unknown, path: string): unknown {
  return path.split(".").reduce((value: unknown, key) => {
    if (typeof value !== "object" || value === null) return null;
    return Object.entries(value).find(([name]) => name === key)?.[1] ?? null;
  }, told);
}

/** A time's text has no offset beside its zone. @param zone of local times */
export function writtenOf({ allowed }: Setting, value: unknown, zone: string): string {
  if (value === null || value === undefined) return allowed.kind === "mapping" ? "off" : "";
  if (allowed.kind === "mapping") return value === "off" ? "off" : "on";
  if (allowed.kind === "links") return linksText(value);
  if (allowed.kind === "ranges") return rangesText(value);
  if (allowed.kind === "rules") return rulesText(value);
  if (allowed.kind === "words") return wordsText(value);
  if (allowed.kind === "markdown") return markdownText(value);
  if (allowed.kind === "redirect") return String(valueAt(value, "redirect") ?? value);
  if (Array.isArray(value)) return value.join("\n");
  if (allowed.kind === "time") {
    const ms = Date.parse(String(value));
    return Number.isNaN(ms) ? "" : localOf(ms, zone);
  }
  return String(value);
}

export type Reading = { readonly value: unknown } | { readonly fault: Localized };

/** What a field says, where it says something. What only the gateway can know, it says itself. */
export function read(setting: Setting, text: string, zone: string): Reading {
  const { allowed } = setting;
  const trimmed = text.trim();
  switch (allowed.kind) {
    case "whole":
    case "number": {
      const pattern = allowed.kind === "whole" ? /^\d{1,15}$/ : /^\d{1,15}(\.\d{1,9})?$/;
      const value = Number(trimmed);
      const isWithin = pattern.test(trimmed) && value >= allowed.minimum && value <= allowed.maximum;
      return isWithin ? { value } : { fault: texts.faults[allowed.kind] };
    }
    case "wholeOrOff":
      return trimmed === "off"
        ? { value: trimmed }
        : read({ ...setting, allowed: { ...allowed, kind: "whole" } }, text, zone);
    case "ranges":
      return { value: readRanges(text) };
    case "rules":
      return { value: readRules(text) };
    case "choice": {
      const value = allowed.choices.find((each) => String(each) === trimmed);
      return value === undefined ? { fault: texts.faults.choice } : { value };
    }
    case "redirect":
      return { value: allowed.choices.includes(trimmed) ? trimmed : { redirect: trimmed } };
    case "words":
      return { value: readWords(text) };
    case "markdown":
      return { value: readMarkdownTexts(text) };
    case "links":
      return { value: readLinks(text) };
    case "flag":
      return { value: trimmed === "true" };
    case "list":
      return {
        value: text
          .split("\n")
          .map((line) => line.trim())
          .filter((line) => line !== ""),
      };
    case "time": {
      if (!isZone(zone)) return { fault: texts.faults.zone };
      const instants = instantsOf(trimmed, zone);
      const [instant] = instants ?? [];
      if (instants === null) return { fault: texts.faults.time };
      if (instant === undefined) return { fault: texts.faults.gap };
      return instants.length > 1 ? { fault: texts.faults.twice } : { value: exactTime(trimmed, instant) };
    }
    default:
      return { value: trimmed };
  }
}
