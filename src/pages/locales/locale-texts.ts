import { z } from "zod";

/** The shape of a file in views/locales. Checked when the file is read, so that a fault is found at start. */

const text = z.string().min(1);

/** A group of texts with these names, all of them required. */
function texts<const Name extends string>(...names: readonly Name[]) {
  return z.strictObject(Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>);
}

/** One text per plural category of the language; `other` serves where a category has none. */
const plural = z.strictObject({
  zero: text.optional(),
  one: text.optional(),
  two: text.optional(),
  few: text.optional(),
  many: text.optional(),
  other: text,
});

/** What the page of a waiting visitor turns to. */
const lastStates = ["turn", "idle", "ended"] as const;

/** Waiting texts that the page's script needs too; sent along with the page. */
const live = z.strictObject({
  labels: texts("place", "entry"),
  ahead: plural,
  aheadAtMost: plural,
  aheadNone: text,
  serving: text,
  drawn: text,
  title: text,
  /** What the title begins with: in states that have a text of their own by that, else by the people ahead. */
  titles: texts(
    ...(["ahead", "aheadAtMost", "next", "opens", "entered", "drawing", "held", "paused"] as const),
    ...lastStates,
  ),
  /** `full`: held, by a site that is full. `behind`: held, and ready visitors enter first. */
  status: texts(
    ...(["entered", "drawing", "waiting", "held", "full", "behind", "paused", "store_away", "recovering"] as const),
    ...lastStates,
  ),
  problem: texts("store_away", "recovering", "offline", "stale"),
  pausedReasons: z.record(z.string(), text),
  paceNotes: texts("limit_changed", "slower"),
  autoHint: text,
  turnHint: text,
  enter: text,
  timePair: text,
  doors: texts("unset", "in", "now", "opened"),
  deadline: texts("until", "passed"),
  estimate: z.strictObject({
    none: text,
    paused: text,
    soon: text,
    minutes: plural,
    minuteRange: plural,
    hours: plural,
    hourRange: plural,
    long: text,
  }),
});

const noticeTexts = z.strictObject({
  /** A matter of looks: only the English texts say it, for all languages. */
  tone: z.enum(["info", "problem", "done"]).optional(),
  title: text,
  paragraphs: z.array(text).min(1),
});

export const localeTexts = z.strictObject({
  language: z.strictObject({ tag: text, name: text, dir: z.enum(["ltr", "rtl"]) }),
  /** Of languages, at the foot of every page. */
  chooser: texts("label", "choose"),
  waiting: z.strictObject({
    eyebrow: text,
    checkHint: text,
    keepHint: text,
    claimHint: text,
    progressLabel: text,
    updated: text,
    check: text,
    doors: texts("label", "rule"),
    /** Instead of the rule of the doors where places are drawn, and the link to what explains that. */
    draw: texts("number", "rule", "link"),
    leave: texts("summary", "question", "confirm"),
    /** How the page calls a visitor who looks elsewhere. */
    call: texts("summary", "explain", "sound", "test", "notify", "notifyBlocked", "awake"),
    /** Taking the place to another browser; the pages of that are among the notices. */
    move: texts("summary", "question", "confirm"),
    live,
  }),
  /** What stands over the operator's words, by how grave they are. */
  message: texts("information", "warning", "sold_out"),
  /** On the page `notices.draw`. */
  draw: z.strictObject({
    stages: texts("committed", "drawn", "cancelled"),
    /** Whether a public source of chance is mixed in. */
    beacon: texts("none", "mixed", "fallback"),
    receipt: texts("label", "hint", "copy"),
    facts: texts("seal", "secret", "entries", "round"),
    check: texts("heading", "number", "compute", "result", "outside", "all", "scripts"),
    /** What was checked, and how it came out. */
    checks: texts("record", "seal", "numbers", "beacon", "order", "receipt"),
    outcomes: texts("ok", "warning", "failed"),
  }),
  /** Around the link on the page `notices.move`. */
  move: texts("label", "copy", "copied", "code"),
  notice: z.strictObject({
    code: text,
    codeWithRequest: text,
    autoRetry: text,
    /** Instead of the hint that the page goes on by itself. */
    offline: text,
    unreachable: text,
    /** What the page turns to when the room has opened, until it is looked at. */
    open: texts("title", "heading", "hint"),
    opens: texts("label", "unset", "in", "now", "entry", "timePair", "auto"),
  }),
  actions: z.record(z.string(), text),
  notices: z.record(z.string(), noticeTexts),
});

export type LocaleTexts = z.infer<typeof localeTexts>;
export type PluralTexts = z.infer<typeof plural>;
