import type { PublishedDraw, PublishedVoid } from "../document.ts";
import type { NumberRange } from "../order.ts";
import { type Check, judge } from "./checks.ts";

/** Voids that stand: their numbers take no part. */
function standing({ voids }: Pick<PublishedDraw, "voids">): PublishedVoid[] {
  return (voids ?? []).filter(({ restored_at }) => restored_at === null);
}

/** The void that an entry falls under; null for none. */
export function voidOfEntry(draw: Pick<PublishedDraw, "voids">, entry: number): PublishedVoid | null {
  return standing(draw).find(({ numbers }) => numbers.some((range) => has(range, entry))) ?? null;
}

/** Says what was voided and why; once the numbers are fixed, that none of it takes part. */
export function* checkVoids(draw: PublishedDraw): Generator<Check> {
  const { id, last, gaps } = draw;
  for (const { reference, reason, numbers, restored_at } of draw.voids ?? []) {
    const count = numbers.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    const what = `${count} ${count === 1 ? "entry" : "entries"}, void ${reference}: ${inQuotes(reason)}`;
    if (restored_at !== null) {
      yield judge("voids", id, null, `Given back ${restored_at}: ${what}`);
      continue;
    }
    const isOut =
      last === null || numbers.every((range) => gaps.some((gap) => has(gap, range[0]) && has(gap, range[1])));
    const fault = isOut ? null : `Numbers that are said to be void take part all the same: ${what}`;
    yield judge("voids", id, fault, `Voided by the organiser before the draw: ${what}`);
  }
}

function has([from, to]: NumberRange, number: number): boolean {
  return number >= from && number <= to;
}

function inQuotes(reason: string): string {
  return `“${reason}”`;
}
