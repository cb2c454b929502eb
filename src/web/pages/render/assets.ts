import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A stylesheet or script that stands in the page itself; the policy names it by its hash (CSP level 2). */
export interface InlineAsset {
  readonly text: string;
  /** `'sha256-…'`, as Content-Security-Policy wants it. */
  readonly hash: string;
}

/** Minified, one behind the other. */
export function readSheets(folder: string, names: readonly string[]): string {
  return names
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":")
    .replaceAll(";}", "}")
    .trim();
}

/** A script of a page as the build made it, self-contained. */
export function readScript(file: string): InlineAsset {
  return inlineAsset(readFileSync(file, "utf8").trim());
}

/**
 * As browsers read it in a page, for they compare the hash with that: HTML knows one kind of line break, and no NUL.
 *
 * @throws Error where the text would end its element.
 */
export function inlineAsset(written: string): InlineAsset {
  const text = written.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error("an inline script or stylesheet would end too early");
  return { text, hash: `'sha256-${createHash("sha256").update(text).digest("base64")}'` };
}

export interface PolicyOptions {
  readonly style: InlineAsset;
  readonly script: InlineAsset | undefined;
  /** Whether the script fetches from this origin. */
  readonly connects: boolean;
  /** Whether the script loads parts of itself, which lie at this origin. Default: it loads none. */
  readonly loadsParts?: boolean;
  /** Whether the script has a worker, whose program lies at this origin. Default: it has none. */
  readonly hasWorker?: boolean;
  readonly hasForm: boolean;
  /** Where images on the page come from. Default: from nowhere but the page itself. */
  readonly imageOrigins?: readonly string[];
  /** Of a provider whose script the page loads: where that, its frames, styles and requests may go. Default: nowhere. */
  readonly foreignOrigins?: readonly string[];
}

export function contentSecurityPolicy({
  style,
  script,
  connects,
  loadsParts = false,
  hasWorker = false,
  hasForm,
  imageOrigins = [],
  foreignOrigins = [],
}: PolicyOptions): string {
  const foreign = foreignOrigins.map((origin) => ` ${origin}`).join("");
  return [
    "default-src 'none'",
    `style-src ${style.hash}${foreign}`,
    ...(script === undefined ? [] : [`script-src ${script.hash}${loadsParts ? " 'self'" : ""}${foreign}`]),
    ...(connects ? [`connect-src 'self'${foreign}`] : []),
    ...(foreign === "" ? [] : [`frame-src${foreign}`]),
    ...(hasWorker ? ["worker-src 'self'"] : []),
    // The icon in the page's head, so that no browser asks for /favicon.ico.
    ["img-src data:", ...imageOrigins, ...foreignOrigins].join(" "),
    // Browsers apply it to every redirect after a submit, and ours lead on to relying parties: all of them, or none.
    ...(hasForm ? [] : ["form-action 'none'"]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
