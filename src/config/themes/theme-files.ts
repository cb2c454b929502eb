/** Reads what themes name: logos, and whether folders of templates are there. Goes by the raw document. */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { deflateRawSync } from "node:zlib";
import { type Fault, faultAt } from "../checks/faults.ts";
import { formatPath, type Path, valueAt } from "../resolve/raw-document.ts";
import { readImageFacts, toDataUri } from "./logo-image.ts";
import type { LogoImage } from "./theme.ts";
import { themePlaces } from "./theme-places.ts";

const LOGO_BYTES_MAX = 32 * 1_024;
/** A larger one is seen in the time that the page takes on a slow connection. */
const LOGO_BYTES_ADVISED = 4 * 1_024;

export interface ThemeFiles {
  /** Logos by path, as `rooms[0].theme.logo.file`. */
  readonly logos: ReadonlyMap<string, LogoImage>;
  readonly faults: readonly Fault[];
  readonly warnings: readonly string[];
}

/** @param baseDir where relative paths start */
export async function readThemeFiles(raw: unknown, baseDir: string): Promise<ThemeFiles> {
  const logos = new Map<string, LogoImage>();
  const faults: Fault[] = [];
  const warnings: string[] = [];
  const places = themePlaces(raw);

  for (const path of places.flatMap(({ path }) => ["file", "dark_file"].map((key): Path => [...path, "logo", key]))) {
    const written = valueAt(raw, path);
    if (typeof written !== "string" || written === "") continue;
    try {
      const { image, warning } = await readLogo(resolve(baseDir, written));
      logos.set(formatPath(path), image);
      if (warning !== null) warnings.push(`${formatPath(path)}: ${warning}`);
    } catch (error) {
      faults.push(faultAt(raw, path, describe(error, "file")));
    }
  }

  for (const { path } of places) {
    const views: Path = [...path, "views"];
    const written = valueAt(raw, views);
    if (typeof written !== "string" || written === "") continue;
    try {
      if (!(await stat(resolve(baseDir, written))).isDirectory()) throw new TypeError("expected a folder");
    } catch (error) {
      faults.push(faultAt(raw, views, describe(error, "folder")));
    }
  }
  return { logos, faults, warnings };
}

async function readLogo(file: string): Promise<{ image: LogoImage; warning: string | null }> {
  const { size } = await stat(file);
  if (size > LOGO_BYTES_MAX) {
    throw new TypeError(`has ${size} bytes; it stands in each page itself, so at most ${LOGO_BYTES_MAX} are taken`);
  }
  const bytes = await readFile(file);
  const { type, ratio } = readImageFacts(bytes);
  const uri = toDataUri(bytes, type);
  const grownBy = deflateRawSync(uri).length;
  const warning =
    bytes.length > LOGO_BYTES_ADVISED
      ? `the image stands in each page itself, which grows by ${(grownBy / 1_000).toFixed(1)} kB (compressed); the page without it ` +
        `has about 13 kB, and an image of less than ${LOGO_BYTES_ADVISED / 1_024} KiB is advised`
      : null;
  return { image: { uri, ratio }, warning };
}

function describe(error: unknown, what: string): string {
  if (error instanceof TypeError) return error.message;
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  return code === "ENOENT" ? `there is no such ${what}` : `the ${what} can't be read (${code})`;
}
