import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, buildSync } from "esbuild";
import { loadScript } from "./load-script.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { browserBundles } = await loadScript<{ browserBundles: readonly BuildOptions[] }>("browser.mjs");
let compiled: string | undefined;

/** The folder of the pages' templates, styles and texts. */
export const viewsDir = join(root, "views");

/**
 * Compiles src/web/browser as the build does, once per process, and returns the folder. So tests of pages see
 * the scripts as they are now, whatever the last build left in dist/.
 */
export function compileBrowserScripts(): string {
  if (compiled !== undefined) return compiled;
  const folder = mkdtempSync(join(tmpdir(), "usher-browser-scripts-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const bundle of browserBundles) buildSync({ ...bundle, outdir: folder });
  compiled = folder;
  return folder;
}
