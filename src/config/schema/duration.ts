const UNITS: readonly (readonly [suffix: string, ms: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
];

/** Of what is written; `parseDuration` says what else holds. */
export const DURATION_PATTERN =
  /^(?:(\d{1,15})d)?(?:(\d{1,15})h)?(?:(\d{1,15})m(?!s))?(?:(\d{1,15})s)?(?:(\d{1,15})ms)?$/;

/**
 * Reads a duration such as `20m`, `1h30m` or `500ms`: whole numbers with the units d, h, m, s, ms, largest
 * first, each at most once. Answers milliseconds, or null when the text is none or is not exact as a number.
 */
export function parseDuration(text: string): number | null {
  const match = DURATION_PATTERN.exec(text);
  if (text === "" || match === null) {
    return null;
  }
  const totalMs = UNITS.reduce((sum, [, ms], index) => sum + Number(match[index + 1] ?? 0) * ms, 0);
  return Number.isSafeInteger(totalMs) ? totalMs : null;
}

/** Writes whole milliseconds the way `parseDuration` reads them, as short as possible: `1h30m`, `0s`. */
export function formatDuration(durationMs: number): string {
  let restMs = durationMs;
  let text = "";
  for (const [suffix, ms] of UNITS) {
    const count = Math.floor(restMs / ms);
    restMs -= count * ms;
    text += count > 0 ? `${count}${suffix}` : "";
  }
  return text === "" ? "0s" : text;
}
