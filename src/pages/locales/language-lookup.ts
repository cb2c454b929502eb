/** Finds the best of our languages for one that a visitor wants. Pure functions. */

/** Written languages that their readers take for one another. */
const relatives: Readonly<Record<string, readonly string[]>> = { nb: ["no", "nn"], no: ["nb", "nn"], nn: ["nb", "no"] };

/** No tag that browsers send comes near it. */
const tagLengthMax = 64;

export interface LanguageLookup {
  /** RFC 4647, section 3.4; and where that finds nothing in the right script, another variant that is written alike. */
  find(wanted: string): string | undefined;
  /** The same language in another script: better than one that the visitor did not ask for. */
  findInAnyScript(wanted: string): string | undefined;
}

/** @param tags ours, as `canonicalTag` writes them */
export function createLanguageLookup(tags: readonly string[]): LanguageLookup {
  const byTag = new Map(tags.map((tag) => [tag, tag]));
  const byScript = new Map<string, string>();
  const byLanguage = new Map<string, string>();
  for (const tag of [...tags].sort((a, b) => a.length - b.length)) {
    const { language, script } = new Intl.Locale(tag).maximize();
    const key = `${language}-${script}`;
    if (!byScript.has(key)) byScript.set(key, tag);
    if (!byLanguage.has(language)) byLanguage.set(language, tag);
  }

  return {
    find(wanted) {
      const tag = canonicalTag(wanted);
      if (tag === undefined) return undefined;
      const { language, script } = new Intl.Locale(tag).maximize();
      for (const prefix of truncations(tag)) {
        const found = byTag.get(prefix);
        if (found !== undefined && scriptOf(found) === script) return found;
      }
      for (const each of [language, ...(relatives[language] ?? [])]) {
        const found = byScript.get(`${each}-${script}`);
        if (found !== undefined) return found;
      }
      return undefined;
    },

    findInAnyScript(wanted) {
      const tag = canonicalTag(wanted);
      return tag === undefined ? undefined : byLanguage.get(new Intl.Locale(tag).language);
    },
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

export function scriptOf(tag: string): string {
  return new Intl.Locale(tag).maximize().script ?? "";
}

const rightToLeft = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]);

export function directionOf(tag: string): "ltr" | "rtl" {
  return rightToLeft.has(scriptOf(tag)) ? "rtl" : "ltr";
}
