import type { Presence } from "../../store/contract/room-store.ts";

/** The standard error of the store's count, of 2^14 registers: 1.04 ÷ √16384. */
const countError = 0.0081;

/** How many visitors have the page open: with 95 % certainty so many, give or take the margin. */
export interface OpenPages {
  readonly visitors: number;
  readonly margin: number;
}

/**
 * From the pages that were counted in a sample of one in 2^shift: the errors of count and sample are independent of each other. The sample
 * is taken of each page by itself, so its error is that of a binomial distribution.
 */
export function openPages({ pages, shift }: Pick<NonNullable<Presence["counted"]>, "pages" | "shift">): OpenPages {
  const share = 2 ** -shift;
  const visitors = pages / share;
  const sampleVariance = ((1 - share) * Math.max(1, pages)) / share ** 2;
  return { visitors, margin: Math.ceil(2 * Math.sqrt((countError * visitors) ** 2 + sampleVariance)) };
}
