import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Names the sources that the program was built from; null where it was not built. */
export async function readBuild(packageDir: string): Promise<string | null> {
  const stamp = await readFile(join(packageDir, "dist", ".build"), "utf8").catch(() => null);
  return stamp === null ? null : stamp.slice(0, 12);
}
