/** The release before this version, built beside it from the history of the repository. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

/**
 * The commit behind which the version in package.json became this one: that of the last release. `USHER_PREVIOUS` names another. Null where
 * the history is not there: in a clone without it.
 */
export function findPreviousRelease(): string | null {
  try {
    if (process.env.USHER_PREVIOUS) return git("rev-parse", process.env.USHER_PREVIOUS);
    const versionAt = (commit: string) => JSON.parse(git("show", `${commit}:package.json`)).version as string;
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    let begun: string | null = null;
    for (const commit of git("log", "--format=%H", "--", "package.json").split("\n")) {
      if (versionAt(commit) !== version) return begun === null ? null : git("rev-parse", `${begun}^`);
      begun = commit;
    }
    return null;
  } catch (error) {
    // There the whole history is fetched: without it nothing would be tested, and nobody told.
    if (process.env.GITHUB_ACTIONS) throw error;
    return null;
  }
}

/** Whether the changelog says that gateways of that release and of this version can work on one store. */
export function sharesStoreWithPrevious(): boolean {
  const latest = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m)[1] ?? "";
  const said = /Gateways of [\d.]+ and [\d.]+ (share|cannot share) a store/.exec(latest)?.[1];
  if (said === undefined) throw new Error("the changelog does not say whether the versions share a store");
  return said === "share";
}

/** Its program, built in artifacts/previous, where it stays. */
export async function buildPreviousRelease(commit: string): Promise<string> {
  const folder = join(root, "artifacts", "previous", commit);
  const mainFile = join(folder, "dist", "main.js");
  if (existsSync(mainFile)) return mainFile;
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    await run("sh", ["-c", `git archive ${commit} | tar -x -C "${draft}"`], { cwd: root });
    if (packagesOf(draft) === packagesOf(root)) {
      symlinkSync(join(root, "node_modules"), join(draft, "node_modules"));
    } else await run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: draft, maxBuffer: 64e6 });
    await run(process.execPath, ["scripts/build.mjs"], { cwd: draft, maxBuffer: 64e6 });
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
    return mainFile;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** What a lockfile installs: all that it says but the version of the package itself. */
function packagesOf(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  return JSON.stringify({ ...packages, "": { ...packages[""], version: null } });
}
