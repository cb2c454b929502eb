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
  ahead: plural,
  aheadAtMost: plural,
  aheadNone: text,
  serving: text,
  title: text,
  titleAhead: text,
  titleAheadAtMost: text,
  titleNext: text,
  titlePaused: text,
  titleTurn: text,
  status: z.strictObject({
    waiting: text,
    held: text,
    paused: text,
    store_away: text,
    recovering: text,
    turn: text,
  }),
  problem: z.strictObject({ store_away: text, recovering: text, offline: text, stale: text }),
  pausedReasons: z.record(z.string(), text),
  autoHint: text,
  turnHint: text,
  enter: text,
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
  tone: z.enum(["info", "problem", "done"]),
  title: text,
  paragraphs: z.array(text).min(1),
});

export const localeTexts = z.strictObject({
  language: z.strictObject({ tag: text, name: text, dir: z.enum(["ltr", "rtl"]) }),
  waiting: z.strictObject({
    eyebrow: text,
    positionLabel: text,
    checkHint: text,
    keepHint: text,
    claimHint: text,
    messageLabel: text,
    progressLabel: text,
    updated: text,
    check: text,
    leave: z.strictObject({ summary: text, question: text, confirm: text }),
    live,
  }),
  notice: z.strictObject({ code: text, codeWithRequest: text, autoRetry: text }),
  actions: z.record(z.string(), text),
  notices: z.record(z.string(), noticeTexts),
});

export type LocaleTexts = z.infer<typeof localeTexts>;
export type PluralTexts = z.infer<typeof plural>;
export type EstimateTexts = LocaleTexts["waiting"]["live"]["estimate"];
