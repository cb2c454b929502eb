const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

/** For text and for quoted attribute values. */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "") : text;
}

/** JSON for the inside of a `<script type="application/json">`: nothing in it can end the element. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** An address that may be linked or posted to: http, https, or local. Anything else (`javascript:` …) becomes the page itself. */
export function safeHref(href: string): string {
  return href === "" || /^(https?:\/\/|\/(?!\/)|\?)/i.test(href) ? href : "";
}
