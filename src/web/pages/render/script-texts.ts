/** Which script a waiting page has, and which texts that says. */
import type { Locale } from "../locales/locale.ts";
import { withoutRepeatedForms } from "../locales/texts.ts";
import type { LiveTexts } from "../shared/live.ts";
import type { WaitingView } from "../types.ts";

/**
 * What the page can come to without being loaded anew: the build makes a script for each. `entry`: the doors are closed yet.
 * `held`: the line has come to the visitor, who is held back.
 */
export type ScriptKind = "usual" | "entry" | "held";

/** What the script of a page goes by. */
export interface ScriptNeeds {
  readonly kind: ScriptKind;
  readonly isUndrawn: boolean;
  readonly isSoldOut: boolean;
  /** Whether the people ahead may be a bound. */
  readonly isAtMost: boolean;
}

export function kindOf({ state, draw }: WaitingView): ScriptKind {
  return draw === "undrawn" || state === "entered" || state === "drawing"
    ? "entry"
    : state === "held"
      ? "held"
      : "usual";
}

export function scriptNeedsOf(view: WaitingView): ScriptNeeds {
  const isUndrawn = view.draw === "undrawn";
  const isAtMost = view.serving === null && !isUndrawn;
  return { kind: kindOf(view), isUndrawn, isSoldOut: view.state === "sold_out", isAtMost };
}

/** Without what only the page itself says, when it comes while the store is away, and what this one never comes to say. */
export function textsForScript(
  { kind, isUndrawn, isSoldOut, isAtMost }: ScriptNeeds,
  { texts: all }: Pick<Locale, "texts">,
): LiveTexts {
  const { live, draw } = all.waiting;
  const atMost = isAtMost ? {} : { aheadAtMost: undefined };
  const ofDraw = isUndrawn ? {} : { drawing: undefined };
  const ofDoors = kind === "entry" ? {} : { entered: undefined, opens: undefined };
  const ofTurn = kind === "held" ? {} : { held: undefined, full: undefined, behind: undefined };
  const texts = {
    ...live,
    ...atMost,
    drawn: isUndrawn ? live.drawn : undefined,
    doors: kind === "entry" ? live.doors : undefined,
    labels: {
      place: live.labels.place,
      entry: isUndrawn ? draw.number : kind === "entry" ? live.labels.entry : undefined,
    },
    titles: {
      ...live.titles,
      ...atMost,
      ...ofTurn,
      ...ofDraw,
      ...ofDoors,
      ...(isSoldOut && { sold_out: all.message.sold_out }),
    },
    // They come later: see words.ts.
    pausedReasons: undefined,
    paceNotes: undefined,
    ...(isSoldOut && { autoHint: "" }),
    estimate: { ...live.estimate, paused: undefined },
    problem: { ...live.problem, store_away: undefined, recovering: undefined },
    status: {
      ...live.status,
      idle: undefined,
      ended: undefined,
      ...ofTurn,
      ...ofDraw,
      ...ofDoors,
      store_away: undefined,
      recovering: undefined,
    },
  };
  return withoutRepeatedForms(texts) as unknown as LiveTexts;
}
