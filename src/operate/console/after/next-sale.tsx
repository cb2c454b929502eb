import { useState } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import { type Asked, askedBy, change, step } from "../actions/actions.ts";
import { ProblemError } from "../api/api.ts";
import { useConsole } from "../context.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { ProblemNote } from "../parts/problem-note.tsx";
import { useAsking } from "../parts/use-asking.ts";
import { Differences } from "./differences.tsx";
import { changeFor, liveSettings } from "./give-back.ts";
import { texts } from "./texts.ts";

interface NextSaleProps {
  readonly known: AdminAnswers["Room"];
  again(): Promise<void>;
}

const steps = ["reset", "idle", "settings"] as const;

/** A new line, a room that waits, and the file's settings but for those that are kept: three requests, which go on where one of them failed. */
export function NextSale({ known, again }: NextSaleProps) {
  const { api, speech } = useConsole();
  const { room } = known;
  const asking = useAsking();
  const [kept, setKept] = useState<readonly string[]>([]);
  const [times, setTimes] = useState({ opensAt: "", prequeueAt: "" });
  const [done, setDone] = useState(0);
  const [question, setQuestion] = useState<Asked | null>(null);
  /** The edition in which a second person was asked for the reset; another one means that it was carried out. */
  const [askedIn, setAskedIn] = useState<number | null>(null);
  const live = liveSettings(known);
  const isOver = done === steps.length;

  const carryOut = async (name: (typeof steps)[number], confirm: string | undefined) => {
    if (name === "reset") return step(api, room, "reset", confirm);
    if (name === "idle") return step(api, room, "idle");
    const body = changeFor(live, kept, times);
    return Object.keys(body).length > 0 ? change(api, room, body) : null;
  };
  /** @param confirm of the reset */
  const go = async (confirm?: string) => {
    setQuestion(null);
    await asking.ask(async () => {
      const isApproved = done === 0 && askedIn !== null && known.edition !== askedIn;
      setAskedIn(null);
      const first = isApproved ? 1 : isOver ? 0 : done;
      setDone(first);
      for (const [index, name] of steps.entries()) {
        if (index < first) continue;
        const asked = await carryOut(name, confirm).then(
          () => null,
          (error: unknown) => {
            const problem = error instanceof ProblemError ? error.problem : null;
            if (problem?.answer?.error === "approval_required") setAskedIn(known.edition);
            const question = problem && askedBy(problem);
            if (question === null) throw error;
            return question;
          },
        );
        if (asked !== null) return setQuestion(asked);
        setDone(index + 1);
      }
    });
    await again();
  };

  return (
    <section class="control" aria-labelledby="next-title">
      <h2 id="next-title">{speech.text(texts.prepare.title)}</h2>
      <p>{speech.text(texts.prepare.what)}</p>
      <Differences live={live} kept={kept} onKept={setKept} />
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
      <button type="button" class="danger" disabled={asking.isBusy} onClick={() => void go()}>
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
      {asking.problem && <ProblemNote problem={asking.problem} speech={speech} />}
      {question && (
        <ConfirmDialog
          title={speech.text(texts.prepare.start)}
          would={question.would}
          typed={room}
          onConfirm={() => void go(question.confirm)}
          onCancel={() => setQuestion(null)}
        />
      )}
    </section>
  );
}
