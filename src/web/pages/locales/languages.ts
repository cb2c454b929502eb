/** Which of the pages' languages a visitor gets. */
import { LRUCache } from "lru-cache";
import type { Locale } from "./locale.ts";

/** What is known of the language that a page should be in. */
export interface LanguageWishes {
  /** The tag that the visitor chose on a page of this issuer. */
  readonly chosen?: string | undefined;
  /** `ui_locales` (OpenID Connect Core 3.1.2.1): tags, most wanted first, separated by spaces. */
  readonly uiLocales?: string | undefined;
  /** The Accept-Language header, as it came. */
  readonly language: string | undefined;
  /** The tag of the room's own language. */
  readonly usual?: string | undefined;
}

export type LanguageChoice = (wishes: LanguageWishes) => Locale;

/** Browsers of a million visitors send a few hundred different headers. */
const rememberedMax = 1_000;
const uiLocalesLengthMax = 200;
const acceptLanguageLengthMax = 300;
const tagsMax = 10;
/** No tag that browsers send comes near it. */
const tagLengthMax = 64;

/**
 * Chooses a page's language: by the visitor's own choice, the request's `ui_locales`, Accept-Language, the room's language,
 * else the fallback. A person's choice stands before what the site asks for, or the chooser would do nothing on a page whose
 * address carries `ui_locales`.
 */
export function createLanguageChoice(all: readonly Locale[], fallback: Locale): LanguageChoice {
  const byTag = new Map<string | undefined, Locale>(all.map((locale) => [locale.tag, locale]));
  const lookUp = createLanguageLookup(all.map(({ tag }) => tag));
  /** The way of every waiting page leads here. */
  const remembered = new LRUCache<string, Locale>({ max: rememberedMax });

  return ({ chosen, uiLocales = "", language = "", usual }) => {
    const chosenLocale = byTag.get(chosen);
    if (chosenLocale !== undefined) return chosenLocale;
    const wished = uiLocales.slice(0, uiLocalesLengthMax);
    const accepted = language.slice(0, acceptLanguageLengthMax);
    const key = `${wished}\n${accepted}\n${usual ?? ""}`;
    const cached = remembered.get(key);
    if (cached !== undefined) return cached;
    const wanted = [...wished.split(" ").slice(0, tagsMax), ...languagesByPreference(accepted)];
    const found = byTag.get(lookUp(wanted)) ?? byTag.get(usual) ?? fallback;
    remembered.set(key, found);
    return found;
  };
}

/** Language tags of an Accept-Language header (RFC 9110 §12.5.4), lower case, most wanted first, at most ten. */
function languagesByPreference(header: string): string[] {
  return header
    .split(",")
    .slice(0, tagsMax)
    .map((item) => {
      const [tag = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ tag, quality }) => tag !== "" && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}

/** Written languages that their readers take for one another. */
const relatives: Readonly<Record<string, readonly string[]>> = { nb: ["no", "nn"], no: ["nb", "nn"], nn: ["nb", "no"] };

/**
 * Finds the best of our languages for those that are wanted, the first of them that there is: by RFC 4647, section 3.4; else
 * another variant in the right script; and where that finds none of them, the same language in another script, which is better
 * than one that the visitor did not ask for.
 *
 * @param tags ours, as `canonicalTag` writes them
 */
export function createLanguageLookup(tags: readonly string[]): (wanted: readonly string[]) => string | undefined {
  const ours = [...tags].sort((a, b) => a.length - b.length).map((tag) => ({ tag, ...writingOf(tag) }));

  function findWritten(wanted: string): string | undefined {
    const { language, script } = writingOf(wanted);
    const alike = ours.filter((entry) => entry.script === script);
    const prefix = truncations(wanted).find((candidate) => alike.some(({ tag }) => tag === candidate));
    if (prefix !== undefined) return prefix;
    const languages = [language, ...(relatives[language] ?? [])];
    return languages.flatMap((name) => alike.find((entry) => entry.language === name) ?? [])[0]?.tag;
  }
  function findLanguage(wanted: string): string | undefined {
    const { language } = new Intl.Locale(wanted);
    return ours.find((entry) => entry.language === language)?.tag;
  }

  return (wanted) => {
    const canonical = wanted.flatMap((tag) => canonicalTag(tag) ?? []);
    for (const find of [findWritten, findLanguage]) {
      for (const tag of canonical) {
        const found = find(tag);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
}

/** A tag as BCP 47 writes it now (`iw` is `he`), also of one with underscores; undefined for what is none. */
export function canonicalTag(tag: string): string | undefined {
  if (tag.length > tagLengthMax) return undefined;
  try {
    return Intl.getCanonicalLocales(tag.replaceAll("_", "-"))[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The tag, and what remains when subtags are taken from its end; a single letter goes with what it introduced. */
export function truncations(tag: string): string[] {
  const subtags = tag.split("-");
  const prefixes: string[] = [];
  while (subtags.length > 0) {
    prefixes.push(subtags.join("-"));
    subtags.pop();
    if (subtags.at(-1)?.length === 1) subtags.pop();
  }
  return prefixes;
}

/** The language, and the script in which it is written where the tag does not say. */
export function writingOf(tag: string): { language: string; script: string } {
  const { language, script = "" } = new Intl.Locale(tag).maximize();
  return { language, script };
}

const rightToLeft = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]);

export function directionOf(tag: string): "ltr" | "rtl" {
  return rightToLeft.has(writingOf(tag).script) ? "rtl" : "ltr";
}
