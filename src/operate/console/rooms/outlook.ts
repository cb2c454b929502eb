/** What is said of when the line ends, and of what comes next. */
import type { Figures } from "../frame/live.ts";
import type { Speech } from "../frame/speech.ts";
import { texts } from "./texts.ts";

type Ends = Pick<Figures, "line_ends_at" | "waiting">;

/** `11:36–11:48`: a range, as visitors read their wait. */
export function endInWords({ line_ends_at: ends, waiting }: Ends, speech: Speech, nowMs: number): string {
  if (waiting === 0) return speech.text(texts.ends.nobody);
  if (ends === null) return speech.text(texts.ends.unknown);
  if (ends.low === null) return speech.text(texts.ends.never);
  const minute = (time: string, round: (minutes: number) => number) => round(Date.parse(time) / 60_000) * 60_000;
  const from = speech.time(minute(ends.low, Math.floor), nowMs);
  if (ends.high === null) return speech.text(texts.ends.after, { time: from });
  const to = speech.time(minute(ends.high, Math.ceil), nowMs);
  return from === to ? from : speech.text(texts.ends.range, { from, to });
}

type Scheduled = Pick<Figures, "prequeue_at" | "opens_at" | "ends_at">;

/** The next time of the schedule. */
export function nextInWords(figures: Scheduled, speech: Speech, nowMs: number): string {
  const next = (["prequeue_at", "opens_at", "ends_at"] as const)
    .flatMap((name) => {
      const at = figures[name];
      return at === null || Date.parse(at) <= nowMs ? [] : [{ name, atMs: Date.parse(at) }];
    })
    .sort((a, b) => a.atMs - b.atMs)[0];
  if (next === undefined) return speech.text(texts.next.none);
  const { name, atMs } = next;
  return speech.text(texts.next[name], { time: speech.time(atMs, nowMs), age: speech.age(atMs - nowMs) });
}
