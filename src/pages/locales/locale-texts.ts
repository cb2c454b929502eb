import { z } from "zod";

/** The shape of a file in views/locales. Checked when the file is read, so that a fault is found at start. */

const text = z.string().min(1);

/** One text per plural category of the language; `other` serves where a category has none. */
const plural = z.strictObject({
  zero: text.optional(),
  one: text.optional(),
  two: text.optional(),
  few: text.optional(),
  many: text.optional(),
  other: text,
});

/** Waiting texts that the page's script needs too; sent along with the page. */
const live = z.strictObject({
  labels: z.strictObject({ place: text, entry: text }),
  ahead: plural,
  aheadAtMost: plural,
  aheadNone: text,
  serving: text,
  drawn: text,
  title: text,
  /** What the title begins with: in states that have a text of their own by that, else by the people ahead. */
  titles: z.strictObject({
    ahead: text,
    aheadAtMost: text,
    next: text,
    opens: text,
    entered: text,
    drawing: text,
    held: text,
    paused: text,
    turn: text,
    idle: text,
    ended: text,
  }),
  status: z.strictObject({
    entered: text,
    drawing: text,
    waiting: text,
    held: text,
    /** Held, by a site that is full. */
    full: text,
    /** Held, and ready visitors enter first. */
    behind: text,
    paused: text,
    store_away: text,
    recovering: text,
    turn: text,
    idle: text,
    ended: text,
  }),
  problem: z.strictObject({ store_away: text, recovering: text, offline: text, stale: text }),
  pausedReasons: z.record(z.string(), text),
  paceNotes: z.strictObject({ limit_changed: text, slower: text }),
  autoHint: text,
  turnHint: text,
  enter: text,
  timePair: text,
  doors: z.strictObject({ unset: text, in: text, now: text, opened: text }),
  deadline: z.strictObject({ until: text, passed: text }),
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
  chooser: z.strictObject({ label: text, choose: text }),
  waiting: z.strictObject({
    eyebrow: text,
    checkHint: text,
    keepHint: text,
    claimHint: text,
    progressLabel: text,
    updated: text,
    check: text,
    doors: z.strictObject({ label: text, rule: text }),
    /** Instead of the rule of the doors where places are drawn, and the link to what explains that. */
    draw: z.strictObject({ number: text, rule: text, link: text }),
    leave: z.strictObject({ summary: text, question: text, confirm: text }),
    /** How the page calls a visitor who looks elsewhere. */
    call: z.strictObject({
      summary: text,
      explain: text,
      sound: text,
      test: text,
      notify: text,
      notifyBlocked: text,
      awake: text,
    }),
    /** Taking the place to another browser; the pages of that are among the notices. */
    move: z.strictObject({ summary: text, question: text, confirm: text }),
    live,
  }),
  /** What stands over the operator's words, by how grave they are. */
  message: z.strictObject({ information: text, warning: text, sold_out: text }),
  /** On the page `notices.draw`. */
  draw: z.strictObject({
    stages: z.strictObject({ committed: text, drawn: text, cancelled: text }),
    /** Whether a public source of chance is mixed in. */
    beacon: z.strictObject({ none: text, mixed: text, fallback: text }),
    receipt: z.strictObject({ label: text, hint: text, copy: text }),
    facts: z.strictObject({ seal: text, secret: text, entries: text, round: text }),
    check: z.strictObject({
      heading: text,
      number: text,
      compute: text,
      result: text,
      outside: text,
      all: text,
      scripts: text,
    }),
    /** What was checked, and how it came out. */
    checks: z.strictObject({
      record: text,
      seal: text,
      numbers: text,
      beacon: text,
      order: text,
      receipt: text,
    }),
    outcomes: z.strictObject({ ok: text, warning: text, failed: text }),
  }),
  /** Around the link on the page `notices.move`. */
  move: z.strictObject({ label: text, copy: text, copied: text, code: text }),
  notice: z.strictObject({
    code: text,
    codeWithRequest: text,
    autoRetry: text,
    /** Instead of the hint that the page goes on by itself. */
    offline: text,
    unreachable: text,
    /** What the page turns to when the room has opened, until it is looked at. */
    open: z.strictObject({ title: text, heading: text, hint: text }),
    opens: z.strictObject({ label: text, unset: text, in: text, now: text, entry: text, timePair: text, auto: text }),
  }),
  actions: z.record(z.string(), text),
  notices: z.record(z.string(), noticeTexts),
});

export type LocaleTexts = z.infer<typeof localeTexts>;
export type PluralTexts = z.infer<typeof plural>;
