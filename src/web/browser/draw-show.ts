/** What a page shows of the draw of its place: before, while it is held, and of what came of it. Pure functions. */
import type { Chance } from "../../room/public-status/pacing.ts";
import type { DrawJson } from "../../room/public-status/status.ts";
import { fillText, type TakingPartTexts, takingPartText } from "../pages/shared/wording.ts";

export interface DrawTexts extends TakingPartTexts {
  readonly due: string;
  readonly soon: string;
}

/** The time to the draw is told from so long before it on. */
const tellsFromMs = 600_000;
/** A page that has heard nothing for longer was asleep: the draw was held without it. */
const freshMs = 90_000;
/** Of the numbers that are shown one after the other, before the one that was drawn. */
const steps = 12;
const firstStepMs = 70;
const slowdown = 1.12;

/**
 * How many take part, and the time until the draw, each in a line of its own; "" for what is not known. The number is fixed with the
 * last entry; from then on nobody is added to it.
 *
 * @param nowMs the server's clock
 */
export function describeDraw(
  texts: DrawTexts,
  format: { number(value: number): string; span(ms: number): string },
  draw: DrawJson | null,
  nowMs: number,
): string {
  const people = takingPartText(texts, format.number, draw);
  const leftMs = Date.parse(draw?.due_at ?? "") - nowMs;
  if (!(leftMs < tellsFromMs)) return people;
  // A step of the clock is no moment to name: seconds are counted to their end.
  const seconds = Math.ceil(leftMs / 1_000);
  const time = seconds > 0 ? fillText(texts.due, { span: format.span(seconds * 1_000) }) : texts.soon;
  return `${people}\n${time}`.trim();
}

/** The sentence around its number, which stands alone. @param text with `{n}` */
export function splitAtNumber(text: string): [before: string, after: string] {
  const at = text.indexOf("{n}");
  return [text.slice(0, at).trim(), text.slice(at + 3).trim()];
}

/** Whether the visitor can have seen, at that page, that the draw was being held. Times are the server's: a page's own clock may stand still while it sleeps. */
export function isWitness(lastHeardMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - lastHeardMs) < freshMs;
}

/** Numbers to show one after the other, ever more slowly, each for so many milliseconds; then comes the one that was drawn. */
export function rollTo(entries: number, chance: Chance): (readonly [shown: number, forMs: number])[] {
  if (entries < 2) return [];
  return Array.from({ length: steps }, (_, step) => [
    1 + Math.floor(chance() * entries),
    Math.round(firstStepMs * slowdown ** step),
  ]);
}
