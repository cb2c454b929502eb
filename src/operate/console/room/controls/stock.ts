/** What the admin API takes. */
const remainingMax = 1_000_000_000;

/** A whole number of what is left to sell; null for anything else. */
export function readStock(written: string): number | null {
  const text = written.trim();
  const remaining = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return remaining <= remainingMax ? remaining : null;
}
