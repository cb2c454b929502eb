import { createWording, type Values } from "../shared/wording.ts";
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

/** Digits of the longest number that is written quickly. */
const digitsMax = 9;
const partsMax = 2_000;
const partsOf = new Map<string, readonly string[]>();

/** As `fillText`: the text is cut at its names once. */
export function fillQuickly(text: string, values: Values): string {
  let parts = partsOf.get(text);
  if (parts === undefined) {
    parts = text.split(/\{(\w+)\}/);
    // Operators' own texts can be changed at run time.
    if (partsOf.size >= partsMax) partsOf.clear();
    partsOf.set(text, parts);
  }
  let filled = parts[0] ?? "";
  for (let index = 1; index < parts.length; index += 2) {
    const name = parts[index] as string;
    filled += `${values[name] ?? `{${name}}`}${parts[index + 1]}`;
  }
  return filled;
}

/** A language's ways with numbers and plural forms: those of `shared/wording.ts`, for pages that are made by the thousand. */
export function createQuickWording(tag: string): ReturnType<typeof createWording> {
  const { number: format, plural } = createWording(tag);
  const digits = Array.from({ length: 10 }, (_, digit) => format(digit));
  const isPlain = digits.every((formatted, digit) => formatted === String(digit));
  const shapes = Array.from({ length: digitsMax }, (_, index) =>
    shapeOf(format(Number("1".repeat(index + 1))), index + 1),
  );

  /** How many digits stand in each group, and what between them. Null: other than in groups. */
  function shapeOf(formatted: string, length: number): { sizes: readonly number[]; between: string } | null {
    const one = digits[1] as string;
    const [between = ""] = formatted.split(one).filter((rest) => rest !== "");
    const groups = between === "" ? [formatted] : formatted.split(between);
    const sizes = groups.map((group) => group.length / one.length);
    const isWhole = groups.every((group, index) => group === one.repeat(sizes[index] ?? 0));
    return isWhole && sizes.reduce((sum, size) => sum + size, 0) === length ? { sizes, between } : null;
  }

  function number(value: number): string {
    const written = String(value);
    // Of the language's own digits, fractions and numbers below zero the language knows more.
    const shape = isPlain && Number.isInteger(value) && value >= 0 ? shapes[written.length - 1] : undefined;
    if (shape == null) return format(value);
    const { sizes, between } = shape;
    let at = sizes[0] as number;
    let grouped = written.slice(0, at);
    for (let index = 1; index < sizes.length; index++) {
      const size = sizes[index] as number;
      grouped += between + written.slice(at, at + size);
      at += size;
    }
    return grouped;
  }

  return { number, plural };
}
