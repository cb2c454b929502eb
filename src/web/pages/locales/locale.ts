import { createQuickWording } from "./quick-wording.ts";
import type { LocaleTexts } from "./texts.ts";

export type Locale = ReturnType<typeof createLocale>;

/** One language: its texts, and its ways with numbers, plurals, times. All plain text, not yet HTML. */
export function createLocale(texts: LocaleTexts) {
  const { tag, dir } = texts.language;
  const day = { weekday: "long", month: "long", day: "numeric" } as const;
  const minute = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
  const inUnits = (value: number, unit: string) =>
    new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 }).format(value);
  return {
    tag,
    dir,
    texts,
    ...createQuickWording(tag),
    /** A span of time in its largest fitting whole unit: "20 seconds", "15 minutes", "2 hours". */
    duration(milliseconds: number): string {
      const seconds = milliseconds / 1_000;
      if (seconds < 60) return inUnits(Math.round(seconds), "second");
      if (seconds < 5_400) return inUnits(Math.round(seconds / 60), "minute");
      if (seconds < 172_800) return inUnits(seconds / 3_600, "hour");
      return inUnits(seconds / 86_400, "day");
    },
    /** The time of day with the name of its zone, for those whose browser cannot say it in their own time. */
    timeOfDay: createZonedFormat(tag, { timeStyle: "long" }),
    /** The same, to the minute that has begun. */
    hourAndMinute: createZonedFormat(tag, minute),
    /** Day and time, in the same way. */
    moment: createZonedFormat(tag, { ...day, ...minute }),
    /** The same with the year, where it may be far ahead. */
    farMoment: createZonedFormat(tag, { ...day, year: "numeric", ...minute }),
  };
}

/** One format for each zone, made when it is needed first. */
function createZonedFormat(tag: string, options: Intl.DateTimeFormatOptions) {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const make = (timeZone: string) => {
    try {
      return new Intl.DateTimeFormat(tag, { ...options, timeZone });
    } catch (error) {
      // Settings may come from a process whose zones are newer than these.
      if (!(error instanceof RangeError)) throw error;
      return new Intl.DateTimeFormat(tag, { ...options, timeZone: "UTC" });
    }
  };
  /** @param timeZone IANA name */
  return (epochMs: number, timeZone = "UTC"): string => {
    const format = formats.get(timeZone) ?? make(timeZone);
    formats.set(timeZone, format);
    return format.format(epochMs);
  };
}
