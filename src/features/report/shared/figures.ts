/** The figures of a report: inline SVG, drawn in the colours of the page. What they show is in a table beside each. */
import type { FairnessReport, ReportJson } from "./create-report.ts";
import { escapeHtml, wordsOfDuration, wordsOfNumber } from "./words.ts";

const width = 720;
const height = 240;
const left = 60;
const bottom = 28;
const top = 14;
const plotWidth = width - left - 8;
const plotHeight = height - top - bottom;

function frame(id: string, title: string, body: string): string {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}"><title id="${id}">${escapeHtml(title)}</title>${body}</svg>`;
}

function axes(mostY: number, xTexts: readonly (readonly [number, string])[], nameOfY: string): string {
  const lines = [0, 0.5, 1].map((part) => {
    const y = top + plotHeight * (1 - part);
    const value = wordsOfNumber(mostY * part);
    return `<line class="grid" x1="${left}" x2="${left + plotWidth}" y1="${y}" y2="${y}"/><text x="${left - 6}" y="${y + 4}" text-anchor="end">${value}</text>`;
  });
  const texts = xTexts.map(([part, text], index) => {
    const anchor = index === 0 ? "start" : index === xTexts.length - 1 ? "end" : "middle";
    return `<text x="${round(left + part * plotWidth)}" y="${height - 8}" text-anchor="${anchor}">${escapeHtml(text)}</text>`;
  });
  return `${lines.join("")}${texts.join("")}<text x="${left}" y="10">${escapeHtml(nameOfY)}</text>`;
}

function bars(values: readonly number[], most: number): string {
  const step = plotWidth / values.length;
  return values
    .map((value, index) => {
      const barHeight = round((value / most) * plotHeight);
      const x = round(left + index * step);
      return `<rect class="bar" x="${x}" y="${round(top + plotHeight - barHeight)}" width="${round(Math.max(0.5, step - 1))}" height="${barHeight}"/>`;
    })
    .join("");
}

/** Admissions per minute, the limit, and what interrupted them. */
export function outflowFigure({ outflow: { bins }, interruptions, recoveries }: ReportJson): string {
  const [first, last] = [bins[0], bins[bins.length - 1]];
  if (first === undefined || last === undefined) return "";
  const rates = bins.map(({ admissions, minutes }) => admissions / minutes);
  const most = Math.max(1, ...rates, ...bins.map(({ outflow_per_minute }) => outflow_per_minute ?? 0));
  const startMs = Date.parse(first.from);
  const lengthMs = Date.parse(last.from) + last.minutes * 60_000 - startMs;
  /** Where in the figure a time is, from 0 to 1; less or more outside it. */
  const partAt = (time: string) => (Date.parse(time) - startMs) / lengthMs;
  const xOf = (part: number) => round(left + Math.min(1, Math.max(0, part)) * plotWidth);
  const shades = interruptions
    .map(({ from, to }) => [partAt(from), partAt(to)] as const)
    .filter(([from, to]) => to > 0 && from < 1)
    .map(([from, to]) => {
      const width = round(Math.max(1, xOf(to) - xOf(from)));
      return `<rect class="shade" x="${xOf(from)}" y="${top}" width="${width}" height="${plotHeight}"/>`;
    });
  const marks = recoveries.map(({ at }) => {
    const x = xOf(partAt(at));
    return `<line class="loss" x1="${x}" x2="${x}" y1="${top}" y2="${top + plotHeight}"/>`;
  });
  const step = plotWidth / bins.length;
  const limits = bins.map(({ outflow_per_minute: limit }, index) => {
    if (limit === null) return "";
    const y = round(top + plotHeight * (1 - limit / most));
    return `<line class="limit" x1="${round(left + index * step)}" x2="${round(left + (index + 1) * step)}" y1="${y}" y2="${y}"/>`;
  });
  const clockAt = (part: number) => new Date(startMs + part * lengthMs).toISOString().slice(11, 16);
  const xTexts = [
    [0, clockAt(0)],
    [0.5, clockAt(0.5)],
    [1, `${clockAt(1)} UTC`],
  ] as const;
  const body = `${shades.join("")}${bars(rates, most)}${limits.join("")}${marks.join("")}${axes(most, xTexts, "admissions per minute")}`;
  return frame("outflow-title", "Admissions per minute over time, with the limit in force", body);
}

/** How many waited how long. */
export function waitFigure({ waitBins }: FairnessReport): string {
  const longest = waitBins[waitBins.length - 1]?.upToMs;
  if (longest === undefined) return "";
  const values = waitBins.map(({ admissions }) => admissions);
  const most = Math.max(1, ...values);
  const xTexts = [
    [0, "0"],
    [0.5, wordsOfDuration(longest / 2)],
    [1, wordsOfDuration(longest)],
  ] as const;
  return frame("wait-title", "How many visitors waited how long", bars(values, most) + axes(most, xTexts, "visitors"));
}

/** Order of admission against the place in line: in order, the points lie on a rising line. */
export function orderFigure({ orderPoints, json: { order } }: FairnessReport): string {
  if (orderPoints.length < 2) return "";
  const most = orderPoints.reduce((max, [, position]) => Math.max(max, position), 1);
  const radius = orderPoints.length > 200 ? 1.6 : 4;
  const points = orderPoints.map(([rank, position]) => {
    const x = round(left + (rank / order.admissions) * plotWidth);
    return `<circle class="point" cx="${x}" cy="${round(top + plotHeight * (1 - position / most))}" r="${radius}"/>`;
  });
  const xTexts = [
    [0, "first admitted"],
    [1, `admitted as number ${wordsOfNumber(order.admissions)}`],
  ] as const;
  return frame(
    "order-title",
    "Place in line by order of admission",
    points.join("") + axes(most, xTexts, "place in line"),
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
