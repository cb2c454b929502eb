import { useState } from "preact/hooks";
import type { AdminAnswers } from "../../../operate/client/index.ts";
import { ProblemError } from "../../../operate/console/api/api.ts";
import { useSubmission } from "../../../operate/console/api/requests.ts";
import { useConsole } from "../../../operate/console/frame/console.ts";
import { type Confirmation, change, confirmationOf, step } from "../../../operate/console/parts/actions.tsx";
import { ConfirmDialog, ProblemNote } from "../../../operate/console/parts/elements.tsx";
import { Differences } from "./differences.tsx";
import { changeFor, liveSettings } from "./give-back.ts";
import { texts } from "./texts.ts";

const steps = ["reset", "idle", "settings"] as const;

/** A new line, a room that waits, and the file's settings but for those that are kept: three requests, which go on where one of them failed. */
export function NextSale({ details, reload }: { readonly details: AdminAnswers["Room"]; reload(): Promise<void> }) {
  const { api, speech } = useConsole();
  const { room } = details;
  const submission = useSubmission();
  const [retained, setRetained] = useState<readonly string[]>([]);
  const [times, setTimes] = useState({ opensAt: "", prequeueAt: "" });
  const [done, setDone] = useState(0);
  const [question, setQuestion] = useState<Confirmation | null>(null);
  /** The edition in which a second person was asked for the reset; another one means that it was carried out. */
  const [approvalEdition, setApprovalEdition] = useState<number | null>(null);
  const live = liveSettings(details);
  const isOver = done === steps.length;

  const carryOut = async (name: (typeof steps)[number], confirm: string | undefined) => {
    if (name === "reset") return step(api, room, "reset", confirm);
    if (name === "idle") return step(api, room, "idle");
    const body = changeFor(live, retained, times);
    return Object.keys(body).length > 0 ? change(api, room, body) : null;
  };
  /** @param confirm of the reset */
  const go = async (confirm?: string) => {
    setQuestion(null);
    await submission.submit(async () => {
      const isApproved = done === 0 && approvalEdition !== null && details.edition !== approvalEdition;
      setApprovalEdition(null);
      const first = isApproved ? 1 : isOver ? 0 : done;
      setDone(first);
      for (const [index, name] of steps.entries()) {
        if (index < first) continue;
        const confirmation = await carryOut(name, confirm).then(
          () => null,
          (error: unknown) => {
            const problem = error instanceof ProblemError ? error.problem : null;
            if (problem?.answer?.error === "approval_required") setApprovalEdition(details.edition);
            const question = problem && confirmationOf(problem);
            if (question === null) throw error;
            return question;
          },
        );
        if (confirmation !== null) return setQuestion(confirmation);
        setDone(index + 1);
      }
    });
    await reload();
  };

  return (
    <section class="control" aria-labelledby="next-title">
      <h2 id="next-title">{speech.text(texts.prepare.title)}</h2>
      <p>{speech.text(texts.prepare.what)}</p>
      <Differences live={live} retained={retained} onRetained={setRetained} />
      <div class="row">
        <label>
          {speech.text(texts.prepare.prequeueAt)}
          <input
            type="datetime-local"
            value={times.prequeueAt}
            onInput={(event) => setTimes({ ...times, prequeueAt: event.currentTarget.value })}
          />
        </label>
        <label>
          {speech.text(texts.prepare.opensAt)}
          <input
            type="datetime-local"
            value={times.opensAt}
            onInput={(event) => setTimes({ ...times, opensAt: event.currentTarget.value })}
          />
        </label>
      </div>
      <p class="marks">{speech.text(texts.prepare.zone)}</p>
      <button type="button" class="danger" disabled={submission.isBusy} onClick={() => void go()}>
        {speech.text(done > 0 && !isOver ? texts.prepare.continue : texts.prepare.start)}
      </button>
      <div role="status">
        {done > 0 && (
          <ol class="findings">
            {steps.map((name, index) => (
              <li key={name}>
                {speech.text(texts.prepare.steps[name])}:{" "}
                {speech.text(index < done ? texts.prepare.done : texts.prepare.notDone)}
              </li>
            ))}
          </ol>
        )}
      </div>
      {submission.problem && <ProblemNote problem={submission.problem} speech={speech} />}
      {question && (
        <ConfirmDialog
          title={speech.text(texts.prepare.start)}
          would={question.would}
          takesTwo={question.takesTwo}
          typed={room}
          onConfirm={() => void go(question.confirm)}
          onCancel={() => setQuestion(null)}
        />
      )}
    </section>
  );
}
