/** Draws a run as SVG by hand: what came and went by the minute, and who waited. Readable on light and dark ground. */
import type { Series, SeriesPoint } from "./series.ts";

export interface Drawing {
  readonly title: string;
  readonly description: string;
  /** What is drawn in the upper panel, per minute or as a count; the first is filled. */
  readonly lines: readonly Line[];
  readonly lowerLines: readonly Line[];
  readonly upperLabel: string;
  /** Where the upper panel ends, whatever goes beyond. Null: where the lines do. */
  readonly upperMost: number | null;
  readonly lowerLabel: string;
}

export interface Line {
  readonly label: string;
  readonly kind: "inflow" | "outflow" | "limit" | "waiting";
  value(points: Series, index: number): number | null;
}

const width = 860;
const left = 64;
const right = 16;
const upper = { top: 56, height: 170 };
const lower = { top: 278, height: 110 };
const height = 432;
const plotWidth = width - left - right;
const smoothedOver = 10;

/** Per minute, over the last ten seconds. */
export function perMinute(of: (point: SeriesPoint) => number) {
  return (points: Series, index: number): number => {
    const from = Math.max(0, index - smoothedOver + 1);
    let sum = 0;
    for (let each = from; each <= index; each++) sum += of(points[each] as SeriesPoint);
    return (sum * 60) / (index - from + 1);
  };
}

export function each(of: (point: SeriesPoint) => number | null) {
  return (points: Series, index: number): number | null => of(points[index] as SeriesPoint);
}

const style = `
  text { font: 12px system-ui, sans-serif; fill: #3d4450; }
  .title { font-size: 15px; font-weight: 600; fill: #14181f; }
  .grid { stroke: #d5d9e0; stroke-width: 1; }
  .inflow { stroke: #8a94a6; fill: none; stroke-width: 1.5; }
  .outflow { stroke: #1d6fd1; fill: none; stroke-width: 2; }
  .limit { stroke: #c2410c; fill: none; stroke-width: 1.5; stroke-dasharray: 6 4; }
  .waiting { stroke: #1d6fd1; fill: #1d6fd1; fill-opacity: 0.16; stroke-width: 1.5; }
  .held { fill: #c2410c; fill-opacity: 0.1; }
  @media (prefers-color-scheme: dark) {
    text { fill: #b3bac7; }
    .title { fill: #eef1f6; }
    .grid { stroke: #3a414d; }
    .inflow { stroke: #98a2b3; }
    .outflow, .waiting { stroke: #6cb0ff; }
    .waiting { fill: #6cb0ff; }
    .limit { stroke: #fb923c; }
    .held { fill: #fb923c; fill-opacity: 0.14; }
  }`;

export function draw(
  points: Series,
  { title, description, lines, lowerLines, upperLabel, upperMost, lowerLabel }: Drawing,
): string {
  const endMs = points.at(-1)?.atMs ?? 1;
  const x = (atMs: number) => left + (plotWidth * atMs) / endMs;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${title}</title>`,
    `<desc id="d">${description}</desc>`,
    `<style>${style}\n</style>`,
    `<text class="title" x="${left}" y="20">${title}</text>`,
    legend([...lines, ...lowerLines]),
    ...heldTimes(points).map(
      ([fromMs, untilMs]) =>
        `<rect class="held" x="${round(x(fromMs))}" y="${upper.top}" width="${round(x(untilMs) - x(fromMs))}" height="${lower.top + lower.height - upper.top}"/>`,
    ),
    panel(points, upper, lines, upperLabel, x, upperMost),
    panel(points, lower, lowerLines, lowerLabel, x, null),
    timeAxis(endMs, x),
    "</svg>",
  ];
  return `${parts.join("\n")}\n`;
}

function panel(
  points: Series,
  { top, height: tall }: { top: number; height: number },
  lines: readonly Line[],
  label: string,
  x: (atMs: number) => number,
  end: number | null,
): string {
  const values = lines.map((line) => points.map((_, index) => line.value(points, index)));
  const most = end ?? niceCeiling(Math.max(1, ...values.flat().map((value) => value ?? 0)));
  const y = (value: number) => top + tall - (tall * Math.min(most, value)) / most;
  const bottom = round(top + tall);
  const grid = [0, 0.5, 1].map((share) => {
    const at = round(y(share * most));
    return `<line class="grid" x1="${left}" x2="${width - right}" y1="${at}" y2="${at}"/><text x="${left - 8}" y="${at + 4}" text-anchor="end">${(share * most).toLocaleString("en")}</text>`;
  });
  const paths = lines.map((line, which) => {
    const path = polyline(points, values[which] ?? [], x, y);
    const isFilled = line.kind === "waiting";
    return isFilled
      ? `<path class="waiting" d="M${round(x(points[0]?.atMs ?? 0))} ${bottom}L${path.slice(1)}L${round(x(points.at(-1)?.atMs ?? 0))} ${bottom}Z"/>`
      : `<path class="${line.kind}" d="${path}"/>`;
  });
  return [...grid, `<text x="${left}" y="${top - 8}">${label}</text>`, ...paths].join("\n");
}

/** A point every five seconds is as much as can be seen. */
function polyline(
  points: Series,
  values: readonly (number | null)[],
  x: (atMs: number) => number,
  y: (value: number) => number,
): string {
  let path = "";
  points.forEach(({ atMs }, index) => {
    const value = values[index] ?? null;
    if (value === null || index % 5 !== 0) return;
    path += `${path === "" ? "M" : "L"}${round(x(atMs))} ${round(y(value))}`;
  });
  return path === "" ? "M0 0" : path;
}

function legend(lines: readonly Line[]): string {
  let at = width - right;
  return [...lines]
    .reverse()
    .map(({ label, kind }) => {
      at -= label.length * 7 + 42;
      return `<line class="${kind}" x1="${round(at)}" x2="${round(at + 20)}" y1="36" y2="36"/><text x="${round(at + 25)}" y="40">${label}</text>`;
    })
    .join("\n");
}

function timeAxis(endMs: number, x: (atMs: number) => number): string {
  const minutes = endMs / 60_000;
  const step = [1, 2, 5, 10, 20, 30, 60].find((candidate) => minutes / candidate <= 10) ?? 120;
  const labels: string[] = [];
  for (let minute = 0; minute <= minutes; minute += step) {
    labels.push(
      `<text x="${round(x(minute * 60_000))}" y="${lower.top + lower.height + 20}" text-anchor="middle">${minute}</text>`,
    );
  }
  return [...labels, `<text x="${width - right}" y="${height - 6}" text-anchor="end">minutes</text>`].join("\n");
}

function heldTimes(points: Series): [number, number][] {
  const times: [number, number][] = [];
  let fromMs: number | null = null;
  for (const { atMs, phase } of points) {
    if (phase === "paused" && atMs > 10_000) fromMs ??= atMs;
    else if (fromMs !== null) {
      times.push([fromMs, atMs]);
      fromMs = null;
    }
  }
  return times;
}

function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.2, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
