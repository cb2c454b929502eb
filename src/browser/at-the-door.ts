/** What the page does at the door, where its visitor is held back: it knocks, and tells what is in the way. */
import type { Door } from "./entry.ts";
import { createKnock } from "./knock.ts";
import type { LiveTexts } from "./line-figures.ts";
import { say } from "./page-parts.ts";

export interface HeldPage {
  isHeld(): boolean;
  ahead(): number;
  /** How many others at the door go in first. */
  showAhead(ahead: number): void;
  /** The visitor is let in. */
  admit(): void;
}

/** @param data of the page's main element */
export function createDoor(data: DOMStringMap, texts: LiveTexts, page: HeldPage): Door {
  const knock = createKnock(data.knockUrl ?? "");

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
    async knock() {
      const answer = await knock();
      if (answer.result === "admitted") page.admit();
      else if (answer.result === "held" && page.isHeld()) tell(answer.by, answer.ahead);
      return answer;
    },
  };
}
