import type { LocaleTexts, PluralTexts } from "./locale-texts.ts";

/** One language: its texts, and its ways with numbers, plurals, times. All plain text, not yet HTML. */
export interface Locale {
  readonly tag: string;
  readonly dir: "ltr" | "rtl";
  readonly texts: LocaleTexts;
  number(value: number): string;
  /** The text for this count, `{n}` filled with `shown` (default: the formatted count). */
  plural(texts: PluralTexts, count: number, shown?: Readonly<Record<string, string>>): string;
  /** A span of time in its largest fitting whole unit: "20 seconds", "15 minutes", "2 hours". */
  duration(milliseconds: number): string;
  /**
   * The time of day with the name of its zone, for those whose browser cannot say it in their own time.
   *
   * @param timeZone IANA name; default: UTC
   */
  timeOfDay(epochMs: number, timeZone?: string): string;
  /** The same, to the minute that has begun. */
  hourAndMinute(epochMs: number, timeZone?: string): string;
  /** Day and time, in the same way. */
  moment(epochMs: number, timeZone?: string): string;
}

/** Replaces `{name}` by the value of that name; what has no value stays. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : String(value);
  });
}

export function createLocale(texts: LocaleTexts): Locale {
  const { tag, dir } = texts.language;
  const numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 });
  const plurals = new Intl.PluralRules(tag);
  const times = createZonedFormat(tag, { timeStyle: "long" });
  const minutes = createZonedFormat(tag, { hour: "numeric", minute: "2-digit", timeZoneName: "short" });
  const moments = createZonedFormat(tag, {
    weekday: "long",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  });
  const units = new Map(
    (["second", "minute", "hour", "day"] as const).map((unit) => [
      unit,
      new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 }),
    ]),
  );
  return {
    tag,
    dir,
    texts,
    number: (value) => numbers.format(value),
    plural(choices, count, shown) {
      const text = choices[plurals.select(count)] ?? choices.other;
      return fillPlaceholders(text, shown ?? { n: numbers.format(count) });
    },
    duration(milliseconds) {
      const seconds = milliseconds / 1_000;
      if (seconds < 60) return units.get("second")?.format(Math.round(seconds)) ?? "";
      if (seconds < 5_400) return units.get("minute")?.format(Math.round(seconds / 60)) ?? "";
      if (seconds < 172_800) return units.get("hour")?.format(seconds / 3_600) ?? "";
      return units.get("day")?.format(seconds / 86_400) ?? "";
    },
    timeOfDay: times,
    hourAndMinute: minutes,
    moment: moments,
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
  return (epochMs: number, timeZone = "UTC"): string => {
    const format = formats.get(timeZone) ?? make(timeZone);
    formats.set(timeZone, format);
    return format.format(epochMs);
  };
}
