/** Which plural forms a language needs, by CLDR, as `Intl.PluralRules` has them. */

const pluralCategories = ["zero", "one", "two", "few", "many", "other"] as const;
export type PluralCategory = (typeof pluralCategories)[number];

/** The categories of a language, in the order in which they are always named. */
export function categoriesOf(tag: string): PluralCategory[] {
  const own: readonly string[] = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
  return pluralCategories.filter((category) => own.includes(category));
}

/** What is counted on the pages: people and minutes, and half hours. None at all has texts of its own. */
const counted = [...Array.from({ length: 1_000 }, (_, index) => index + 1), ...[0.5, 1.5, 2.5, 3.5, 4.5, 5.5]];

/**
 * Whether the form stands for a single number, so that a text can do without the figure: "one person". In Russian `one`
 * stands for 21 as well.
 */
export function isOneNumber(tag: string, category: PluralCategory): boolean {
  const rules = new Intl.PluralRules(tag);
  return counted.filter((count) => rules.select(count) === category).length <= 1;
}

/** Texts by plural category: every language has `other`. */
export function isPlural(texts: unknown): texts is Readonly<Record<string, unknown>> {
  if (typeof texts !== "object" || texts === null || !Object.hasOwn(texts, "other")) return false;
  return Object.keys(texts).every((key) => (pluralCategories as readonly string[]).includes(key));
}
