/** The report for people: one file, which loads nothing and runs nothing. */

import type { FairnessReport, ReportJson } from "./create-report.ts";
import { orderFigure, outflowFigure, waitFigure } from "./figures.ts";
import { chainWords, countWords, limitWords, missingWords, orderWords, waitWords } from "./statements.ts";
import { escapeHtml, wordsOfDuration, wordsOfNumber, wordsOfTime } from "./words.ts";

export function reportHtml(report: FairnessReport): string {
  const { json } = report;
  const { from, to } = json;
  const title = `Admissions of the room ${json.room ?? "(unknown)"}`;
  const period =
    from === null || to === null
      ? "Nobody was admitted."
      : `${wordsOfTime(from)} to ${wordsOfTime(to)}, by the store's clock; edition ${json.edition}.`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(period)}</p>
${section("Is the log whole?", [chainWords(json), ...missingWords(json)], "")}
${section("Who was admitted", countWords(json), viaTable(json))}
${section("Was the order kept?", orderWords(json), figure(orderFigure(report), ""))}
${section("How long people waited", waitWords(json), figure(waitFigure(report), waitTable(report)))}
${section("How fast people were let in", limitWords(json), figure(outflowFigure(json), outflowTable(json)))}
${section("What was in force", [], situationTable(json))}
</main>
</body>
</html>
`;
}

function section(heading: string, paragraphs: readonly string[], rest: string): string {
  const text = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join("\n");
  return `<section>\n<h2>${escapeHtml(heading)}</h2>\n${text}\n${rest}\n</section>`;
}

function figure(svg: string, details: string): string {
  // On a phone it is wider than the screen: with a keyboard, too, one can get to its end.
  return svg === "" ? "" : `<figure tabindex="0">${svg}</figure>\n${details}`;
}

type Cell = string | number;

function table(caption: string, head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const headings = head
    .map((text, index) => {
      const isOfNumbers = index > 0 && typeof rows[0]?.[index] === "number";
      return `<th scope="col"${isOfNumbers ? ' class="number"' : ""}>${escapeHtml(text)}</th>`;
    })
    .join("");
  const body = rows.map(([first = "", ...others]) => {
    const cells = others.map((cell) =>
      typeof cell === "number" ? `<td class="number">${wordsOfNumber(cell)}</td>` : `<td>${escapeHtml(cell)}</td>`,
    );
    const name = typeof first === "number" ? wordsOfNumber(first) : escapeHtml(first);
    return `<tr><th scope="row">${name}</th>${cells.join("")}</tr>`;
  });
  return `<table><caption>${escapeHtml(caption)}</caption><thead><tr>${headings}</tr></thead><tbody>${body.join("")}</tbody></table>`;
}

function folded(summary: string, content: string): string {
  return `<details><summary>${escapeHtml(summary)}</summary>${content}</details>`;
}

const viaNames: Readonly<Record<string, string>> = {
  queue: "by the line",
  bypass: "by a bypass link, ahead of the line",
  passthrough: "while everybody passed",
  idle: "before the line began",
  ended: "after the event had ended",
};

function viaTable({ admissions: { via } }: ReportJson): string {
  const rows = Object.entries(via).map(([name, count]) => [viaNames[name] ?? name, count]);
  return table("Admissions by way in", ["Way in", "Admissions"], rows);
}

function waitTable({ waitBins }: FairnessReport): string {
  const rows = waitBins.map(({ upToMs, admissions }) => [`up to ${wordsOfDuration(upToMs)}`, admissions]);
  return folded("The same as a table", table("Visitors by how long they waited", ["Waited", "Visitors"], rows));
}

function outflowTable({ outflow: { bins } }: ReportJson): string {
  const rows = bins.map(({ from, minutes, admissions, outflow_per_minute }) => [
    `${from.slice(11, 16)}, ${minutes} min`,
    admissions,
    limitWord(outflow_per_minute),
  ]);
  const head = ["From (UTC), length", "Admissions", "Limit per minute"];
  return folded("The same as a table", table("Admissions over time", head, rows));
}

function situationTable({ in_force }: ReportJson): string {
  const rows = in_force.map(({ from, phase, phase_reason, inlet, outflow_per_minute, max_active }) => [
    wordsOfTime(from),
    phase_reason === null ? phase : `${phase} (${phase_reason})`,
    inlet,
    limitWord(outflow_per_minute),
    limitWord(max_active),
  ]);
  return table("From when on what was in force", ["From", "Phase", "Inlet", "Limit per minute", "Live at once"], rows);
}

function limitWord(limit: number | null): string {
  return limit === null ? "none" : wordsOfNumber(limit);
}

/** Light and dark as the reader has it; on paper light. */
const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: #57606a; --grid: #d0d7de; --bar: #2f6fb3; --limit: #b3261e; --shade: #f2d9a0; --loss: #7a3fb3; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --paper: #14181d; --soft: #a3adb8; --grid: #3a424b; --bar: #6ea8e6; --limit: #ff8a80; --shade: #5a4715; --loss: #c49bf0; }
}
@media print { :root { color-scheme: light; --ink: #000; --paper: #fff; --soft: #444; --grid: #bbb; --bar: #2f6fb3; --limit: #b3261e; --shade: #f2d9a0; --loss: #7a3fb3; } section { break-inside: avoid; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.2; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
figure { margin: 1rem 0; overflow-x: auto; }
svg { width: 100%; min-width: 34rem; height: auto; }
@media print { svg { min-width: 0; } }
svg text { fill: var(--soft); font-size: 12px; }
.grid { stroke: var(--grid); }
.bar, .point { fill: var(--bar); }
.limit { stroke: var(--limit); stroke-width: 2; }
.shade { fill: var(--shade); }
.loss { stroke: var(--loss); stroke-width: 2; stroke-dasharray: 4 3; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; font-size: .9rem; }
caption { text-align: start; color: var(--soft); padding-block-end: .3rem; }
th, td { text-align: start; padding: .25rem .6rem .25rem 0; border-block-end: 1px solid var(--grid); font-weight: normal; vertical-align: top; }
thead th { font-weight: 600; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
summary { cursor: pointer; color: var(--soft); }
`;
