import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
let compiled: string | undefined;

/** The folder of the pages' templates, styles and texts. */
export const viewsDir = join(root, "views");

/**
 * Compiles src/browser as the build does, once per process, and returns the folder. So tests of pages see
 * the scripts as they are now, whatever the last build left in dist/.
 */
export function compileBrowserScripts(): string {
  if (compiled !== undefined) return compiled;
  const folder = mkdtempSync(join(tmpdir(), "usher-browser-scripts-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  try {
    execFileSync(process.execPath, [tsc, "-p", "tsconfig.browser.json", "--outDir", folder], {
      cwd: root,
      encoding: "utf8",
    });
  } catch (error) {
    const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`src/browser does not compile:\n${output}`, { cause: error });
  }
  compiled = folder;
  return folder;
}
