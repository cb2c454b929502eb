import { LRUCache } from "lru-cache";
import { createLanguageLookup } from "./language-lookup.ts";
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
const tagsMax = 10;

/**
 * Chooses a page's language: by the visitor's own choice, the request's `ui_locales`, Accept-Language, the room's language,
 * else the fallback. A person's choice stands before what the site asks for, or the chooser would do nothing on a page whose
 * address carries `ui_locales`.
 */
export function createLanguageChoice(all: readonly Locale[], fallback: Locale): LanguageChoice {
  const byTag = new Map(all.map((locale) => [locale.tag, locale]));
  const { find, findInAnyScript } = createLanguageLookup([...byTag.keys()]);
  /** The way of every waiting page leads here. */
  const remembered = new LRUCache<string, Locale>({ max: rememberedMax });

  function lookUp(wanted: readonly string[], usual: string | undefined): Locale {
    for (const findOne of [find, findInAnyScript]) {
      for (const tag of wanted) {
        const found = byTag.get(findOne(tag) ?? "");
        if (found !== undefined) return found;
      }
    }
    return byTag.get(usual ?? "") ?? fallback;
  }

  return ({ chosen, uiLocales = "", language = "", usual }) => {
    if (all.length === 1) return fallback;
    const own = chosen === undefined ? undefined : byTag.get(chosen);
    if (own !== undefined) return own;
    const wished = uiLocales.slice(0, uiLocalesLengthMax);
    const accepted = language.slice(0, acceptLanguageLengthMax);
    const key = `${wished}\n${accepted}\n${usual ?? ""}`;
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const wanted = [...wished.split(" ").slice(0, tagsMax), ...languagesByPreference(accepted)];
    const found = lookUp(wanted, usual);
    remembered.set(key, found);
    return found;
  };
}

const acceptLanguageLengthMax = 300;

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
