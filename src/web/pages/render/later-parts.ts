/**
 * Parts of a page's script that it loads when the visitor wants them (src/web/browser/later): each a file under a name that has the
 * hash of what is in it, so that browsers and caches keep it for good.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type AssetFile, hashedName, scriptType } from "./asset-files.ts";

export interface LaterPart extends AssetFile {
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
  return { file: hashedName(name, plain), type: scriptType, plain, gzip: gzipSync(plain, { level: 9 }) };
}

/** The file of a part, for the page's script. @throws Error for a name that is none */
export function fileOfPart(parts: ReadonlyMap<string, LaterPart>, name: string): string {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`src/web/browser/later has no ${name}.ts`);
  return part.file;
}
