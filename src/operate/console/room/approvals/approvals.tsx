import { useState } from "preact/hooks";
import type { AdminAnswers } from "../../../client/index.ts";
import { type Asked, approve, askedBy, decline } from "../../actions/actions.ts";
import type { Actions } from "../../actions/use-actions.ts";
import { take } from "../../api/api.ts";
import { useConsole } from "../../context.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useAsked } from "../../parts/use-asked.ts";
import { texts as frameTexts } from "../../texts/frame.ts";
import { texts as roomTexts } from "../texts.ts";

type Approval = AdminAnswers["Approval"];

interface ApprovalsProps {
  readonly room: string;
  /** The steps that wait, as the stream of figures tells them: whenever it tells others, they are asked for anew. */
  readonly waiting: readonly string[];
  readonly actions: Actions;
}

const readAgainMs = 5_000;

/** Steps that wait for the word of a second person: who asked, what it means now, and the two answers. */
export function Approvals({ room, waiting, actions }: ApprovalsProps) {
  const { api, speech } = useConsole();
  const [asked, setAsked] = useState<(Asked & { readonly of: Approval }) | null>(null);
  const question = () => take(api.ask.GET("/admin/rooms/{room}/approvals", { params: { path: { room } } }));
  const told = useAsked(question, { of: [room, waiting.join(), actions.count], everyMs: readAgainMs });

  const agree = async (approval: Approval, confirm?: string) => {
    setAsked(null);
    const act = () => approve(api, room, approval.id, confirm);
    const answer = await actions.carryOut(speech.text(roomTexts.done[approval.step]), act);
    const again = typeof answer === "object" && askedBy(answer);
    if (again) setAsked({ ...again, of: approval });
  };
  const refuse = ({ id, own }: Approval) =>
    actions.carryOut(speech.text(own ? roomTexts.approvals.withdrawn : roomTexts.approvals.declined), () =>
      decline(api, room, id),
    );

  return (
    <section class="approvals" aria-labelledby="approvals-title">
      <h2 id="approvals-title">{speech.text(roomTexts.approvals.title)}</h2>
      {told.problem && <ProblemNote problem={told.problem} speech={speech} />}
      <ul>
        {(told.answer?.approvals ?? []).map((approval) => (
          <li key={approval.id}>
            <AskedFor approval={approval} />
            <div class="row">
              {!approval.own && (
                <button type="button" class="danger" disabled={actions.isBusy} onClick={() => void agree(approval)}>
                  {speech.text(roomTexts.approvals.approve)}{" "}
                  <span class="unseen">{speech.text(roomTexts.steps[approval.step])}</span>
                </button>
              )}
              <button type="button" disabled={actions.isBusy} onClick={() => void refuse(approval)}>
                {speech.text(approval.own ? roomTexts.approvals.withdraw : roomTexts.approvals.decline)}{" "}
                <span class="unseen">{speech.text(roomTexts.steps[approval.step])}</span>
              </button>
            </div>
          </li>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          title={speech.text(roomTexts.steps[asked.of.step])}
          would={asked.would}
          typed={asked.of.step === "reset" ? room : null}
          onConfirm={() => void agree(asked.of, asked.confirm)}
          onCancel={() => setAsked(null)}
        />
      )}
    </section>
  );
}

/** `Reset, asked for by key desk, until 11:42. 120 people would lose their places.` */
function AskedFor({ approval }: { readonly approval: Approval }) {
  const { nowMs, speech } = useConsole();
  const { step, would, own, asked_by: by, expires_at: until } = approval;
  const name = by.kind === "key" ? speech.text(frameTexts.key, { id: by.id }) : (by.name ?? by.id);
  return (
    <p>
      <strong>{speech.text(roomTexts.steps[step])}</strong>:{" "}
      <bdi>
        {own ? speech.text(roomTexts.approvals.requestedByYou) : speech.text(roomTexts.approvals.requestedBy, { name })}
      </bdi>
      {until !== null && ` ${speech.text(roomTexts.approvals.until, { time: speech.time(Date.parse(until), nowMs) })}`}
      {would !== null && <span dir="auto"> {would}.</span>}
    </p>
  );
}
