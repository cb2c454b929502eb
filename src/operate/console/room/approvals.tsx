import { useState } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import { take } from "../api/api.ts";
import { useRequest } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import type { Actions } from "../parts/actions.tsx";
import { approve, type Confirmation, confirmationOf, decline } from "../parts/actions.tsx";
import { ConfirmDialog, ProblemNote } from "../parts/elements.tsx";
import { texts as roomTexts } from "./texts.ts";

type Approval = AdminAnswers["Approval"];

const everyMs = 5_000;

/** Steps that wait for the word of a second person: who asked, what it means now, and the two answers. */
export function Approvals({
  room,
  waiting,
  actions,
}: {
  readonly room: string;
  /** The steps that wait, as the stream of figures tells them: whenever it tells others, they are asked for anew. */
  readonly waiting: readonly string[];
  readonly actions: Actions;
}) {
  const { api, speech } = useConsole();
  const [question, setQuestion] = useState<(Confirmation & { readonly of: Approval }) | null>(null);
  const send = () => take(api.ask.GET("/admin/rooms/{room}/approvals", { params: { path: { room } } }));
  const request = useRequest(send, { of: [room, waiting.join(), actions.count], everyMs });

  const agree = async (approval: Approval, confirm?: string) => {
    setQuestion(null);
    const act = () => approve(api, room, approval.id, confirm);
    const answer = await actions.carryOut(speech.text(roomTexts.done[approval.step]), act);
    const confirmation = typeof answer === "object" && confirmationOf(answer);
    if (confirmation) setQuestion({ ...confirmation, of: approval });
  };
  const refuse = ({ id, own }: Approval) =>
    actions.carryOut(speech.text(own ? roomTexts.approvals.withdrawn : roomTexts.approvals.declined), () =>
      decline(api, room, id),
    );

  return (
    <section class="approvals" aria-labelledby="approvals-title">
      <h2 id="approvals-title">{speech.text(roomTexts.approvals.title)}</h2>
      {request.problem && <ProblemNote problem={request.problem} speech={speech} />}
      <ul>
        {(request.answer?.approvals ?? []).map((approval) => (
          <li key={approval.id}>
            <RequestedStep approval={approval} />
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
      {question && (
        <ConfirmDialog
          title={speech.text(roomTexts.steps[question.of.step])}
          would={question.would}
          typed={question.of.step === "reset" ? room : null}
          onConfirm={() => void agree(question.of, question.confirm)}
          onCancel={() => setQuestion(null)}
        />
      )}
    </section>
  );
}

/** `Reset, asked for by key desk, until 11:42. 120 people would lose their places.` */
function RequestedStep({ approval }: { readonly approval: Approval }) {
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
