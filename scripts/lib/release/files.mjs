import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../paths.mjs";
import { findMissing } from "../requirements.mjs";
import { fail, run, runNpm } from "../run.mjs";
import { makeSboms } from "./sbom.mjs";
import { changesOf, releaseFolder, releaseVersion } from "./version.mjs";

/** Helm names a chart as npm does its package. */
const chartFolder = join(releaseFolder, "chart");

/** Others than the package for npm are made where their program is. */
const optional = [
  { what: "the package for Debian", program: "dpkg-deb", script: "package-deb.mjs" },
  { what: "the chart", program: "helm", args: ["package", "deploy/helm/usher", "--destination", chartFolder] },
];

/** Makes all files of a release anew. Answers a line for each, and for each that could not be made. */
export async function makeFiles() {
  const version = releaseVersion();
  rmSync(releaseFolder, { recursive: true, force: true });
  mkdirSync(releaseFolder, { recursive: true });
  if ((await runNpm(["pack", "--pack-destination", releaseFolder], { quiet: true })) !== 0)
    fail("npm pack failed; see above.");
  const lines = [];
  for (const { what, program, script, args } of optional) {
    const isThere = findMissing([{ isThere: ({ find }) => find(program) }]).length === 0;
    const command =
      script === undefined ? [program, ...args] : [process.execPath, inRoot("scripts", script), "--out", releaseFolder];
    if (script !== undefined && !existsSync(inRoot("scripts", script))) continue;
    if (!isThere) lines.push(`not made: ${what}, for want of ${program}`);
    else if ((await run(command[0], command.slice(1), { quiet: true })) !== 0)
      fail(`${what} could not be made; see above.`);
  }
  const chart = `usher-${version}.tgz`;
  if (existsSync(join(chartFolder, chart)))
    renameSync(join(chartFolder, chart), join(releaseFolder, `usher-chart-${version}.tgz`));
  rmSync(chartFolder, { recursive: true, force: true });
  for (const [format, text] of makeSboms()) writeFileSync(join(releaseFolder, `usher-${version}.${format}.json`), text);
  writeFileSync(join(releaseFolder, "notes.md"), changesOf(version)?.text ?? "");
  const files = readdirSync(releaseFolder)
    .filter((name) => name.startsWith("usher"))
    .sort();
  const sums = files.map((name) => `${sha256(join(releaseFolder, name))}  ${name}\n`);
  writeFileSync(join(releaseFolder, "SHA256SUMS"), sums.join(""));
  return [...files.map((name) => `artifacts/release/${name}`), ...lines];
}

function sha256(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
