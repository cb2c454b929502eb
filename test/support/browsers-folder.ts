/**
 * The folder for temporary files of the browser tests: there before the first of them, and removed after the last. A
 * browser that ends with its process does not clear up after itself.
 */
import { mkdirSync, rmSync } from "node:fs";
import type { TestProject } from "vitest/node";

export default function makeBrowsersFolder({ config }: TestProject): () => void {
  const { TMPDIR: folder } = config.env;
  if (folder === undefined) throw new Error("the project has no folder for temporary files");
  mkdirSync(folder, { recursive: true });
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}
