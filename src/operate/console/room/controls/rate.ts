/** What the admin API takes. */
const rateMax = 1_000_000;

/** A whole number of admissions a minute, or of people to call; null for anything else. */
export function readCount(written: string): number | null {
  const text = written.trim();
  const rate = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  return rate >= 1 && rate <= rateMax ? rate : null;
}

/** So many percent more or less, and always another number within what may be. */
export function stepped(rate: number, percent: number): number {
  const exact = (rate * (100 + percent)) / 100;
  const next =
    percent > 0 ? Math.max(Math.round(exact), Math.floor(rate) + 1) : Math.min(Math.round(exact), Math.ceil(rate) - 1);
  return Math.min(rateMax, Math.max(1, next));
}
