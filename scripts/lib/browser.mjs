import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inRoot } from "./paths.mjs";

const script = (name) => inRoot("src", "web", "browser", `${name}.ts`);

/**
 * Members by which the modules of a script know one another, and nobody else: short in what visitors load. None of them may be
 * a word of an answer's JSON, of a page's `data-` attributes, of a text's placeholders or of the browser.
 */
const ownMembers = [
  ...["abandon", "admit", "againMs", "askFirst", "askSoon", "backoffMsMax", "countdown", "doubt"],
  ...[
    "floorMs",
    "heldPlace",
    "takeAnswer",
    "isFailing",
    "isHeld",
    "isPending",
    "isStale",
    "isWanted",
    "lastAnswerMs",
    "nextMs",
    "nextPollMs",
  ],
  ...["pauseMsMax", "settled", "showAhead", "silentMs"],
  ...["clock", "describe", "force", "forget", "moment", "retry", "schedule", "standsStill", "sync"],
];

const common = {
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "utf8",
  logLevel: "warning",
  mangleProps: new RegExp(`^(${ownMembers.join("|")})$`),
};

/** The console: a script and a stylesheet under names that have the hash of what is in them, with what the script loads later. */
export const consoleBundle = {
  entryPoints: [
    { in: inRoot("src", "app", "console.ts"), out: "console" },
    { in: inRoot("src", "operate", "console", "style", "console.css"), out: "console" },
  ],
  entryNames: "console/[name]-[hash]",
  chunkNames: "console/[name]-[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  logLevel: "warning",
};

/**
 * How esbuild makes the scripts of the pages from src/web/browser: each page's modules in one small file that leaves nothing
 * global, since it stands in the page itself. Types are checked by tsconfig.browser.json.
 */
export const browserBundles = [
  {
    ...common,
    entryPoints: ["waiting", "notice", "move", "draw", "check", "device", "linked", "draw-checker"].map(script),
    define: { FOR_ENTRY: "false", FOR_HELD: "false" },
  },
  {
    ...common,
    entryPoints: { "waiting-entry": script("waiting") },
    define: { FOR_ENTRY: "true", FOR_HELD: "false" },
  },
  { ...common, entryPoints: { "waiting-held": script("waiting") }, define: { FOR_ENTRY: "false", FOR_HELD: "true" } },
  // Parts that a page loads on demand. The page's own script knows their members by name, so these keep their names.
  {
    ...common,
    mangleProps: undefined,
    format: "esm",
    entryPoints: readdirSync(inRoot("src", "web", "browser", "later")).map((file) =>
      inRoot("src", "web", "browser", "later", file),
    ),
    entryNames: "later/[name]",
    define: { FOR_ENTRY: "false", FOR_HELD: "false" },
  },
  ...(await bundlesOfFeatures()),
];

/** Of each feature that has a `browser/`, the files there, by their names. A `bundle.mjs` beside them says what else esbuild is told. */
async function bundlesOfFeatures() {
  const folders = readdirSync(inRoot("src", "features")).map((name) => inRoot("src", "features", name, "browser"));
  return Promise.all(folders.filter((folder) => existsSync(folder)).map(bundleIn));
}

async function bundleIn(folder) {
  const scripts = readdirSync(folder).filter((file) => file.endsWith(".ts"));
  const entryPoints = Object.fromEntries(scripts.map((file) => [file.replace(/\.ts$/, ""), join(folder, file)]));
  const more = join(folder, "bundle.mjs");
  const { bundle } = existsSync(more) ? await import(pathToFileURL(more).href) : { bundle: {} };
  return { ...common, mangleProps: undefined, ...bundle, entryPoints };
}
