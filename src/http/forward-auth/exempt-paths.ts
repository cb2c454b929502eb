import { readLinkTarget } from "../../lib/link-target.ts";

/**
 * Which paths forward authentication lets through. A path that the site might read as another one is never among them.
 *
 * @param list paths, exact, or ending with `/*` for everything below
 */
export function createExemptPaths(list: readonly string[]): (path: string) => boolean {
  const exact = new Set(list.filter((entry) => !entry.endsWith("/*")));
  const prefixes = list.filter((entry) => entry.endsWith("/*")).map((entry) => entry.slice(0, -1));
  return (path) =>
    (exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix))) &&
    readLinkTarget(`https://site.example${path}`) !== null;
}
