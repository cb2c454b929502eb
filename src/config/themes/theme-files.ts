/** Reads what themes name: logos, and whether folders of templates are there. Goes by the raw document. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { deflateRawSync } from "node:zlib";
import { readFileUpTo } from "../../lib/read-file.ts";
import { codeOf } from "../../lib/system-errors.ts";
import { type Fault, faultAt } from "../checks/faults.ts";
import { formatPath, type Path, valueAt } from "../raw-document.ts";
import { readImageFacts, toDataUri } from "./logo-image.ts";
import type { LogoImage } from "./theme.ts";
import { themePlaces } from "./theme-places.ts";

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

  async function readEach(keys: readonly Path[], what: string, read: (named: string, path: Path) => Promise<void>) {
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
  await readEach(logoFiles, "file", async (file, path) => {
    const { image, warnings: ofImage } = await readLogo(file);
    logos.set(formatPath(path), image);
    warnings.push(...ofImage.map((warning) => `${formatPath(path)}: ${warning}`));
  });
  await readEach([["views"]], "folder", async (folder) => {
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
