/**
 * `npm run test:node`: the start, the contract and the journeys on other versions of Node.js than this machine has: 22 and 24, or those that are
 * named (`-- 24`). They come as the package `node` of npm, into node_modules/.cache.
 */
import "./lib/node-version.mjs";
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { inRoot } from "./lib/paths.mjs";
import { prepare } from "./lib/prepare.mjs";
import { fail, run, runNpm } from "./lib/run.mjs";

const MAJORS = ["22", "24"];
/** By parts of their paths. A name that only a long test has means that one, so the demonstration is a run of its own. */
const RUNS = [["test/contract/", "test/e2e/journey/", "unit/scripts/launch"], ["relying-parties/demo-site"]];

const named = process.argv.slice(2);
const unknown = named.filter((major) => !/^\d{2}$/.test(major));
if (unknown.length > 0) fail(`A version of Node.js is two digits, such as 24, and not "${unknown[0]}".`, 2);

await prepare();
const failed = [];
for (const major of named.length > 0 ? named : MAJORS) {
  const node = await install(major);
  // Tests start `node` from PATH, too.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  for (const names of RUNS) {
    process.stdout.write(`\nNode.js ${major}: ${names.join(", ")}\n`);
    if ((await run(node, [inRoot("scripts", "test.mjs"), ...names], { env })) !== 0) failed.push(major);
  }
}
if (failed.length > 0) fail(`Tests fail on Node.js ${[...new Set(failed)].join(" and ")}; see above.`);

/** Answers the path of the program. */
async function install(major) {
  const folder = inRoot("node_modules", ".cache", `node-${major}`);
  const program = `${folder}/node_modules/node/bin/node`;
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  // The package fetches the program of this machine as it is installed. Run by npm, this would inherit that no package of ours runs anything then.
  const options = [
    "--prefix",
    folder,
    "--ignore-scripts=false",
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const code = await runNpm(["install", ...options, `node@${major}`], { quiet: true });
  if (code !== 0 || !existsSync(program)) fail(`Node.js ${major} could not be installed from npm; see above.`);
  return program;
}
