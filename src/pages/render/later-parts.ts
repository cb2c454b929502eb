/**
 * Parts of a page's script that it loads when the visitor wants them (src/browser/later): each a file under a name that has the
 * hash of what is in it, so that browsers and caches keep it for good.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** What lies at `/assets/FILE.js`. */
export interface LaterFile {
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

export interface LaterPart extends LaterFile {
  /** Of its address, `/assets/FILE.js`. */
  readonly file: string;
}

/** By the name of its source. @throws Error where the build has left them out */
export function readLaterParts(browserDir: string): ReadonlyMap<string, LaterPart> {
  const folder = join(browserDir, "later");
  const names = readdirSync(folder).map((file) => file.replace(/\.js$/, ""));
  return new Map(names.map((name) => [name, readPart(folder, name)]));
}

function readPart(folder: string, name: string): LaterPart {
  const plain = readFileSync(join(folder, `${name}.js`));
  const hash = createHash("sha256").update(plain).digest("hex").slice(0, 8);
  return { file: `${name}-${hash}`, plain, gzip: gzipSync(plain, { level: 9 }) };
}

/** The file of a part, for the page's script. @throws Error for a name that is none */
export function fileOfPart(parts: ReadonlyMap<string, LaterPart>, name: string): string {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`src/browser/later has no ${name}.ts`);
  return part.file;
}
