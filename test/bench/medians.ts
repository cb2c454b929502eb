/** What several rounds came to: the one in the middle, the least and the most. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

/** Whoever is measured first in a round meets another machine than who comes behind: so they take turns at that. */
export function inTurns<T>(all: readonly T[], round: number): [index: number, one: T][] {
  const pairs = [...all.entries()];
  return round % 2 === 0 ? pairs : pairs.reverse();
}

/** @param digits behind the point */
export function round(figure: number, digits = 0): number {
  return Math.round(figure * 10 ** digits) / 10 ** digits;
}

export function spread(figures: readonly number[], digits = 0): Spread {
  const [median_, least, most] = [median(figures), Math.min(...figures), Math.max(...figures)];
  return { median: round(median_, digits), least: round(least, digits), most: round(most, digits) };
}
