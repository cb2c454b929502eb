/** Reads what themes name: logos, and whether folders of templates are there. Goes by the raw document. */

import { isUtf8 } from "node:buffer";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { deflateRawSync } from "node:zlib";
import { GIF } from "image-size/types/gif";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { WEBP } from "image-size/types/webp";
import { readFileUpTo } from "../../lib/read-file.ts";
import { codeOf } from "../../lib/system-errors.ts";
import { type Fault, faultAt } from "../checks/faults.ts";
import { formatPath, type Path, valueAt } from "../raw-document.ts";
import { type LogoImage, themePlaces } from "./themes.ts";

const LOGO_BYTES_MAX = 32 * 1_024;
/** A larger one is seen in the time that the page takes on a slow connection. */
const LOGO_BYTES_ADVISED = 4 * 1_024;

/** @param baseDir where relative paths start */
export async function readThemeFiles(raw: unknown, baseDir: string) {
  /** By path, as `rooms[0].theme.logo.file`. */
  const logos = new Map<string, LogoImage>();
  const faults: Fault[] = [];
  const warnings: string[] = [];
  const tops = themePlaces(raw).map((stack) => stack.at(-1) ?? []);
  const places = new Map(tops.map((path) => [formatPath(path), path]));

  async function readAll(keys: readonly Path[], what: string, read: (named: string, path: Path) => Promise<void>) {
    for (const path of [...places.values()].flatMap((path) => keys.map((key) => [...path, ...key]))) {
      const written = valueAt(raw, path);
      if (typeof written !== "string" || written === "") continue;
      try {
        await read(resolve(baseDir, written), path);
      } catch (error) {
        faults.push(faultAt(raw, path, describe(error, what)));
      }
    }
  }

  const logoFiles = [
    ["logo", "file"],
    ["logo", "dark_file"],
  ];
  await readAll(logoFiles, "file", async (file, path) => {
    const { image, warnings: ofImage } = await readLogo(file);
    logos.set(formatPath(path), image);
    warnings.push(...ofImage.map((warning) => `${formatPath(path)}: ${warning}`));
  });
  await readAll([["views"]], "folder", async (folder) => {
    if (!(await stat(folder)).isDirectory()) throw new TypeError("expected a folder");
  });
  return { logos, faults, warnings };
}

async function readLogo(file: string): Promise<{ image: LogoImage; warnings: string[] }> {
  const stats = await stat(file);
  // A device has no end, and a pipe may never begin.
  if (!stats.isFile()) throw new TypeError("expected a file with an image");
  if (stats.size > LOGO_BYTES_MAX) {
    throw new TypeError(
      `has ${stats.size} bytes; it stands in each page itself, so at most ${LOGO_BYTES_MAX} are taken`,
    );
  }
  const bytes = await readFileUpTo(file, LOGO_BYTES_MAX);
  const { type, ratio } = readImageFacts(bytes);
  const uri = toDataUri(bytes, type);
  const grownBy = deflateRawSync(uri).length;
  const isLarge = bytes.length > LOGO_BYTES_ADVISED;
  const warning =
    `the image stands in each page itself, which grows by ${(grownBy / 1_000).toFixed(1)} kB (compressed); the page without it ` +
    `has about 13 kB, and an image of less than ${LOGO_BYTES_ADVISED / 1_024} KiB is advised`;
  return { image: { uri, ratio }, warnings: isLarge ? [warning] : [] };
}

function describe(error: unknown, what: string): string {
  if (error instanceof TypeError) return error.message;
  return codeOf(error) === "ENOENT" ? `there is no such ${what}` : `the ${what} can't be read (${codeOf(error)})`;
}

/** What sizes of pixels are read by: only these, of all that image-size can read. */
const pixelKinds = [
  ["image/png", PNG],
  ["image/gif", GIF],
  ["image/webp", WEBP],
  ["image/jpeg", JPG],
] as const;

/** A media type, and width by height. @throws TypeError that says what is wrong */
export function readImageFacts(bytes: Buffer) {
  const [type, { width, height }] = readSize(bytes);
  if (width > 0 && height > 0) return { type, ratio: width / height };
  const hint = type === "image/svg+xml" ? ": give the svg element a width and height, or a viewBox" : "";
  throw new TypeError(`does not say how wide and high the image is${hint}`);
}

const unknownSize = { width: 0, height: 0 };

function readSize(bytes: Buffer): readonly [type: string, size: typeof unknownSize] {
  for (const [type, { validate, calculate }] of pixelKinds) {
    try {
      if (validate(bytes)) return [type, calculate(bytes)];
    } catch {
      // Of this kind, and broken: what its reader says is not for an operator.
      return [type, unknownSize];
    }
  }
  const size = svgSize(bytes);
  if (size === null) throw new TypeError("expected an image: SVG, PNG, WebP, JPEG or GIF");
  return ["image/svg+xml", size];
}

/** Null for no SVG. In an `img` element neither scripts nor addresses of one do anything. image-size takes HTML with an SVG in it for one, and knows no commas. */
function svgSize(bytes: Buffer): typeof unknownSize | null {
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  const root =
    /^(?:\s|<\?[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>)*<svg\b((?:[^>"']|"[^"]*"|'[^']*')*)>/i.exec(
      text,
    )?.[1];
  if (root === undefined) return null;
  if (!/\sxmlns\s*=/.test(root)) {
    throw new TypeError('is no image by itself: give the svg element xmlns="http://www.w3.org/2000/svg"');
  }
  const attribute = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(root)?.[1]?.trim() ?? "";
  const lengths = [attribute("width"), attribute("height")].map((length) => /^[\d.]+(?=(px)?$)/.exec(length)?.[0]);
  const hasSize = lengths.every((length) => length !== undefined);
  const [width = 0, height = 0] = (
    hasSize
      ? lengths
      : attribute("viewBox")
          .split(/[\s,]+/)
          .slice(2)
  ).map(Number);
  return { width, height };
}

/**
 * The image as an address that pages carry in themselves. Text is written so that it still compresses; in another encoding than
 * UTF-8, which an XML file may name, it stays as it is.
 */
export function toDataUri(bytes: Buffer, type: string): string {
  if (type !== "image/svg+xml" || !isUtf8(bytes)) return `data:${type};base64,${bytes.toString("base64")}`;
  const text = bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trim();
  const written = encodeURIComponent(text).replace(/%(2F|3A|3D|2C|3B)/g, (code) => decodeURIComponent(code));
  return `data:${type},${written.replaceAll("'", "%27")}`;
}
