/** Moments and spans of time, in the visitor's own way and time zone. Pure functions. */
import { attempt } from "../pages/shared/wording.ts";

/** The visitor's own kind of the page's language, which may write times of day in another way. */
export function regionalLocale(language: string, wanted: readonly string[] = []): string {
  return wanted.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;
}

export type TimeWords = ReturnType<typeof createTimeWords>;

/**
 * @param locale how to write them; whatever the page's words around them are
 * @param pairText how two units stand together: "{large} {small}"
 */
export function createTimeWords(locale: string, pairText: string) {
  const format = (options: Intl.DateTimeFormatOptions, epochMs: number) =>
    attempt(() => new Intl.DateTimeFormat(locale, options).format(epochMs), String(new Date(epochMs)).slice(0, 33));
  const hour12 = attempt(() => new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hour12, false);
  // 8:05 PM, but 08:05.
  const timeOfDay = { hour: hour12 ? "numeric" : "2-digit", minute: "2-digit" } as const;
  const day = { weekday: "long", month: "long", day: "numeric" } as const;
  const count = (value: number, unit: string) =>
    // Safari before 14.1 has no units.
    attempt(
      () => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value),
      `${value} ${unit}`,
    );
  const pair = (large: number, largeUnit: string, small: number, smallUnit: string) => {
    const whole = count(large, largeUnit);
    if (small === 0) return whole;
    return pairText.replace("{large}", whole).replace("{small}", count(small, smallUnit));
  };

  return {
    /** The day and the time, with the name of the time zone. @param year "numeric": with the year, too */
    moment: (epochMs: number, year?: "numeric") =>
      format({ ...day, year, ...timeOfDay, timeZoneName: "short" }, epochMs),
    /** The time of day alone. */
    clock: (epochMs: number) => format(timeOfDay, epochMs),
    /** Two units, or the large one alone. */
    pair,
    /** Rounded down, so that nobody who goes by it comes too late: seconds, then minutes, then two units. */
    span(ms: number): string {
      const seconds = Math.max(0, Math.floor(ms / 1_000));
      const minutes = Math.floor(seconds / 60);
      const hours = Math.floor(minutes / 60);
      if (seconds < 120) return count(seconds, "second");
      if (minutes < 60) return count(minutes, "minute");
      if (hours < 48) return pair(hours, "hour", minutes % 60, "minute");
      return pair(Math.floor(hours / 24), "day", hours % 24, "hour");
    },
  };
}

/**
 * Until when a turn is held, as far as one can know from outside. The line came to the visitor some time after the last numbers
 * that said otherwise, so the turn lasts at least as long as is reckoned from those. Time in which the line is known to have stood
 * still does not count. All times are the server's.
 *
 * @param claimWithinMs how long a turn is held; null where the page does not say
 */
export function createTurnDeadline(position: number, claimWithinMs: number | null) {
  let countsFromMs: number | null = null;
  let last = { atMs: 0, standsStill: false };
  return {
    /** Takes note of numbers that were true at `atMs`. */
    note(serving: number, atMs: number, standsStill: boolean): void {
      if (serving < position) countsFromMs = atMs;
      else if (countsFromMs !== null && standsStill && last.standsStill) countsFromMs += Math.max(0, atMs - last.atMs);
      last = { atMs, standsStill };
    },
    /** Nobody has to come by then. */
    forget(): void {
      countsFromMs = null;
    },
    /** In words; nothing where it is not known. */
    describe(texts: { until: string; passed: string }, times: TimeWords, nowMs: number): string {
      if (countsFromMs === null || claimWithinMs === null) return "";
      const untilMs = countsFromMs + claimWithinMs;
      if (untilMs <= nowMs) return texts.passed;
      return texts.until.replace("{time}", times.clock(untilMs)).replace("{span}", times.span(untilMs - nowMs));
    },
  };
}
