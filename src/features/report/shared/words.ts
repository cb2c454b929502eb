/** Numbers and times as people read them. */

const numbers = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

export function wordsOfNumber(value: number): string {
  return numbers.format(value);
}

/** Of so many, to a tenth of a percent; never 0 % or 100 % of what is not. */
export function wordsOfShare(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0 %";
  if (part === whole) return "100 %";
  const percent = (100 * part) / whole;
  if (percent < 0.1) return "less than 0.1 %";
  return percent > 99.9 ? "more than 99.9 %" : `${percent.toFixed(1)} %`;
}

export function wordsOfDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** `2031-05-10 09:30:00 UTC` */
export function wordsOfTime(iso: string): string {
  return `${iso.slice(0, 19).replace("T", " ")} UTC`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
