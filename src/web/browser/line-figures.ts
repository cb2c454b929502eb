/** How the scripts say what they know about a line. */
import type { LiveTexts } from "../pages/shared/live.ts";
import { attempt, createWording, estimateText } from "../pages/shared/wording.ts";

/** The locale's sentences about a line, in the page's language. */
export function createLineWording(texts: LiveTexts, language: string) {
  const wording = createWording(language);
  return {
    number: wording.number,
    people: (ahead: number, isAtMost: boolean) =>
      ahead === 0 ? texts.aheadNone : wording.plural((isAtMost && texts.aheadAtMost) || texts.ahead, ahead),
    estimate: (wait: [number, number] | null) => estimateText(texts.estimate, wording, wait),
    /** Steps of five seconds, then of whole minutes: true, and calm to look at. */
    age(seconds: number): string {
      const [value, unit] =
        seconds < 60
          ? ([-5 * Math.floor(seconds / 5), "second"] as const)
          : ([-Math.floor(seconds / 60), "minute"] as const);
      return attempt(
        () => new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(value, unit),
        `${value} ${unit}`,
      );
    },
  };
}
