/**
 * `npm run lint:deploy`: every linter of what is in deploy/, each in its pinned version. A linter that is missing comes from its registry into
 * node_modules/.cache/usher-linters; one that cannot be had is named with the reason. Ends with 1 where one found something, and with
 * `--require-all` also where one could not be had. `npm run lint:deploy -- aws` lints one artefact.
 */
import "./lib/node-version.mjs";
import { ARTEFACTS, LINTERS, runLinter } from "./lib/linters/index.mjs";
import { fail } from "./lib/run.mjs";

const given = process.argv.slice(2);
const wanted = given.filter((argument) => argument !== "--require-all");
const unknown = wanted.filter((name) => !ARTEFACTS.includes(name));
if (unknown.length > 0) {
  fail(`Unknown: ${unknown.join(", ")}. Artefacts: ${ARTEFACTS.join(", ")}; option: --require-all`, 2);
}

const linters = LINTERS.filter(({ artefact }) => wanted.length === 0 || wanted.includes(artefact));
const outcomes = [];
for (const linter of linters) {
  const { outcome, text } = await runLinter(linter);
  outcomes.push(outcome);
  process.stdout.write(`${linter.name} (${linter.artefact}): ${outcome}\n`);
  if (outcome !== "clean") process.stdout.write(`${text.trimEnd().replaceAll(/^/gm, "  ")}\n`);
}
const bad = given.includes("--require-all") ? ["findings", "unavailable"] : ["findings"];
process.exitCode = outcomes.some((outcome) => bad.includes(outcome)) ? 1 : 0;
