/** The report for people: one file, which loads nothing and runs nothing. */
import { orderFigure, outflowFigure, waitFigure } from "./figures.ts";
import type { FairnessReport } from "./model.ts";
import { chainWords, countWords, limitWords, missingWords, orderWords, waitWords } from "./statements.ts";
import { style } from "./style.ts";
import { clockOf, escapeHtml, wordsOfDuration, wordsOfNumber, wordsOfTime } from "./words.ts";

export function reportHtml(report: FairnessReport): string {
  const title = `Admissions of the room ${report.room ?? "(unknown)"}`;
  const period =
    report.fromMs === null || report.toMs === null
      ? "Nobody was admitted."
      : `${wordsOfTime(report.fromMs)} to ${wordsOfTime(report.toMs)}, by the store's clock; edition ${report.edition}.`;
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
${section("Is the log whole?", [chainWords(report), ...missingWords(report)], "")}
${section("Who was admitted", countWords(report), viaTable(report))}
${section("Was the order kept?", orderWords(report), figure(orderFigure(report), ""))}
${section("How long people waited", waitWords(report), figure(waitFigure(report), waitTable(report)))}
${section("How fast people were let in", limitWords(report), figure(outflowFigure(report), outflowTable(report)))}
${section("What was in force", [], situationTable(report))}
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

function viaTable({ via }: FairnessReport): string {
  const rows = Object.entries(via).map(([name, count]) => [viaNames[name] ?? name, count]);
  return table("Admissions by way in", ["Way in", "Admissions"], rows);
}

function waitTable({ waitBins }: FairnessReport): string {
  const rows = waitBins.map(({ upToMs, admissions }) => [`up to ${wordsOfDuration(upToMs)}`, admissions]);
  return folded("The same as a table", table("Visitors by how long they waited", ["Waited", "Visitors"], rows));
}

function outflowTable({ bins }: FairnessReport): string {
  const rows = bins.map(({ fromMs, minutes, admissions, limit }) => [
    `${clockOf(fromMs)}, ${minutes} min`,
    admissions,
    limit === null ? "none" : wordsOfNumber(limit),
  ]);
  const head = ["From (UTC), length", "Admissions", "Limit per minute"];
  return folded("The same as a table", table("Admissions over time", head, rows));
}

function situationTable(report: FairnessReport): string {
  const rows = report.situations.map(({ fromMs, phase, phaseReason, inlet, limit, maxActive }) => [
    wordsOfTime(fromMs),
    phaseReason === null ? phase : `${phase} (${phaseReason})`,
    inlet,
    limit === null ? "none" : wordsOfNumber(limit),
    maxActive === null ? "none" : wordsOfNumber(maxActive),
  ]);
  return table("From when on what was in force", ["From", "Phase", "Inlet", "Limit per minute", "Live at once"], rows);
}
