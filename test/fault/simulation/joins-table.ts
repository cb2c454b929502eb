/** The floods of joins.ts against the limits, as a table in Markdown. */
import type { JoinRate } from "../../../src/store/contract/room-store.ts";
import { type Flood, type JoinsResult, type RealVisitor, simulateJoins } from "./joins.ts";

/** Where the table stands in docs/flow.md. */
export const joinsBegin = "<!-- joins:begin -->";
export const joinsEnd = "<!-- joins:end -->";

export interface JoinsRow {
  readonly flood: string;
  readonly limit: string;
  readonly result: JoinsResult;
  /** The same visitors without flood and limit. */
  readonly undisturbed: JoinsResult;
}

export const floods = {
  none: null,
  "1 address, 100 joins/s": { addresses: 1, joinsPerSec: 100 },
  "1,000 addresses, 10 joins/s each": { addresses: 1_000, joinsPerSec: 10 },
} as const satisfies Record<string, Flood | null>;

export const limits = {
  off: null,
  "600/min, 1,200 at once": { perMinute: 600, burst: 1_200 },
  "30/min, 60 at once": { perMinute: 30, burst: 60 },
} as const satisfies Record<string, JoinRate | null>;

/** From the third minute on. */
export const floodMinutes = 3;

/** @param seed determines it all */
export function joinsRows(seed: string): JoinsRow[] {
  const common = { seed, minutes: 10, floodFromMinute: 2, floodMinutes };
  const undisturbed = simulateJoins({ ...common, flood: null, limit: null });
  return Object.entries(floods).flatMap(([flood, joins]) =>
    Object.entries(limits).map(([limit, rate]) => {
      const result = simulateJoins({ ...common, flood: joins, limit: rate });
      return { flood, limit, result, undisturbed };
    }),
  );
}

/** What the flood got of the places that were taken while it lasted. */
export function floodShare({ result: { floodPlaces, placesMeanwhile } }: JoinsRow): number {
  return placesMeanwhile === 0 ? 0 : floodPlaces / placesMeanwhile;
}

/** By how much longer real visitors waited for their turn, in milliseconds, shortest first. */
export function addedWaits({ result, undisturbed }: JoinsRow): number[] {
  return result.visitors
    .map(({ waitMs }, index) => waitMs - (undisturbed.visitors[index]?.waitMs ?? 0))
    .sort((a, b) => a - b);
}

/** Of how many real visitors the limit cost time, and how much, in milliseconds, least first. */
export function delays({ result }: JoinsRow, isMeant: (visitor: RealVisitor) => boolean = () => true): number[] {
  return result.visitors
    .filter((visitor) => visitor.delayMs > 0 && isMeant(visitor))
    .map(({ delayMs }) => delayMs)
    .sort((a, b) => a - b);
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const whole = (count: number) => count.toLocaleString("en");
const percent = (share: number) => `${(share * 100).toFixed(share > 0.995 && share < 1 ? 1 : 0)} %`;
const time = (ms: number) =>
  ms < 60_000 ? `${(ms / 1_000).toFixed(ms < 9_950 ? 1 : 0)} s` : `${(ms / 60_000).toFixed(ms < 600_000 ? 1 : 0)} min`;

const columns: readonly (readonly [heading: string, cell: (row: JoinsRow) => string])[] = [
  ["flood", ({ flood }) => flood],
  ["limit", ({ limit }) => limit],
  ["the flood's joins", ({ result }) => whole(result.floodJoins)],
  ["of them places", ({ result }) => whole(result.floodPlaces)],
  ["share of places", (row) => (row.result.floodJoins === 0 ? "–" : percent(floodShare(row)))],
  ["added wait, median", (row) => time(quantile(addedWaits(row), 0.5))],
  ["p99", (row) => time(quantile(addedWaits(row), 0.99))],
  ["delayed by the limit", (row) => `${whole(delays(row).length)} of ${whole(row.result.visitors.length)}`],
  ["for, median", (row) => toldDelay(row, 0.5)],
  ["longest", (row) => toldDelay(row, 1)],
];

function toldDelay(row: JoinsRow, share: number): string {
  const all = delays(row);
  return all.length === 0 ? "–" : time(quantile(all, share));
}

export function joinsTable(rows: readonly JoinsRow[]): string {
  const cells = [columns.map(([heading]) => heading), ...rows.map((row) => columns.map(([, cell]) => cell(row)))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  const pad = (cell: string, index: number) =>
    index < 2 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0);
  const line = (row: readonly string[]) => `| ${row.map(pad).join(" | ")} |`;
  const rule = `| ${widths.map((width, index) => (index < 2 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  const [head = [], ...body] = cells;
  return [line(head), rule, ...body.map(line)].join("\n");
}
