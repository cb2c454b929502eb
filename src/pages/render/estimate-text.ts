import type { Locale } from "../locales/locale.ts";

const MINUTE_SEC = 60;
const HOUR_SEC = 3_600;
const DAY_SEC = 86_400;

/**
 * The expected wait as a sentence: a range, rounded outwards to what can honestly be said (minutes up to
 * ten, then steps of five, then half hours). src/browser/line-figures.ts says it in the same way; a test compares the two.
 */
export function estimateText(locale: Locale, estimate: { lowSec: number; highSec: number } | null): string {
  const texts = locale.texts.waiting.live.estimate;
  if (estimate === null) return texts.none;
  const { lowSec, highSec } = estimate;
  if (highSec <= MINUTE_SEC) return texts.soon;
  if (lowSec >= DAY_SEC) return texts.long;
  const inHours = highSec > 90 * MINUTE_SEC;
  const unitSec = inHours ? HOUR_SEC : MINUTE_SEC;
  const low = roundOutwards(lowSec / unitSec, inHours, Math.floor);
  const high = roundOutwards(highSec / unitSec, inHours, Math.ceil);
  if (low === high) return locale.plural(inHours ? texts.hours : texts.minutes, high);
  return locale.plural(inHours ? texts.hourRange : texts.minuteRange, high, {
    low: locale.number(low),
    high: locale.number(high),
  });
}

function roundOutwards(value: number, inHours: boolean, round: (value: number) => number): number {
  const step = inHours ? (value < 10 ? 0.5 : 1) : value <= 10 ? 1 : 5;
  return Math.max(inHours ? 0.5 : 1, round(value / step) * step);
}
