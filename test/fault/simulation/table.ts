/** The results of the grid as a table in Markdown. */
import type { GridRow } from "./grid.ts";
import type { RunResult } from "./run.ts";

export interface GridResult {
  readonly row: GridRow;
  readonly result: RunResult;
  readonly tookMs: number;
}

type Column = readonly [heading: string, cell: (result: GridResult) => string];

const percent = (share: number | null, digits = 1) => (share === null ? "–" : `${(share * 100).toFixed(digits)} %`);
const seconds = (ms: number | null) => (ms === null ? "–" : `${(ms / 1_000).toFixed(1)} s`);
const whole = (count: number) => count.toLocaleString("en");

const common: readonly Column[] = [
  ["store", ({ row }) => row.scenario.store],
  ["absent", ({ row }) => percent(row.absentShare, 0)],
  ["places", ({ result }) => whole(result.measured.joined)],
  ["admissions", ({ result }) => whole(result.measured.admitted)],
];

const atTheDoor: readonly Column[] = [
  ["turn to entering, mean", ({ result }) => seconds(result.measured.doorMeanMs)],
  ["p99", ({ result }) => seconds(result.measured.doorP99Ms)],
  ["estimate off by, median", ({ result }) => percent(result.measured.estimateErrorP50, 0)],
  ["p90", ({ result }) => percent(result.measured.estimateErrorP90, 0)],
];

const ofPeriodic: readonly Column[] = [
  ["limit", ({ row }) => row.size],
  ...common,
  ["most in 60 s", ({ result }) => percent(result.measured.largestMinuteShare)],
  ["mean use", ({ result }) => percent(result.measured.meanUse)],
  [
    "most in 2 s (bound)",
    ({ row, result }) =>
      `${result.measured.largestTwoSeconds} (${Math.max(1, Math.floor((row.scenario.room.inlet.outflowPerMinute ?? 0) / 10))})`,
  ],
  ...atTheDoor,
  ["held beyond the bound", ({ result }) => seconds(Math.max(0, result.measured.latestMs ?? 0))],
];

const ofMaxActive: readonly Column[] = [
  ["capacity", ({ row }) => row.size],
  ...common,
  ["mean fullness", ({ result }) => percent(result.measured.fullness)],
  ["longest stall", ({ result }) => seconds(result.measured.longestStallMs)],
  ...atTheDoor,
];

export function tables(results: readonly GridResult[]): string {
  return (["periodic", "max_active"] as const)
    .map((inlet) => {
      const rows = results.filter(({ row }) => row.inlet === inlet);
      return rows.length === 0
        ? ""
        : `\`${inlet}\`:\n\n${table(inlet === "periodic" ? ofPeriodic : ofMaxActive, rows)}`;
    })
    .filter((text) => text !== "")
    .join("\n\n");
}

function table(columns: readonly Column[], results: readonly GridResult[]): string {
  const cells = [columns.map(([heading]) => heading), ...results.map((each) => columns.map(([, cell]) => cell(each)))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, index) => cell.padStart(widths[index] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = cells;
  return [line(head), `| ${widths.map((width) => `${"-".repeat(width - 1)}:`).join(" | ")} |`, ...body.map(line)].join(
    "\n",
  );
}

/** A page asks once a second, and a window of the limiter is 0.2 s longer than a minute. */
export const heldSlackMs = 1_000;

/** What a result misses of its targets; empty when it is all right. */
export function missedTargets({ row, result: { measured } }: GridResult): string[] {
  const missed: string[] = [];
  const check = (isMet: boolean, text: string) => {
    if (!isMet) missed.push(text);
  };
  const limit = row.scenario.room.inlet.outflowPerMinute ?? null;
  check(
    (measured.latestMs ?? 0) <= heldSlackMs,
    `the limiter held somebody back for ${seconds(measured.latestMs)} too long`,
  );
  if (row.inlet === "max_active") {
    check((measured.doorP99Ms ?? 0) <= 15_000, `p99 of turn to entering is ${seconds(measured.doorP99Ms)}, not 15 s`);
    check((measured.fullness ?? 0) >= 0.95, `fullness is ${percent(measured.fullness)}, not 95 %`);
    check((measured.longestStallMs ?? 0) <= 30_000, `it stalled for ${seconds(measured.longestStallMs)}`);
    return missed;
  }
  check(measured.largestMinuteShare <= 1, `60 s saw ${percent(measured.largestMinuteShare)} of the limit`);
  check(measured.largestTwoSecondsShare <= 1, `2 s saw ${measured.largestTwoSeconds}`);
  check((limit ?? 0) < 60 || (measured.meanUse ?? 0) >= 0.98, `mean use is ${percent(measured.meanUse, 2)}, not 98 %`);
  check((measured.leastPresentMinutes ?? 0) >= 0.5, "there were not enough visitors present to tell");
  return missed;
}
