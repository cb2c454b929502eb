/** How rows of slots are put into their ring; what a row says stands in statistics.ts. */
import { readSlot, type SlotRow, type StatisticsRing, writeSlot } from "../ports/statistics-ring.ts";

/** Nobody recorded all of the slot. */
export const partial = 1;
/** What a row can count: three bytes. */
const countedMost = 8_388_607;

export function fitting(count: number): number {
  return Math.max(-countedMost, Math.min(countedMost, count));
}

/** The members of both, added up or taken off. The first has no fewer. */
export function combined(one: readonly number[], other: readonly number[], sign: number): number[] {
  const sums: number[] = [];
  for (const value of one) sums.push(value + sign * (other[sums.length] ?? 0));
  return sums;
}

/** Answers the mark: the last slot that has a row, how many behind it were quiet, and its gauges. */
export function putRow(
  ring: StatisticsRing,
  size: number,
  mark: readonly number[],
  slot: number,
  row: SlotRow,
  quietMost: number,
): number[] {
  const last = mark[0] ?? 0;
  const quiet = mark[1] ?? 0;
  if (slot === last + quiet + 1 && quiet < quietMost && isQuiet(row, mark)) return markOf(last, quiet + 1, row.gauges);
  keepQuiet(ring, size, last, quiet);
  const existing = readSlot(ring, size, slot);
  if (existing !== null) addEarlier(row, existing);
  writeSlot(ring, size, slot, row);
  return markOf(slot, 0, row.gauges);
}

function markOf(last: number, quiet: number, gauges: readonly number[]): number[] {
  const mark = [last, quiet];
  for (const gauge of gauges) mark.push(gauge);
  return mark;
}

function isQuiet(row: SlotRow, mark: readonly number[]): boolean {
  if (row.flags !== 0 || row.counted.some((count) => count !== 0)) return false;
  let index = 2;
  for (const gauge of row.gauges) {
    if (gauge !== mark[index]) return false;
    index++;
  }
  return true;
}

/** Notes at the last row how many behind it were quiet. */
function keepQuiet(ring: StatisticsRing, size: number, last: number, quiet: number): void {
  if (quiet === 0) return;
  const row = readSlot(ring, size, last);
  if (row === null) return;
  row.quiet = Math.max(row.quiet, quiet);
  writeSlot(ring, size, last, row);
}

/** The slot has been there before: the clock was set back. */
function addEarlier(row: SlotRow, earlier: SlotRow): void {
  row.flags = Math.max(row.flags, earlier.flags, partial);
  row.quiet = earlier.quiet;
  row.counted = combined(row.counted, earlier.counted, 1).map((count) => fitting(count));
}
