import { useState } from "preact/hooks";
import type { AdminAnswers } from "../../client/index.ts";
import { take } from "../api/api.ts";
import { useRequest, useSubmission } from "../api/requests.ts";
import { mayDo, useConsole } from "../frame/console.ts";
import type { Actions } from "../parts/actions.tsx";
import { restoreEntries, voidEntries } from "../parts/actions.tsx";
import { ConfirmDialog, ProblemNote } from "../parts/elements.tsx";
import { type Column, ListTable } from "../parts/list-table.tsx";
import { texts as entriesTexts } from "./entries-texts.ts";

type Block = AdminAnswers["EntryBlock"];

const everyMs = 10_000;
/** Rows of each kind: those with the most entries. */
const rowsMax = 10;

/** Who has very many entries of the draw, as far as addresses tell; and what was voided of them. */
export function Entries({
  room,
  isTaking,
  actions,
}: {
  readonly room: string;
  /** While entries are taken they can be voided, and given back. */
  readonly isTaking: boolean;
  readonly actions: Actions;
}) {
  const { api, principal, speech } = useConsole();
  const [counted, setCounted] = useState<AdminAnswers["EntryBlocks"] | null>(null);
  const [reason, setReason] = useState("");
  const [question, setQuestion] = useState<Block | null>(null);
  const submission = useSubmission();
  const params = { path: { room } };
  const mayVoid = isTaking && mayDo(principal.role, "operator");
  const voids = useRequest(() => take(api.ask.GET("/admin/rooms/{room}/draw/voids", { params })), {
    of: [room, actions.count, String(isTaking)],
    everyMs,
  });
  const said = reason.trim();

  const count = async () => {
    const options = { params: { ...params, query: { limit: rowsMax } } };
    const answer = await submission.submit(() => take(api.ask.GET("/admin/rooms/{room}/draw/blocks", options)));
    if (answer !== null) setCounted(answer);
  };
  const voidBlock = async ({ block }: Block) => {
    setQuestion(null);
    const done = await actions.carryOut(
      speech.text(entriesTexts.voidDone),
      () => voidEntries(api, room, block, said),
      true,
    );
    if (done === "done") void count();
  };
  const restore = async (reference: string) => {
    const act = () => restoreEntries(api, room, reference);
    const done = await actions.carryOut(speech.text(entriesTexts.restoreDone), act);
    if (done === "done" && counted !== null) void count();
  };

  const columns: readonly Column<Block>[] = [
    { title: entriesTexts.block, cell: ({ block }) => <code>{block}</code> },
    { title: entriesTexts.entries, cell: ({ entries }) => speech.number(entries) },
    { title: entriesTexts.share, cell: ({ share }) => percent(share) },
    {
      title: entriesTexts.void,
      cell: (row) =>
        row.voided.length > 0 ? (
          <span class="tag">{speech.text(entriesTexts.voided)}</span>
        ) : (
          mayVoid && (
            <button
              type="button"
              class="small"
              disabled={said === "" || actions.isBusy}
              title={said === "" ? speech.text(entriesTexts.reasonFirst) : undefined}
              onClick={() => setQuestion(row)}
            >
              {speech.text(entriesTexts.void)} <span class="unseen">{row.block}</span>
            </button>
          )
        ),
    },
  ];
  const table = (id: "networks" | "addresses", rows: readonly Block[]) => (
    <>
      <h3>{speech.text(entriesTexts.tables[id])}</h3>
      <ListTable
        id={`entries-${id}`}
        label={speech.text(entriesTexts.tables[id])}
        rows={rows}
        columns={columns}
        empty={speech.text(entriesTexts.none)}
        keyOf={({ block }) => block}
        wordsOf={({ block }) => [block]}
      />
    </>
  );

  const voided = voids.answer?.voids ?? [];
  if (!isTaking && voided.length === 0) return null;
  return (
    <section class="entries" aria-labelledby="entries-title">
      <h2 id="entries-title">{speech.text(entriesTexts.title)}</h2>
      {submission.problem && <ProblemNote problem={submission.problem} speech={speech} />}
      {voids.problem && <ProblemNote problem={voids.problem} speech={speech} />}
      {isTaking && (
        <>
          <p class="marks">{speech.text(entriesTexts.hint)}</p>
          <button type="button" disabled={submission.isBusy} onClick={() => void count()}>
            {speech.text(counted === null ? entriesTexts.count : entriesTexts.countAgain)}
          </button>
        </>
      )}
      {isTaking && counted !== null && (
        <>
          <p role="status">{speech.text(entriesTexts.counted, { n: counted.entries, known: counted.known })}</p>
          {mayVoid && (
            <div class="field">
              <label for="entries-reason">{speech.text(entriesTexts.reason)}</label>
              <input
                id="entries-reason"
                maxLength={200}
                dir="auto"
                autocomplete="off"
                value={reason}
                onInput={(event) => setReason(event.currentTarget.value)}
              />
            </div>
          )}
          {table("networks", counted.networks)}
          {table("addresses", counted.addresses)}
        </>
      )}
      {voided.length > 0 && <h3>{speech.text(entriesTexts.voids)}</h3>}
      <ul>
        {voided.map(({ reference, entries, reason: because, restored_at }) => (
          <li key={reference}>
            <p dir="auto">{speech.text(entriesTexts.voidLine, { reference, n: entries, reason: because })}</p>
            {restored_at !== null && <span class="tag">{speech.text(entriesTexts.restored)}</span>}
            {restored_at === null && mayVoid && (
              <button type="button" class="small" disabled={actions.isBusy} onClick={() => void restore(reference)}>
                {speech.text(entriesTexts.restore)} <span class="unseen">{reference}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {question && (
        <ConfirmDialog
          title={speech.text(entriesTexts.voidTitle)}
          would={speech.text(entriesTexts.warning, {
            n: question.entries,
            share: percent(question.share),
            block: question.block,
            reason: said,
          })}
          typed={null}
          onConfirm={() => void voidBlock(question)}
          onCancel={() => setQuestion(null)}
        />
      )}
    </section>
  );

  function percent(share: number): string {
    return new Intl.NumberFormat(speech.tag, { style: "percent", maximumFractionDigits: 1 }).format(share);
  }
}
