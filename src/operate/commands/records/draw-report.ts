import type { Check, CheckStatus, DrawReport, FoundPlace } from "../../../room/draw-recipe/index.ts";
import { counted, printable } from "../terminal.ts";

const words: Readonly<Record<CheckStatus, string>> = { ok: "ok", warning: "WARNING", failed: "FAILED" };
const statusWidth = 9;
const nameWidth = 10;

/** What was checked, line by line, and where the holders of the receipts stand, for a terminal. */
export function describeReport(report: DrawReport): string {
  const { checks, places } = report;
  const isOfOneDraw = new Set(checks.flatMap(({ draw }) => draw ?? [])).size < 2;
  const lines = checks.map((check) => describeCheck(check, isOfOneDraw));
  const found = places.map(describePlace);
  return [...lines, ...(found.length === 0 ? [] : ["", ...found]), "", describeOutcome(report)]
    .map(printable)
    .join("\n");
}

/** One sentence about all checks. */
export function describeOutcome({ isGenuine, checks }: DrawReport): string {
  const warnings = checks.filter(({ status }) => status === "warning").length;
  const failed = checks.filter(({ status }) => status === "failed").length;
  // Of a document with a draw there is more than its contents to check.
  if (!isGenuine && checks.every(({ name }) => name === "contents")) return "There is nothing to check.";
  if (!isGenuine) return `${failed} of ${counted(checks.length, "check")} failed: do not trust this.`;
  const reported = warnings === 0 ? "" : ` There ${warnings === 1 ? "is" : "are"} ${counted(warnings, "warning")}.`;
  return `Nothing is wrong, by ${counted(checks.length, "check")}.${reported}`;
}

function describeCheck({ name, draw, status, text }: Check, isOfOneDraw: boolean): string {
  const where = isOfOneDraw || draw === null ? "" : `Draw ${draw}: `;
  return `${words[status].padEnd(statusWidth)}${name.padEnd(nameWidth)}${where}${text}`;
}

function describePlace({ sub, entry, position, entries }: FoundPlace): string {
  const place = position === null ? "has no place by this document" : `has place ${position}; ${entries} took part`;
  return `Entry ${entry} (visitor ${sub}) ${place}.`;
}
