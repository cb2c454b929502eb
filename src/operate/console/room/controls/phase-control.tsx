import { useState } from "preact/hooks";
import { type Asked, askedBy, type Step, step } from "../../actions/actions.ts";
import { useConsole } from "../../context.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
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

/** Other phases. What cannot be taken back for those who wait is asked about first, by the gateway. */
export function PhaseControl({ room, figures, actions }: ControlProps) {
  const { api, speech } = useConsole();
  const [asked, setAsked] = useState<(Asked & { readonly name: Step }) | null>(null);
  const isThere = (name: (typeof steps)[number]) => name !== "reset" && phaseAfter[name] === figures.base_phase;

  const go = async (name: Step, confirm?: string) => {
    setAsked(null);
    const act = () => step(api, room, name, confirm);
    const answer = await actions.carryOut(speech.text(texts.done[name]), act, name !== "reset");
    const question = typeof answer === "object" && askedBy(answer);
    if (question) setAsked({ ...question, name });
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
      {asked && (
        <ConfirmDialog
          title={speech.text(texts.steps[asked.name])}
          would={asked.would}
          typed={asked.name === "reset" ? room : null}
          onConfirm={() => void go(asked.name, asked.confirm)}
          onCancel={() => setAsked(null)}
        />
      )}
    </details>
  );
}
