/** More languages than these are no wish any more. */
const tagsMax = 10;
/** Characters of that many, with what separates them. */
const lengthMax = 360;

/**
 * The parameter `ui_locales` of a query (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 1.0 §2): tags, most wanted first,
 * separated by single spaces. What can be no tag is left out; undefined where nothing is left.
 *
 * @param query as it came
 */
export function uiLocalesOf(query: string): string | undefined {
  // Few requests have it, and every waiting page asks.
  if (!query.includes("ui_locales=")) return undefined;
  const written = new URLSearchParams(query).get("ui_locales")?.slice(0, lengthMax) ?? "";
  const tags = written.split(/\s+/).filter((tag) => /^[a-z0-9_-]{1,35}$/i.test(tag));
  return tags.length === 0 ? undefined : tags.slice(0, tagsMax).join(" ");
}
