import { resolve, sep } from "node:path";

/** Of a configuration that is no longer written by hand. */
const namesMax = 2_000;

/**
 * What a configuration may name beside it: each word in it that could be a relative path, whether the file is there or not, and
 * however broken the rest is. Better one too many than one too few: they are only looked at.
 *
 * @param baseDir where relative paths start
 */
export function filesNamedIn(text: string, baseDir: string): string[] {
  const words = text.match(/[^\s"'{}[\],#]+/g) ?? [];
  const folder = resolve(baseDir);
  const found = words.filter((word) => !/^\/|:\/\/|[*?]|:$/.test(word)).map((path) => resolve(folder, path));
  // A folder that everything lies in is named by "." and the like.
  const beside = [...new Set(found)].filter((path) => path !== folder && !`${folder}${sep}`.startsWith(path + sep));
  return beside.slice(0, namesMax);
}
