import { useState } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import { type Confirmation, confirmationOf, type Step, step } from "../../parts/actions.tsx";
import { ConfirmDialog } from "../../parts/elements.tsx";
import { texts } from "../texts.ts";
import { type PhaseStep, phaseSteps, questionOf } from "./questions.ts";
import type { ToolProps } from "./tool-props.ts";

/** What the gateway itself asks about, and says whether it takes two people. */
const confirmed: readonly Step[] = ["passthrough", "end", "reset"];
const phaseAfter = {
  prequeue: "prequeue",
  open: "open",
  idle: "idle",
  passthrough: "passthrough",
  end: "ended",
} as const;

interface Question {
  readonly name: PhaseStep;
  /** Null where the gateway asks for none. */
  readonly confirmation: Confirmation | null;
}

/** Other phases. Each is asked about first: it stops or opens the line. */
export function Phases({ room, figures, settings, actions }: ToolProps) {
  const { api, speech } = useConsole();
  const [question, setQuestion] = useState<Question | null>(null);
  const isThere = (name: PhaseStep) => name !== "reset" && phaseAfter[name] === figures.base_phase;

  const go = async (name: PhaseStep, confirm?: string) => {
    setQuestion(null);
    const act = () => step(api, room, name, confirm);
    const answer = await actions.carryOut(speech.text(texts.done[name]), act, name !== "reset");
    const confirmation = typeof answer === "object" ? confirmationOf(answer) : null;
    if (confirmation !== null) setQuestion({ name, confirmation });
  };
  const ask = (name: PhaseStep) =>
    confirmed.includes(name) ? void go(name) : setQuestion({ name, confirmation: null });

  return (
    <>
      <ul class="steps">
        {phaseSteps
          .filter((name) => !isThere(name))
          .map((name) => (
            <li key={name}>
              <button
                type="button"
                class={confirmed.includes(name) ? "danger" : undefined}
                disabled={actions.isBusy}
                onClick={() => ask(name)}
              >
                {speech.text(texts.steps[name])}
              </button>
            </li>
          ))}
      </ul>
      {question && (
        <ConfirmDialog
          title={speech.text(texts.steps[question.name])}
          would={questionOf(question.name, figures, settings, speech)}
          takesTwo={question.confirmation?.takesTwo === true}
          typed={question.name === "reset" ? room : null}
          onConfirm={() => void go(question.name, question.confirmation?.confirm)}
          onCancel={() => setQuestion(null)}
        />
      )}
    </>
  );
}
