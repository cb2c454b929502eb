/**
 * The fields of every form of the console: what each may hold, and how a value of the admin API becomes text in a field, and text a value.
 * Whatever only the gateway can judge is sent as it was written; the gateway says what is wrong with it.
 */
import type { Localized } from "../frame/speech.ts";
import { texts } from "./texts.ts";
import { exactTime, instantsOf, isZone, localOf } from "./zones.ts";

export interface Field {
  /** As the admin API writes it: `inlet.outflow_per_minute`. */
  readonly path: string;
  readonly allowed: Allowed;
}

export interface Option {
  readonly value: string;
  readonly text: string;
  /** Another option that is chosen includes this one. */
  readonly isImplied?: boolean;
}

export type Allowed =
  | { readonly kind: "whole" | "number"; readonly minimum: number; readonly maximum: number }
  /** A whole number, or the word `off`. */
  | { readonly kind: "wholeOrOff"; readonly minimum: number; readonly maximum: number }
  /** @param range such as `1s to 5m` */
  | { readonly kind: "duration"; readonly range: string }
  /** By the clocks of a zone. */
  | { readonly kind: "time" }
  /** By the clock of this computer. */
  | { readonly kind: "instant" }
  | { readonly kind: "zone" }
  /** @param unset the option that says nothing; @param labels in place of yes and no */
  | { readonly kind: "flag"; readonly unset?: Localized; readonly labels?: readonly [yes: Localized, no: Localized] }
  | { readonly kind: "text"; readonly lengthMax: number; readonly isAddress?: boolean }
  /** @param unset the option that says nothing; @param labels by choice; without one, a choice is its own label */
  | {
      readonly kind: "choice";
      readonly choices: readonly (string | number)[];
      readonly unset?: Localized;
      readonly labels?: Readonly<Record<string, Localized>>;
    }
  /** Any number of these, given those that are chosen. */
  | { readonly kind: "several"; optionsOf(chosen: readonly string[]): readonly Option[] }
  /** Any number of rooms. */
  | { readonly kind: "rooms" }
  /** @param areAddresses which run from left to right in every language */
  | { readonly kind: "list"; readonly itemsMax: number; readonly areAddresses?: boolean }
  /** One of the words, or the address of a page, which is written `{ redirect: … }`. */
  | { readonly kind: "redirect"; readonly choices: readonly string[] }
  /** One text, or texts by language. */
  | { readonly kind: "words" }
  /** The same in Markdown, of many lines; the word `off` may stand instead. */
  | { readonly kind: "markdown" }
  /** Labels with addresses; the word `off` may stand instead. */
  | { readonly kind: "links"; readonly itemsMax: number }
  /** Ranges of addresses with limits of their own. */
  | { readonly kind: "ranges" }
  /** Named groups of addresses with an action; the word `off` may stand instead. */
  | { readonly kind: "rules" }
  /** Which requests of a site queue: expressions with a name and an action. */
  | { readonly kind: "siteRules" }
  /** Changed as a whole; the word `off` may stand instead. */
  | { readonly kind: "mapping"; readonly members: readonly Field[] };

/** The value at a path of a JSON document; null where there is none. */
export function valueAt(document: unknown, path: string): unknown {
  return path.split(".").reduce((value: unknown, key) => {
    if (typeof value !== "object" || value === null) return null;
    return Object.entries(value).find(([name]) => name === key)?.[1] ?? null;
  }, document);
}

/** The text that a field has for a value. A time's text has no offset beside its zone. @param zone of local times */
export function textOf({ allowed }: Field, value: unknown, zone: string): string {
  if (value === null || value === undefined) return allowed.kind === "mapping" ? "off" : "";
  switch (allowed.kind) {
    case "mapping":
      return value === "off" ? "off" : "on";
    case "links":
      return linksText(value);
    case "ranges":
      return rangesText(value);
    case "rules":
      return rulesText(value);
    case "siteRules":
      return siteRulesText(value);
    case "words":
      return wordsText(value);
    case "markdown":
      return markdownText(value);
    case "redirect":
      return String(valueAt(value, "redirect") ?? value);
    case "time": {
      const ms = Date.parse(String(value));
      return Number.isNaN(ms) ? "" : localOf(ms, zone);
    }
    default:
      return Array.isArray(value) ? value.join("\n") : String(value);
  }
}

/** What the text of a field says: a value, or why it is none. */
export type Reading = { readonly value: unknown } | { readonly fault: Localized };

/** Reads a text that is not empty. */
export function read(field: Field, text: string, zone: string): Reading {
  const { allowed } = field;
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
      if (trimmed === "off") return { value: trimmed };
      return read({ ...field, allowed: { ...allowed, kind: "whole" } }, text, zone);
    case "choice": {
      const value = allowed.choices.find((choice) => String(choice) === trimmed);
      return value === undefined ? { fault: texts.faults.choice } : { value };
    }
    case "flag":
      return { value: trimmed === "true" };
    case "list":
    case "several":
    case "rooms":
      return { value: linesOf(text) };
    case "time":
      return readTime(trimmed, zone);
    case "instant": {
      const ms = Date.parse(trimmed);
      return { value: Number.isNaN(ms) ? trimmed : new Date(ms).toISOString() };
    }
    case "redirect":
      return { value: allowed.choices.includes(trimmed) ? trimmed : { redirect: trimmed } };
    case "ranges":
      return { value: readRanges(text) };
    case "rules":
      return { value: readRules(text) };
    case "siteRules":
      return { value: readSiteRules(text) };
    case "words":
      return { value: readWords(text) };
    case "markdown":
      return { value: readMarkdownTexts(text) };
    case "links":
      return { value: readLinks(text) };
    default:
      return { value: trimmed };
  }
}

function readTime(local: string, zone: string): Reading {
  if (!isZone(zone)) return { fault: texts.faults.zone };
  const instants = instantsOf(local, zone);
  const [instant] = instants ?? [];
  if (instants === null) return { fault: texts.faults.time };
  if (instant === undefined) return { fault: texts.faults.gap };
  return instants.length > 1 ? { fault: texts.faults.twice } : { value: exactTime(local, instant) };
}

function linesOf(text: string): string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}

/** A language tag before its text. */
const tagged = /^([a-z]{2,3}(?:-[a-z0-9]{2,8})*):\s+(.*)$/is;
/** What separates the texts of two languages. */
const betweenTexts = /\s*(?:\n|;)\s*(?=[a-z]{2,3}(?:-[a-z0-9]{2,8})*:\s)/i;

/** `Hello`, or `en: Hello; de: Hallo`. */
export function wordsText(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value ?? "");
  return Object.entries(value)
    .map(([tag, text]) => `${tag}: ${text}`)
    .join("; ");
}

function readWords(text: string): unknown {
  const matches = text
    .trim()
    .split(betweenTexts)
    .map((part) => tagged.exec(part));
  // A part without a language: all of it is one text for every language.
  if (matches.some((match) => match === null)) return text.trim();
  return Object.fromEntries(matches.map((match) => [match?.[1] ?? "", match?.[2]?.trim() ?? ""]));
}

/** A language tag on a line of its own. */
const tagLine = /^([a-z]{2,3}(?:-[a-z0-9]{2,8})*):[ \t]*$/gim;

/** Markdown as it is, or that of each language below its tag and a colon. */
export function markdownText(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value ?? "");
  return Object.entries(value)
    .map(([tag, text]) => `${tag}:\n${text}`)
    .join("\n\n");
}

export function readMarkdownTexts(text: string): unknown {
  const [before = "", ...parts] = text.split(tagLine);
  // Text above the first tag: all of it is one text for every language.
  if (before.trim() !== "" || parts.length === 0) return text.trim();
  const tags = parts.filter((_, index) => index % 2 === 0);
  return Object.fromEntries(tags.map((tag, index) => [tag, parts[index * 2 + 1]?.trim() ?? ""]));
}

/** A line for each link: its label, then its address. */
export function linksText(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value.map(({ label, url }: { label: unknown; url: unknown }) => `${wordsText(label)} ${url}`).join("\n");
}

/** No lines are `off`. */
export function readLinks(text: string): unknown {
  const lines = linesOf(text);
  if (lines.length === 0) return "off";
  return lines.map((line) => {
    const [, label = "", url = ""] = /^(?:(.*)\s)?(\S+)$/.exec(line) ?? [];
    return { label: readWords(label), url };
  });
}

/** A line for each range: `198.51.100.0/24 off`, or `198.51.100.0/24 prequeue=500 burst=2000`. */
function rangesText(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value.map(({ range, limit }: { range: unknown; limit: unknown }) => `${range} ${limitText(limit)}`).join("\n");
}

function limitText(limit: unknown): string {
  if (typeof limit !== "object" || limit === null) return String(limit);
  return Object.entries(limit)
    .map(([key, value]) => `${key}=${value}`)
    .join(" ");
}

function readRanges(text: string): unknown {
  return linesOf(text).map((line) => {
    const [range = "", ...limit] = line.split(/\s+/);
    if (limit.length === 1 && !limit[0]?.includes("=")) return { range, limit: limit[0] };
    const members = limit.map((word) => {
      const [key = "", value = ""] = word.split("=");
      return [key, /^\d{1,15}$/.test(value) ? Number(value) : value];
    });
    return { range, limit: Object.fromEntries(members) };
  });
}

/** A line for each rule, its name, action and ranges: `office pass 198.51.100.0/24 2001:db8::/32`. */
function rulesText(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value
    .map(({ name, action, ranges }: { name: unknown; action: unknown; ranges: unknown }) =>
      [name, action, ...(Array.isArray(ranges) ? ranges : [])].join(" "),
    )
    .join("\n");
}

/** No lines are `off`. */
function readRules(text: string): unknown {
  const lines = linesOf(text);
  if (lines.length === 0 || lines.join() === "off") return "off";
  return lines.map((line) => {
    const [name = "", action = "", ...ranges] = line.split(/[\s,]+/);
    return { name, action, ranges: ranges.filter((range) => range !== "") };
  });
}

/** A line for each rule, its name, action and expression: `crawlers bypass verified_crawler`. Triggers are JSON there. */
function siteRulesText(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value
    .map(({ name, action, when, triggers }: Readonly<Record<string, unknown>>) => {
      const condition = Array.isArray(triggers) ? JSON.stringify(triggers) : String(when ?? "");
      return `${name} ${action} ${condition.replace(/\s*\n\s*/g, " ")}`.trim();
    })
    .join("\n");
}

function readSiteRules(text: string): unknown {
  return linesOf(text).map((line) => {
    const [, name = "", action = "", condition = ""] = /^(\S+)(?:\s+(\S+))?(?:\s+(.*))?$/s.exec(line) ?? [];
    if (condition === "") return { name, action };
    const triggers = condition.startsWith("[") ? parsed(condition) : null;
    return triggers === null ? { name, action, when: condition } : { name, action, triggers };
  });
}

/** Null for what is no JSON: the gateway says what is wrong with it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Ranges on one line. */
export function rangesInLine(value: unknown): string {
  return rangesText(value).split("\n").join("; ");
}

/** Rules on one line. */
export function rulesInLine(value: unknown): string {
  return rulesText(value).split("\n").join("; ");
}

/** The same of a site. */
export function siteRulesInLine(value: unknown): string {
  return siteRulesText(value).split("\n").join("; ");
}
