/** What is asked before a step that stops or opens a line: what would happen, and to how many people. Pure functions. */
import type { Figures } from "../../frame/live.ts";
import type { Localized, Speech } from "../../frame/speech.ts";
import { texts } from "../texts.ts";
import type { Settings } from "../use-details.ts";

/** The steps between phases, in the order in which a sale takes them. */
export const phaseSteps = ["prequeue", "open", "idle", "passthrough", "end", "reset"] as const;
export type PhaseStep = (typeof phaseSteps)[number];

/** `soldOut`: the stock falls to 0. */
type Asked = PhaseStep | "soldOut";
type Known = Pick<Figures, "waiting" | "draw">;

/** @param settings null before they are known */
export function questionOf(asked: Asked, { waiting, draw }: Known, settings: Settings | null, speech: Speech): string {
  const people = speech.text(waiting === 1 ? texts.people.one : texts.people.many, { n: waiting });
  return speech.text(wordsOf(asked, draw, settings), { people });
}

function wordsOf(asked: Asked, draw: Figures["draw"], settings: Settings | null): Localized {
  const { questions } = texts;
  if (asked === "soldOut") return settings?.stock?.returns === false ? questions.soldOutEnds : questions.soldOutHolds;
  if (asked === "idle" && settings?.when_idle === "pass_through") return questions.passthrough;
  const isDrawn = draw?.stage === "committed" || draw?.stage === "closing";
  return asked === "open" && isDrawn ? questions.openDraws : questions[asked];
}
