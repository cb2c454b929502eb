/** Moments and spans of time, in the visitor's own way and time zone. Pure functions. */

/** The visitor's own kind of the page's language, which may write times of day in another way. */
export function ownLocale(language: string, wanted: readonly string[]): string {
  return wanted.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;
}

export type TimeWords = ReturnType<typeof createTimeWords>;

/**
 * @param locale how to write them; whatever the page's words around them are
 * @param pairText how two units stand together: "{large} {small}"
 */
export function createTimeWords(locale: string, pairText: string) {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  // 8:05 PM, but 08:05.
  const timeOfDay = { hour: hour12 ? "numeric" : "2-digit", minute: "2-digit" } as const;
  const clock = new Intl.DateTimeFormat(locale, timeOfDay);
  const day = { weekday: "long", month: "long", day: "numeric" } as const;
  const moment = new Intl.DateTimeFormat(locale, { ...day, ...timeOfDay, timeZoneName: "short" });
  const count = (value: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value);
  const pair = (large: number, largeUnit: string, small: number, smallUnit: string) => {
    const whole = count(large, largeUnit);
    if (small === 0) return whole;
    return pairText.replace("{large}", whole).replace("{small}", count(small, smallUnit));
  };

  return {
    /** The day and the time, with the name of the time zone. */
    moment: (epochMs: number) => moment.format(epochMs),
    /** The time of day alone. */
    clock: (epochMs: number) => clock.format(epochMs),
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
