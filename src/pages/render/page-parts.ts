/** Compares a page that an operator's templates made with the built-in one: what it must have, and must not. Pure functions. */

/**
 * What the page lacks or has that it cannot work with; null where nothing is wrong.
 *
 * @param usual the same page by the built-in templates
 * @param hostile what must not stand in the page as it is: it was put into words from outside
 */
export function findPageFault(html: string, usual: string, hostile: RegExp): string | null {
  const [text, usualText] = [visibleText(html), visibleText(usual)];
  const foreign = (text.match(/\{\w+\}|\[object \w+\]|\bundefined\b|\bNaN\b|\uFFFD/g) ?? []).find(
    (found) => !usualText.includes(found),
  );
  if (hostile.test(html)) return "puts words from outside into the page unescaped: write <%= … %>, not <%- … %>";
  if (foreign === "\uFFFD") return "shows \uFFFD: save its file as UTF-8";
  if (foreign !== undefined) return `shows ${foreign}`;
  if (/<title>\s*<\/title>/.test(html) || !html.includes("<title>")) return "lacks the title: page.title";
  for (const name of ["lang", "dir"]) {
    const value = attributesOf(tagsOf(usual, "html")[0])[name];
    if (attributesOf(tagsOf(html, "html")[0])[name] !== value) return `lacks ${name}="${value}" of the html element`;
  }
  return (
    missingElement(html, usual, "style", "page.style.text") ??
    missingElement(html, usual, "script", "page.script.text, or page.liveJson") ??
    missingData(html, usual) ??
    missingWayOn(html, usual)
  );
}

/** Inline styles and scripts, which stand in the page unchanged: the policy allows no others, not even with a blank more. */
function missingElement(html: string, usual: string, name: string, variable: string): string | null {
  const contents = (page: string) =>
    [...page.matchAll(new RegExp(`<${name}\\b([^>]*)>([\\s\\S]*?)</${name}>`, "g"))].map(
      ([, attributes = "", content = ""]) => ({
        id: /\bid="(\w+)"/.exec(attributes)?.[1] ?? "",
        content,
        isData: /\btype="application\/json"/.test(attributes),
      }),
    );
  const there = contents(html);
  for (const { id, content, isData } of contents(usual)) {
    const found = there.filter((each) => each.id === id && each.content.trim() === content.trim());
    if (found.length === 0) return `lacks a ${name} element: ${variable}`;
    if (isData || found.some((each) => each.content === content)) continue;
    return `has blanks or line breaks around the text of a ${name} element, so browsers refuse it: leave them out`;
  }
  return null;
}

/** What a style goes by, and no script. */
const dispensable: ReadonlySet<string> = new Set(["data-tone", "data-draw"]);

/** What scripts read from the main element. */
function missingData(html: string, usual: string): string | null {
  const there = attributesOf(tagsOf(html, "main")[0]);
  const missing = Object.entries(attributesOf(tagsOf(usual, "main")[0])).find(
    ([name, value]) => name.startsWith("data-") && !dispensable.has(name) && there[name] !== value,
  );
  return missing === undefined ? null : `lacks ${missing[0]}="${missing[1]}" of the main element`;
}

/** Buttons and links without which nobody gets on, and forms with their fields. */
function missingWayOn(html: string, usual: string): string | null {
  const [main, usualMain] = [mainOf(html), mainOf(usual)];
  const links = (page: string) => tagsOf(page, "a").map(attributesOf);
  for (const { id, href } of links(usualMain)) {
    if (id === "draw") continue;
    const isThere = links(main).some((link) => (id === undefined ? link.href === href : link.id === id));
    if (!isThere) return id === undefined ? `lacks the link to ${JSON.stringify(href)}` : `lacks the link id="${id}"`;
  }
  // The address that takes a place to another browser.
  if (/\bid="link"/.test(usualMain) && !/\bid="link"/.test(main)) return 'lacks the input id="link"';
  const forms = formsOf(main);
  // Of a waiting page's forms an operator may leave out all but that for giving up the place.
  const isWaiting = /<main\b[^>]*\bdata-position=/.test(usual);
  for (const { action, fields } of formsOf(usualMain)) {
    if (isWaiting && !action.endsWith("/leave")) continue;
    const form = forms.find((each) => each.action === action);
    if (form === undefined) return `lacks the form that posts to ${action}`;
    const missing = fields.find((field) => !form.fields.includes(field));
    if (missing !== undefined) return `lacks the field ${missing} of the form that posts to ${action}`;
  }
  return null;
}

function formsOf(page: string) {
  return [...page.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => ({
    action: attributesOf(tagsOf(form, "form")[0]).action ?? "",
    fields: tagsOf(form, "input")
      .map(attributesOf)
      .filter(({ type }) => type === "hidden")
      .map(({ name, value }) => `${name}=${value}`),
  }));
}

const mainOf = (page: string) => /<main\b[\s\S]*<\/main>/.exec(page)?.[0] ?? "";

function tagsOf(page: string, name: string): string[] {
  return page.match(new RegExp(`<${name}\\b(?:[^>"']|"[^"]*"|'[^']*')*>`, "g")) ?? [];
}

function attributesOf(tag = ""): Record<string, string> {
  return Object.fromEntries(
    [...tag.matchAll(/\s([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g)].map(([, name = "", one, other]) => [
      name,
      one ?? other ?? "",
    ]),
  );
}

function visibleText(page: string): string {
  return page.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, "").replace(/<(?:[^>"']|"[^"]*"|'[^']*')*>/g, " ");
}
