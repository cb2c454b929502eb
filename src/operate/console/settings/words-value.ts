/** Words and links as a field has them: text that an operator writes, and the JSON that the admin API takes. */

/** A language tag before its text. */
const tagged = /^([a-z]{2,3}(?:-[a-z0-9]{2,8})*):\s+(.*)$/is;
/** What separates the texts of two languages. */
const between = /\s*(?:\n|;)\s*(?=[a-z]{2,3}(?:-[a-z0-9]{2,8})*:\s)/i;

/** `Hello`, or `en: Hello; de: Hallo`. */
export function wordsText(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value ?? "");
  return Object.entries(value)
    .map(([tag, text]) => `${tag}: ${text}`)
    .join("; ");
}

export function readWords(text: string): unknown {
  const texts = text
    .trim()
    .split(between)
    .map((part) => tagged.exec(part));
  // What has no language in front is one text for all.
  if (texts.some((match) => match === null)) return text.trim();
  return Object.fromEntries(texts.map((match) => [match?.[1] ?? "", match?.[2]?.trim() ?? ""]));
}

/** A language tag on a line of its own. */
const tagLine = /^([a-z]{2,3}(?:-[a-z0-9]{2,8})*):[ \t]*$/gim;

/** Markdown as it is, or each language's below its tag and a colon. */
export function markdownText(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value ?? "");
  return Object.entries(value)
    .map(([tag, text]) => `${tag}:\n${text}`)
    .join("\n\n");
}

export function readMarkdownTexts(text: string): unknown {
  const [before = "", ...parts] = text.split(tagLine);
  // What has no language above it is one text for all.
  if (before.trim() !== "" || parts.length === 0) return text.trim();
  const tags = parts.filter((_, index) => index % 2 === 0);
  return Object.fromEntries(tags.map((tag, index) => [tag, parts[index * 2 + 1]?.trim() ?? ""]));
}

/** One on a line: what it says, and behind it the address. */
export function linksText(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value.map(({ label, url }: { label: unknown; url: unknown }) => `${wordsText(label)} ${url}`).join("\n");
}

/** None at all are `off`. What is missing the gateway says. */
export function readLinks(text: string): unknown {
  const lines = text.split("\n").flatMap((line) => line.trim() || []);
  if (lines.length === 0) return "off";
  return lines.map((line) => {
    const [, label = "", url = ""] = /^(?:(.*)\s)?(\S+)$/.exec(line) ?? [];
    return { label: readWords(label), url };
  });
}
