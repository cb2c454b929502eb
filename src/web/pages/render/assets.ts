/** What pages are drawn with and run by: sheets and scripts that stand in a page, with the policy that allows them, and files at `/assets/`. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Locale } from "../locales/locale.ts";

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

export function contentSecurityPolicy({
  style,
  script,
  connects,
  loadsParts = false,
  hasWorker = false,
  hasForm,
  imageOrigins = [],
  foreignOrigins = [],
}: {
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
}): string {
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

/**
 * What lies at `/assets/FILE`. Its name has the hash of what is in it, so browsers and caches keep it for good, and any process finds the file
 * of any page of the same version and configuration.
 */
export interface AssetFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Undefined where compression does not make it smaller. */
  readonly gzip: Buffer | undefined;
  readonly brotli: Buffer | undefined;
}

export const scriptType = "text/javascript";

/** `NAME-HASH`, without what says its type. */
export function hashedName(name: string, content: Buffer | string): string {
  return `${name}-${createHash("sha256").update(content).digest("hex").slice(0, 8)}`;
}

/** Compressed on first use. */
export function assetFile(type: string, plain: Buffer): AssetFile {
  let gzip: Buffer | undefined;
  let brotli: Buffer | undefined;
  return {
    type,
    plain,
    get gzip() {
      if (isCompressed(type)) return undefined;
      gzip ??= gzipSync(plain, { level: 9 });
      return gzip;
    },
    get brotli() {
      if (isCompressed(type)) return undefined;
      brotli ??= brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } });
      return brotli;
    },
  };
}

/** Images of pixels are. */
function isCompressed(type: string): boolean {
  return type.startsWith("image/") && type !== "image/svg+xml";
}

/** A page that is the same for all. */
export interface StaticPage {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly etag: string;
  /** For Content-Language. */
  readonly language: string;
  readonly contentSecurityPolicy: string;
}

/** The page as it is and compressed. */
export function createStaticPage(html: string, { tag: language }: Locale, contentSecurityPolicy: string): StaticPage {
  const plain = Buffer.from(html);
  const hash = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  // Weak: both forms have it.
  return { plain, gzip: gzipSync(plain, { level: 9 }), etag: `W/"${hash}"`, language, contentSecurityPolicy };
}
