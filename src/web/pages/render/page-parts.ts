/** Compares a page that an operator's templates made with the built-in one: what it must have, and must not. Pure functions. */

/**
 * What the page lacks or has that it cannot work with; null where nothing is wrong.
 *
 * @param usual the same page by the built-in templates
 * @param hostile what must not stand in the page as it is: it was put into words from outside
 */
export function findPageFault(html: string, usual: string, hostile: RegExp): string | null {
  if (html === usual) return null;
  const [text, usualText] = [visibleText(html), visibleText(usual)];
  const foreign = (text.match(/\{\w+\}|\[object \w+\]|\bundefined\b|\bNaN\b|\uFFFD/g) ?? []).find(
    (found) => !usualText.includes(found),
  );
  if (hostile.test(html)) return "puts words from outside into the page unescaped: write <%= … %>, not <%- … %>";
  if (foreign === "\uFFFD") return "shows \uFFFD: save its file as UTF-8";
  if (foreign !== undefined) return `shows ${foreign}`;
  if (/<title>\s*<\/title>/.test(html) || !html.includes("<title>")) return "lacks the title: page.title";
  const rehearsal = /<aside class="rehearsal">([^<]+)</.exec(usual)?.[1];
  if (rehearsal !== undefined && !text.includes(rehearsal)) return "lacks the words of a rehearsal: page.rehearsal";
  const inline =
    inlineFault(html, usual, "style", "page.style.text") ??
    inlineFault(html, usual, "script", "page.script.text, or page.liveJson");
  if (inline !== null) return inline;
  const there = new Set(partsOf(html).flat());
  const lost = partsOf(usual).find(([part = ""]) => !there.has(part));
  return lost === undefined ? null : `lacks ${lost[0]}`;
}

/** Inline styles and scripts, which stand in the page unchanged: the policy allows no others, not even with a blank more. */
function inlineFault(html: string, usual: string, name: string, variable: string): string | null {
  const elements = (page: string) =>
    [...page.matchAll(new RegExp(`<${name}\\b([^>]*)>([\\s\\S]*?)</${name}>`, "g"))].map(
      ([, attributes, content = ""]) => ({ attributes: attributesOf(attributes), content }),
    );
  const there = elements(html);
  for (const { attributes, content } of elements(usual)) {
    const { id, type } = attributes;
    const found = there.filter((each) => each.attributes.id === id && each.content.trim() === content.trim());
    if (found.length === 0) return `lacks a ${name} element: ${variable}`;
    if (type === "application/json" || found.some((each) => each.content === content)) continue;
    return `has blanks or line breaks around the text of a ${name} element, so browsers refuse it: leave them out`;
  }
  return null;
}

/** What a style goes by, and no script. */
const dispensable: ReadonlySet<string> = new Set(["data-tone", "data-draw"]);

/**
 * What scripts read of a page, and the buttons and links without which nobody gets on: each part in words. One that goes by
 * several is asked for by the first.
 */
function partsOf(page: string): string[][] {
  const main = /<main\b[\s\S]*<\/main>/.exec(page)?.[0] ?? "";
  const [root = {}] = tagsOf(page, "html");
  const [data = {}] = tagsOf(page, "main");
  const links = tagsOf(main, "a").filter(({ id }) => id !== "draw");
  const forms = [...main.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => {
    const of = `the form that posts to ${tagsOf(form, "form")[0]?.action ?? ""}`;
    const hidden = tagsOf(form, "input").filter(({ type }) => type === "hidden");
    return [of, ...hidden.map(({ name, value }) => `the field ${name}=${value} of ${of}`)];
  });
  return [
    ...["lang", "dir"].map((name) => [`${name}="${root[name]}" of the html element`]),
    ...Object.entries(data)
      .filter(([name]) => name.startsWith("data-") && !dispensable.has(name))
      .map(([name, value]) => [`${name}="${value}" of the main element`]),
    ...links.map(({ id, href }) => [
      ...(id === undefined ? [] : [`the link id="${id}"`]),
      `the link to ${JSON.stringify(href)}`,
    ]),
    // The address that takes a place to another browser.
    ...(/\bid="link"/.test(main) ? [['the input id="link"']] : []),
    // Of a waiting page's forms an operator may leave out all but that for giving up the place.
    ...forms
      .filter(([of]) => !("data-position" in data) || of?.endsWith("/leave"))
      .flatMap((parts) => parts.map((part) => [part])),
  ];
}

/** The attributes of each tag of this name. */
function tagsOf(page: string, name: string): Record<string, string>[] {
  return (page.match(new RegExp(`<${name}\\b(?:[^>"']|"[^"]*"|'[^']*')*>`, "g")) ?? []).map(attributesOf);
}

function attributesOf(tag = ""): Record<string, string> {
  const found = tag.matchAll(/\s([\w-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/g);
  return Object.fromEntries([...found].map(([, name = "", one, other]) => [name, one ?? other ?? ""]));
}

function visibleText(page: string): string {
  return page.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, "").replace(/<(?:[^>"']|"[^"]*"|'[^']*')*>/g, " ");
}
