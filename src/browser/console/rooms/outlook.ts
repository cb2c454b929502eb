/** What is said of when the line ends, and of what comes next. */
import type { Figures } from "../live/live-figures.ts";
import type { Speech } from "../texts/texts.ts";

type Ends = Pick<Figures, "line_ends_at" | "waiting">;

/** `about 11:42 ± 6 min`. */
export function endInWords({ line_ends_at: ends, waiting }: Ends, speech: Speech, nowMs: number): string {
  if (waiting === 0) return speech.text("ends.nobody");
  if (ends === null) return speech.text("ends.unknown");
  if (ends.low === null) return speech.text("ends.never");
  const lowMs = Date.parse(ends.low);
  if (ends.high === null) return speech.text("ends.earliest", { time: speech.time(lowMs, nowMs) });
  const highMs = Date.parse(ends.high);
  const time = speech.time((lowMs + highMs) / 2, nowMs);
  const minutes = Math.round((highMs - lowMs) / 120_000);
  return minutes === 0 ? speech.text("ends.exactly", { time }) : speech.text("ends.about", { time, minutes });
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
  if (next === undefined) return speech.text("next.none");
  const { name, atMs } = next;
  return speech.text(`next.${name}`, { time: speech.time(atMs, nowMs), age: speech.age(atMs - nowMs) });
}
