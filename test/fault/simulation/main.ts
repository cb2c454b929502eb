/**
 * `npm run simulate`: runs the grid, prints its table, and writes it with the figures into docs/. Options: `--quick`,
 * `--seed TEXT`, `--only REGEX` (by name; `--only figure` draws the figures alone, `--only joins` plays the floods of joins alone, `--only attackers` the attackers of a draw). The page is written when the whole grid
 * was run, without `--quick` and `--only`. Exits with 1 when a target is missed or a rule broken.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { attackersBegin, attackersEnd, attacks, attackTables } from "./attackers-table.ts";
import { figures } from "./figures.ts";
import { grid } from "./grid.ts";
import { joinsBegin, joinsEnd, joinsRows, joinsTable } from "./joins-table.ts";
import { simulate } from "./run.ts";
import { type GridResult, missedTargets, tables } from "./table.ts";

const { values: options } = parseArgs({
  options: { quick: { type: "boolean" }, seed: { type: "string" }, only: { type: "string" } },
});
const isQuick = options.quick ?? false;
const seed = options.seed ?? "1";
const only = new RegExp(options.only ?? "");
const isWhole = !isQuick && options.only === undefined;

const flowPage = fileURLToPath(new URL("../../../docs/flow.md", import.meta.url));
const cheatingPage = fileURLToPath(new URL("../../../docs/cheating.md", import.meta.url));
const imagesDir = fileURLToPath(new URL("../../../docs/images/", import.meta.url));

const results: GridResult[] = [];
let isGood = true;

for (const row of grid({ seed, isQuick }).filter(({ scenario }) => only.test(scenario.name))) {
  const startedMs = performance.now();
  try {
    const result = await simulate(row.scenario);
    const entry = { row, result, tookMs: performance.now() - startedMs };
    results.push(entry);
    const missed = missedTargets(entry);
    if (missed.length > 0) isGood = false;
    const verdict = missed.length === 0 ? "ok" : missed.join("; ");
    say(`${row.scenario.name}: ${verdict} (${(entry.tookMs / 1_000).toFixed(1)} s, ${result.events} events)`);
    say(`  ${JSON.stringify(result.measured)}`);
  } catch (error) {
    isGood = false;
    say(`${row.scenario.name}: ${error instanceof Error ? error.message : error}`);
  }
}

const text = tables(results);
say(`\n${text}`);
if (isWhole) {
  writeBetween(flowPage, "<!-- simulation:begin -->", "<!-- simulation:end -->", `\n${text}\n`);
}
for (const figure of isQuick ? [] : figures(seed).filter(({ scenario }) => only.test(scenario.name))) {
  const { series } = await simulate(figure.scenario);
  write(`${imagesDir}${figure.file}`, figure.draw(series));
  say(`docs/images/${figure.file}`);
}
if (only.test("joins per address")) {
  const rows = joinsTable(joinsRows(seed));
  say(`\njoins per address:\n\n${rows}`);
  // The same seed that test/fault/simulation/joins.test.ts compares the page with.
  if (!isQuick && options.seed === undefined) writeBetween(flowPage, joinsBegin, joinsEnd, `\n${rows}\n`);
}
if (only.test("attackers")) {
  const text = attackTables(attacks(seed));
  say(`\nattackers:\n\n${text}`);
  // The same seed that test/fault/simulation/attackers.long.test.ts compares the page with.
  if (!isQuick && options.seed === undefined) writeBetween(cheatingPage, attackersBegin, attackersEnd, `\n${text}\n`);
}
process.exitCode = isGood ? 0 : 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function writeBetween(path: string, begin: string, end: string, content: string): void {
  const page = readFileSync(path, "utf8");
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${path} has no place for the table`);
  writeFileSync(path, `${page.slice(0, from + begin.length)}\n${content}\n${page.slice(to)}`);
}
