import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ejs from "ejs";

/** A stylesheet or script that stands in the page itself; the policy names it by its hash (CSP level 2). */
export interface InlineAsset {
  readonly text: string;
  /** `'sha256-…'`, as Content-Security-Policy wants it. */
  readonly hash: string;
}

export type Template = (page: object) => string;

export function readTemplate(file: string): Template {
  // Strict mode: the one variable is `page`, and a name that does not exist is an error instead of nothing.
  return ejs.compile(readFileSync(file, "utf8"), {
    filename: file,
    strict: true,
    localsName: "page",
    rmWhitespace: true,
  });
}

export function readStyles(folder: string, names: readonly string[]): InlineAsset {
  const styles = names.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
  return inlineAsset(
    styles
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .replace(/\s+/g, " ")
      .replace(/ ?([{};,]) ?/g, "$1")
      .replace(/: /g, ":")
      .replaceAll(";}", "}")
      .trim(),
  );
}

/** A script of a page as the build made it, self-contained. */
export function readScript(file: string): InlineAsset {
  return inlineAsset(readFileSync(file, "utf8").trim());
}

function inlineAsset(text: string): InlineAsset {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error("an inline script or stylesheet would end too early");
  return { text, hash: `'sha256-${createHash("sha256").update(text).digest("base64")}'` };
}

export interface PolicyOptions {
  readonly style: InlineAsset;
  readonly script: InlineAsset | undefined;
  /** Whether the script fetches from this origin. */
  readonly connects: boolean;
  /**
   * Whether the page has a form. Browsers apply `form-action` to every redirect after a submit, and ours lead on
   * to relying parties; so a page with a form leaves it out, and a page without one forbids all.
   */
  readonly hasForm: boolean;
}

export function contentSecurityPolicy({ style, script, connects, hasForm }: PolicyOptions): string {
  return [
    "default-src 'none'",
    `style-src ${style.hash}`,
    ...(script === undefined ? [] : [`script-src ${script.hash}`]),
    ...(connects ? ["connect-src 'self'"] : []),
    // The icon in the page's head, so that no browser asks for /favicon.ico.
    "img-src data:",
    ...(hasForm ? [] : ["form-action 'none'"]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
