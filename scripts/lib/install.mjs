import { readFileSync } from "node:fs";
import { inRoot } from "./paths.mjs";
import { runNpm } from "./run.mjs";

/**
 * Whether node_modules holds what package-lock.json asks for, development dependencies included. npm keeps a
 * lockfile of what it installed in node_modules; it is written last, so an interrupted installation has none.
 */
export function isInstalled(
  lockFile = inRoot("package-lock.json"),
  installedFile = inRoot("node_modules", ".package-lock.json"),
) {
  const wanted = readPackages(lockFile);
  const installed = readPackages(installedFile);
  if (wanted === null || installed === null) {
    return false;
  }
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
    if (path === "") {
      return true;
    }
    const found = installed[path];
    // Optional packages of other platforms are not installed.
    return found === undefined
      ? optional === true || devOptional === true
      : found.version === version && found.integrity === integrity;
  });
}

/** Installs dependencies if they are missing or out of date; answers the exit code. */
export async function ensureInstalled({ quiet = false } = {}) {
  if (isInstalled()) {
    return 0;
  }
  process.stderr.write("Installing dependencies …\n");
  // Building needs the development dependencies, whatever NODE_ENV says.
  return runNpm(["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"], { quiet });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? null;
  } catch {
    return null;
  }
}
