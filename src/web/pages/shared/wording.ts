/** Sentences and numbers in a page's language: for the pages as they are made, and for their scripts. Pure functions. */

import type { DrawJson, StockJson } from "../../../room/public-status/status.ts";

type PluralTexts = { readonly [category in Intl.LDMLPluralRule]?: string } & { readonly other: string };
export type Values = { readonly [name: string]: string | number | undefined };

/** Replaces `{name}` by the value of that name; what has no value stays. */
export function fillText(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/**
 * Words from outside (a room's title, a code) for the inside of a sentence, between marks that keep their direction from
 * turning what stands around them (U+2068 and U+2069, Unicode UAX 9). In a page from left to right only words in Hebrew, Arabic
 * and the other scripts that are written from right to left need them.
 */
export function isolate(text: string, dir: string): string {
  const isRightToLeft = dir === "rtl" || /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text);
  return isRightToLeft ? `\u2068${text}\u2069` : text;
}

/** Nothing that is shown depends on what a browser may lack or refuse: where it throws, there are plainer words, or nothing. */
export function attempt<Result, Plainer>(work: () => Result, plainer: Plainer): Result | Plainer {
  try {
    return work();
  } catch {
    return plainer;
  }
}

type Wording = ReturnType<typeof createWording>;

/** A language's ways with numbers and plural forms. */
export function createWording(language: string) {
  const numbers = attempt(() => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }), { format: String });
  const plurals = attempt(() => new Intl.PluralRules(language), { select: () => "other" as const });
  const number = (value: number) => numbers.format(value);
  return {
    number,
    /** The text for this count. @param values default: `{n}` is the count */
    plural: (texts: PluralTexts, count: number, values: Values = { n: number(count) }) =>
      fillText(texts[plurals.select(count)] ?? texts.other, values),
  };
}

export interface StockTexts {
  readonly left: string;
  readonly short: string;
}

/**
 * How many are left, and whether they may be gone before the visitor's turn; "" for nothing.
 *
 * @param ahead people; -1 where nobody knows
 */
export function stockText(texts: StockTexts, n: (value: number) => string, stock: StockJson | null, ahead: number) {
  if (stock === null) return "";
  const { remaining, enough_for } = stock;
  const left = remaining === null ? "" : fillText(texts.left, { n: n(remaining) });
  const short = ahead < enough_for ? "" : texts.short;
  return left && short ? `${left} · ${short}` : left + short;
}

export interface TakingPartTexts {
  readonly soFar: string;
  readonly takingPart: string;
}

/** How many take part in a draw: the number is fixed with the last entry. "" where it is not known. */
export function takingPartText(
  texts: TakingPartTexts,
  n: (value: number) => string,
  draw: DrawJson | undefined | null,
) {
  if (!draw?.entries) return "";
  const isFixed = draw.stage === "closed" || draw.stage === "drawn";
  return fillText(isFixed ? texts.takingPart : texts.soFar, { n: n(draw.entries) });
}

interface EstimateTexts {
  readonly none: string;
  readonly soon: string;
  readonly minutes: PluralTexts;
  readonly minuteRange: PluralTexts;
  readonly hours: PluralTexts;
  readonly hourRange: PluralTexts;
  readonly long: string;
}

/**
 * The expected wait as a sentence: a range, rounded outwards to what can honestly be said (minutes up to ten, then steps of
 * five, then half hours).
 *
 * @param wait from and to, in seconds; null where nothing is known
 */
export function estimateText(
  texts: EstimateTexts,
  { number, plural }: Wording,
  wait: readonly [number, number] | null,
): string {
  if (wait === null) return texts.none;
  const [lowSec, highSec] = wait;
  if (highSec <= 60) return texts.soon;
  if (lowSec >= 86_400) return texts.long;
  const inHours = highSec > 5_400;
  const round = (sec: number, outwards: (value: number) => number) => {
    const value = sec / (inHours ? 3_600 : 60);
    const step = inHours ? (value < 10 ? 0.5 : 1) : value <= 10 ? 1 : 5;
    return Math.max(inHours ? 0.5 : 1, outwards(value / step) * step);
  };
  const low = round(lowSec, Math.floor);
  const high = round(highSec, Math.ceil);
  if (low === high) return plural(inHours ? texts.hours : texts.minutes, high);
  return plural(inHours ? texts.hourRange : texts.minuteRange, high, { low: number(low), high: number(high) });
}
