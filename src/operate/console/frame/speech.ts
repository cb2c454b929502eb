/** The console's languages: their tags, and which way they are written. A language more is a line here, and its text in every `Localized`. */
const languages = { en: "ltr", de: "ltr" } as const;

/** A text in every language of the console: one that is missing is a type error. */
export type Localized = Readonly<Record<keyof typeof languages, string>>;
/** The texts of a screen or a feature, by names of its own. */
export interface LocalizedTexts {
  readonly [name: string]: Localized | LocalizedTexts;
}
export type Values = Readonly<Record<string, string | number>>;

/** How the console speaks to one operator. */
export interface Speech {
  /** A language tag, for the page. */
  readonly tag: string;
  readonly dir: "ltr" | "rtl";
  text(text: Localized, values?: Values): string;
  number(value: number): string;
  /** The time of day, with the day where that is not today, and the year where that is another. */
  time(ms: number, nowMs: number): string;
  /** The time of day with seconds, with day and year where that is not today. */
  clock(ms: number, nowMs: number): string;
  /** Rounded down: `12 s`, `3 min`, `2 h`, `3 d`. */
  age(ms: number): string;
}

const ages = {
  seconds: { en: "{n} s", de: "{n} s" },
  minutes: { en: "{n} min", de: "{n} min" },
  hours: { en: "{n} h", de: "{n} h" },
  days: { en: "{n} d", de: "{n} d" },
} satisfies LocalizedTexts;

/** @param wanted tags of languages, most wanted first */
export function speechFor(wanted: readonly string[]): Speech {
  const tag = wanted.map((each) => each.split("-")[0] ?? "").find(isLanguage) ?? "en";
  const region = wanted.find((each) => each.startsWith(tag)) ?? tag;
  const numbers = new Intl.NumberFormat(region, { maximumFractionDigits: 0 });
  const hour = new Intl.DateTimeFormat(region, { hour: "2-digit", minute: "2-digit" });
  const second = new Intl.DateTimeFormat(region, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const ofDay = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
  const year = new Intl.DateTimeFormat(region, { year: "numeric", ...ofDay });
  const secondOfDay = new Intl.DateTimeFormat(region, { year: "numeric", ...ofDay, second: "2-digit" });
  const day = new Intl.DateTimeFormat(region, ofDay);
  const text: Speech["text"] = ({ [tag]: template }, values = {}) =>
    template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? "";
      return typeof value === "number" ? numbers.format(value) : value;
    });
  return {
    tag,
    dir: languages[tag],
    text,
    number: (value) => numbers.format(value),
    clock(ms, nowMs) {
      const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString();
      return (isToday ? second : secondOfDay).format(ms);
    },
    time(ms, nowMs) {
      const [then, now] = [new Date(ms), new Date(nowMs)];
      if (then.toDateString() === now.toDateString()) return hour.format(then);
      return (then.getFullYear() === now.getFullYear() ? day : year).format(then);
    },
    age(ms) {
      const sec = Math.max(0, Math.floor(ms / 1_000));
      if (sec < 120) return text(ages.seconds, { n: sec });
      if (sec < 7_200) return text(ages.minutes, { n: Math.floor(sec / 60) });
      if (sec < 172_800) return text(ages.hours, { n: Math.floor(sec / 3_600) });
      return text(ages.days, { n: Math.floor(sec / 86_400) });
    },
  };
}

function isLanguage(tag: string): tag is keyof typeof languages {
  return Object.keys(languages).includes(tag);
}
