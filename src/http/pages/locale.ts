import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type LocaleTexts, localeTexts, type PluralTexts } from "./locale-texts.ts";

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

export interface Locales {
  /** The language that the visitor asked for, as far as we have it. */
  choose(acceptLanguage: string | undefined): Locale;
  readonly all: readonly Locale[];
}

const DEFAULT_LANGUAGE = "en";

/** Replaces `{name}` by the value of that name; what has no value stays. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : String(value);
  });
}

/** Reads every file of the folder. @throws Error that names the file and what is wrong in it. */
export function readLocales(folder: string): Locales {
  const all = readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => readLocale(join(folder, name)));
  const byTag = new Map(all.map((locale) => [locale.tag.toLowerCase(), locale]));
  const fallback = byTag.get(DEFAULT_LANGUAGE);
  if (fallback === undefined) throw new Error(`no locale "${DEFAULT_LANGUAGE}" in ${folder}`);
  return {
    all,
    choose(acceptLanguage) {
      if (acceptLanguage === undefined || all.length === 1) return fallback;
      for (const wanted of languagesByPreference(acceptLanguage)) {
        const found = byTag.get(wanted) ?? byTag.get(wanted.split("-")[0] ?? wanted);
        if (found !== undefined) return found;
      }
      return fallback;
    },
  };
}

function readLocale(file: string): Locale {
  const parsed = localeTexts.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`${file}: ${faults.join("; ")}`);
  }
  return createLocale(parsed.data);
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

/** Language tags of an Accept-Language header (RFC 9110 §12.5.4), lower case, most wanted first, at most ten. */
function languagesByPreference(header: string): string[] {
  return header
    .slice(0, 300)
    .split(",")
    .slice(0, 10)
    .map((item) => {
      const [tag = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ tag, quality }) => tag !== "" && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}
