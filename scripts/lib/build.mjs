import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { browserBundles, consoleBundle } from "./browser.mjs";
import { inRoot, root } from "./paths.mjs";
import { bundleProgram } from "./program.mjs";
import { runTool } from "./run.mjs";

const STAMP = ".build";
/** What the output follows from. `views/` is read from its place at run time. */
const INPUTS = [
  "src",
  "docs/openapi.json",
  "examples/demo",
  "scripts/lib/build.mjs",
  "scripts/lib/browser.mjs",
  "scripts/lib/program.mjs",
  "tsconfig.json",
  "tsconfig.build.json",
  "package.json",
  "package-lock.json",
];
const DEMO = join("examples", "demo", "index.ts");
const SCRIPTS_OF_REDIS = join("store", "redis", "lua");

/** Whether dist/ was built from the sources as they are. */
export function isBuilt() {
  try {
    return readFileSync(inRoot("dist", STAMP), "utf8") === hashInputs();
  } catch {
    return false;
  }
}

/**
 * Builds dist/ anew and answers the exit code. The output is made beside it and then takes its place, so
 * that nothing stale stays and a failed build leaves the old one.
 */
export async function build() {
  const hash = hashInputs();
  const draft = inRoot(`.dist-${process.pid}`);
  const modules = inRoot(`.dist-modules-${process.pid}`);
  const old = inRoot(`.dist-old-${process.pid}`);
  try {
    const code = await runTool("typescript/bin/tsc", ["-p", "tsconfig.build.json", "--outDir", modules]);
    if (code !== 0) {
      return code;
    }
    // Not imported above: this file runs before anything is installed.
    const esbuild = await import("esbuild");
    const outdir = join(draft, "browser");
    await Promise.all([
      bundleProgram(esbuild, modules, draft),
      ...[...browserBundles, consoleBundle].map((bundle) => esbuild.build({ ...bundle, outdir })),
    ]);
    // The demonstration, where it is: the image has none.
    if (existsSync(inRoot(DEMO))) await esbuild.build(oneModule(inRoot(DEMO), join(draft, "demo", "index.js")));
    for (const path of importedBySites().filter((each) => existsSync(join(modules, each)))) {
      await copyForSites(esbuild, join(modules, path), join(draft, path));
    }
    // Its service would live as long as the server that is started next in this process.
    await esbuild.stop();
    if (existsSync(inRoot("src", SCRIPTS_OF_REDIS))) {
      cpSync(inRoot("src", SCRIPTS_OF_REDIS), join(draft, SCRIPTS_OF_REDIS), { recursive: true });
    }
    const description = JSON.parse(readFileSync(inRoot("docs", "openapi.json"), "utf8"));
    writeFileSync(join(draft, "openapi.json"), JSON.stringify(description));
    writeFileSync(join(draft, STAMP), hash);
    if (existsSync(inRoot("dist"))) {
      renameSync(inRoot("dist"), old);
    }
    renameSync(draft, inRoot("dist"));
    return 0;
  } finally {
    rmSync(modules, { recursive: true, force: true });
    rmSync(draft, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

/** What package.json exports beside the program: folders, and modules that are whole by themselves with their types. */
function importedBySites() {
  const { exports } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  const files = Object.values(exports).flatMap((each) => (typeof each === "string" ? [] : Object.values(each)));
  return [...new Set(files.map((file) => file.replace(/^\.\/dist\//, "").replace(/\/index\.(d\.ts|js)$/, "")))];
}

/** Modules come with what they import from elsewhere in src; of a folder there is its index, and all types. */
async function copyForSites(esbuild, from, to) {
  const isFolder = statSync(from).isDirectory();
  if (isFolder) cpSync(from, to, { recursive: true, filter: (file) => file === from || file.endsWith(".d.ts") });
  else if (from.endsWith(".d.ts")) cpSync(from, to);
  const types = isFolder ? join(from, "index.d.ts") : from;
  if (types.endsWith(".d.ts")) copyNamedTypes(types, from, to);
  if (isFolder) await esbuild.build(oneModule(join(from, "index.js"), join(to, "index.js")));
  else if (from.endsWith(".js")) await esbuild.build(oneModule(from, to));
}

/** Declarations that those of a module name, wherever they are, and those that these name. */
function copyNamedTypes(file, from, to, done = new Set()) {
  for (const [, specifier] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)) {
    const named = join(dirname(file), specifier.replace(/\.(?:ts|js)$/, ".d.ts"));
    if (done.has(named)) continue;
    done.add(named);
    cpSync(named, join(to, relative(from, named)));
    copyNamedTypes(named, from, to, done);
  }
}

/** With what it imports, but for packages, which are taken from node_modules. */
function oneModule(entry, outfile) {
  const asModule = { platform: "node", format: "esm", packages: "external", target: "node20", sourcemap: true };
  return { ...asModule, entryPoints: [entry], bundle: true, outfile, logLevel: "warning" };
}

/** Builds if the sources have changed since; answers the exit code. */
export async function ensureBuilt() {
  if (isBuilt()) {
    return 0;
  }
  process.stderr.write("Building …\n");
  return build();
}

function hashInputs() {
  const hash = createHash("sha256");
  for (const file of INPUTS.flatMap((path) => filesBelow(path)).sort()) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest("hex");
}

function filesBelow(path) {
  if (!existsSync(join(root, path))) {
    return [];
  }
  const isFile = /\.\w+$/.test(path);
  return isFile
    ? [path]
    : readdirSync(join(root, path), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
