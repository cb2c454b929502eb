import { useState } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import { type Confirmation, confirmationOf, type Step, step } from "../../parts/actions.tsx";
import { ConfirmDialog } from "../../parts/elements.tsx";
import { texts } from "../texts.ts";
import type { ControlProps } from "./control-props.ts";

const steps = ["prequeue", "open", "idle", "passthrough", "end", "reset"] as const;
/** What the gateway asks about first. */
const dangerous: readonly Step[] = ["passthrough", "end", "reset"];
const phaseAfter = {
  prequeue: "prequeue",
  open: "open",
  idle: "idle",
  passthrough: "passthrough",
  end: "ended",
} as const;

/** Other phases. The gateway asks for a confirmation of steps that nobody who waits can undo. */
export function PhaseControl({ room, figures, actions }: ControlProps) {
  const { api, speech } = useConsole();
  const [question, setQuestion] = useState<(Confirmation & { readonly name: Step }) | null>(null);
  const isThere = (name: (typeof steps)[number]) => name !== "reset" && phaseAfter[name] === figures.base_phase;

  const go = async (name: Step, confirm?: string) => {
    setQuestion(null);
    const act = () => step(api, room, name, confirm);
    const answer = await actions.carryOut(speech.text(texts.done[name]), act, name !== "reset");
    const confirmation = typeof answer === "object" && confirmationOf(answer);
    if (confirmation) setQuestion({ ...confirmation, name });
  };

  return (
    <details class="control">
      <summary>{speech.text(texts.phases)}</summary>
      <div class="row">
        {steps
          .filter((name) => !isThere(name))
          .map((name) => (
            <button
              type="button"
              key={name}
              class={dangerous.includes(name) ? "danger" : undefined}
              disabled={actions.isBusy}
              onClick={() => void go(name)}
            >
              {speech.text(texts.steps[name])}
            </button>
          ))}
      </div>
      {question && (
        <ConfirmDialog
          title={speech.text(texts.steps[question.name])}
          would={question.would}
          typed={question.name === "reset" ? room : null}
          onConfirm={() => void go(question.name, question.confirm)}
          onCancel={() => setQuestion(null)}
        />
      )}
    </details>
  );
}
