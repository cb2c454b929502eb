import { isInstalled } from "./install.mjs";
import { inRoot } from "./paths.mjs";
import { run, runNpm } from "./run.mjs";

/**
 * Runs tools/lua, and answers its exit code. It has packages of its own, which nothing else needs: they are installed when they
 * are missing. Arguments: `--check` only compares.
 */
export async function compileLua(args = []) {
  const folder = inRoot("tools", "lua");
  if (
    !isInstalled(
      inRoot("tools", "lua", "package-lock.json"),
      inRoot("tools", "lua", "node_modules", ".package-lock.json"),
    )
  ) {
    const code = await runNpm(["ci", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"]);
    if (code !== 0) return code;
  }
  return run(process.execPath, [inRoot("tools", "lua", "compile.mjs"), ...args]);
}
