/** The page of a held visitor: it repeats the claim, and shows what holds the visitor. */

import { createClaim } from "./claim.ts";
import type { HeldPlace } from "./entry.ts";
import type { LiveTexts } from "./line-figures.ts";
import { say } from "./page-parts.ts";

export interface HeldPage {
  isHeld(): boolean;
  ahead(): number;
  /** How many ready visitors enter first. */
  showAhead(ahead: number): void;
  /** The visitor is let in. */
  admit(): void;
}

/** @param data of the page's main element */
export function createHeldPlace(data: DOMStringMap, texts: LiveTexts, page: HeldPage): HeldPlace {
  const claim = createClaim(data.claimUrl ?? "");

  /** What holds the visitor. The words are said aloud when they are others. */
  function tell(by: string, first: number): void {
    const wordsOf = () =>
      texts.status[page.ahead() > 0 ? "behind" : data.heldBy === "capacity" ? "full" : "held"] ?? "";
    const before = wordsOf();
    data.heldBy = by;
    page.showAhead(first);
    const words = wordsOf();
    if (words === before) return;
    say("status", words);
    say("milestone", words);
  }

  return {
    isHeld: page.isHeld,
    async claim() {
      const answer = await claim();
      if (answer.result === "admitted") page.admit();
      else if (answer.result === "held" && page.isHeld()) tell(answer.by, answer.ahead);
      return answer;
    },
  };
}
