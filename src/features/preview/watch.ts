import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const usualIntervalMs = 400;
/** Folders within folders, and files in all: what is named by mistake must not cost more. */
const depthMax = 3;
const filesMax = 2_000;

/**
 * Calls `changed` when one of the files, or something in one of the folders, is another one than before; also of files that are
 * not there yet. Looks again and again, since editors and mounts tell the system's own watchers too little.
 *
 * @param paths asked for at each look
 * @returns after the first look
 */
export async function watchFiles(
  paths: () => readonly string[],
  changed: () => Promise<void>,
  intervalMs = usualIntervalMs,
): Promise<{ stop(): void }> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let before = await lookAt(paths());

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await pause(intervalMs, undefined, { signal }).catch(() => undefined);
      const now = await lookAt(paths());
      const hasChanged = [...now].some(([path, found]) => before.has(path) && before.get(path) !== found);
      // What changes while it is read is seen at the next look.
      before = now;
      if (hasChanged && !signal.aborted) await changed();
    }
  }

  void watch();
  return { stop: () => stopping.abort() };
}

/** What there is of each path, in a text that is another one after each change. */
async function lookAt(paths: readonly string[]): Promise<Map<string, string>> {
  let files = 0;
  const visit = async (path: string, depth: number): Promise<string[]> => {
    if (++files > filesMax) return [];
    const found = await stat(path).catch(() => null);
    const state = `${path} ${found === null ? "-" : `${found.mtimeMs} ${found.size}`}`;
    if (!found?.isDirectory() || depth === depthMax) return [state];
    const names = (await readdir(path).catch(() => [])).filter((name) => !/^\.|^node_modules$/.test(name)).sort();
    const inside: string[] = [];
    for (const name of names) inside.push(...(await visit(join(path, name), depth + 1)));
    return [state, ...inside];
  };
  const all = new Map<string, string>();
  for (const path of paths) all.set(path, (await visit(path, 0)).join("\n"));
  return all;
}
