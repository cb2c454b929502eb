import type { Presence } from "../../store/contract/room-store.ts";

/** The standard error of the store's count, of 2^14 registers: 1.04 ÷ √16384. */
const countError = 0.0081;

/** The number of visitors with an open page: an estimate, and its margin at 95 % confidence. */
export interface OpenPages {
  readonly visitors: number;
  readonly margin: number;
}

/**
 * Estimates from the pages counted in a sample of one in 2^shift. The errors of the count and of the sample are independent; each page is
 * sampled by itself, so the sample's error is binomial.
 */
export function openPages({ pages, shift }: Pick<NonNullable<Presence["counted"]>, "pages" | "shift">): OpenPages {
  const share = 2 ** -shift;
  const visitors = pages / share;
  const sampleVariance = ((1 - share) * Math.max(1, pages)) / share ** 2;
  return { visitors, margin: Math.ceil(2 * Math.sqrt((countError * visitors) ** 2 + sampleVariance)) };
}
