import { useState } from "preact/hooks";
import type { AdminAnswers } from "../../../operate/client/index.ts";
import { take } from "../../../operate/console/api/api.ts";
import { useRequest, useSubmission } from "../../../operate/console/api/requests.ts";
import { useConsole } from "../../../operate/console/frame/console.ts";
import { texts as frameTexts } from "../../../operate/console/frame/texts.ts";
import { ProblemNote } from "../../../operate/console/parts/elements.tsx";
import { ListTable } from "../../../operate/console/parts/list-table.tsx";
import { type Attempt, AttemptNote } from "./attempt-note.tsx";
import { texts } from "./texts.ts";

type Letter = AdminAnswers["DeadLetter"];

const limit = 50;

/** Events that were given up, page by page. */
export function DeadLetters({ id }: { readonly id: string }) {
  const { api, nowMs, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  /** Where each page that was turned begins, the present one last. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const [said, setSaid] = useState("");
  const cursor = cursors[cursors.length - 1];
  const request = useRequest(
    () => {
      const query = { limit, ...(cursor !== undefined && { cursor }) };
      return take(api.ask.GET("/admin/webhooks/{webhook}/dead-letters", { params: { path: { webhook: id }, query } }));
    },
    { of: [cursor ?? ""] },
  );
  const letters = request.answer?.dead_letters ?? [];
  const next = request.answer?.next_cursor ?? null;

  const replay = (letter: string) =>
    take(
      api.ask.POST("/admin/webhooks/{webhook}/dead-letters/{letter}/replay", {
        params: { path: { webhook: id, letter } },
      }),
    );
  /** In their order, up to the first that is refused: those behind it would be, too. */
  const replayAll = async (shown: readonly Letter[]) => {
    setAttempt(null);
    setSaid("");
    await submit(async () => {
      let accepted = 0;
      try {
        for (const { id: letter } of shown) {
          const told = await replay(letter);
          setAttempt(told);
          if (!told.delivered) break;
          accepted += 1;
          setSaid(speech.text(texts.letters.replayed, { n: accepted, all: shown.length }));
        }
      } finally {
        await request.reload();
      }
      return accepted;
    });
  };
  const columns = [
    {
      key: "type",
      title: speech.text(texts.letters.event),
      cell: ({ event }: Letter) => <code>{wordOf(event.type)}</code>,
    },
    {
      key: "of",
      title: speech.text(texts.letters.subject),
      cell: ({ event }: Letter) => <span dir="auto">{wordOf(event.subject)}</span>,
    },
    {
      key: "at",
      title: speech.text(texts.letters.givenUp),
      cell: ({ given_up_at: at }: Letter) => speech.time(Date.parse(at), nowMs),
    },
    {
      key: "why",
      title: speech.text(texts.letters.reason),
      cell: ({ reason, attempts }: Letter) => (
        <>
          <span dir="auto">{reason}</span>
          <p class="hint">{speech.text(texts.letters.attempts, { n: attempts })}</p>
        </>
      ),
    },
    {
      key: "replay",
      title: speech.text(frameTexts.list.actions),
      cell: (letter: Letter) => (
        <div class="row">
          <button type="button" disabled={isBusy} onClick={() => void replayAll([letter])}>
            {speech.text(texts.letters.replay)}
            <span class="unseen"> {letter.id}</span>
          </button>
        </div>
      ),
    },
  ];
  return (
    <section class="detail" aria-labelledby="letters-title">
      <h2 id="letters-title">{speech.text(texts.letters.title)}</h2>
      <p class="hint">{speech.text(texts.letters.what)}</p>
      {request.problem && <ProblemNote problem={request.problem} speech={speech} />}
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {attempt && <AttemptNote attempt={attempt} />}
      <p role="status">{said}</p>
      {letters.length > 0 && (
        <button type="button" disabled={isBusy} onClick={() => void replayAll(letters)}>
          {speech.text(texts.letters.replayAll, { n: letters.length })}
        </button>
      )}
      {request.answer && (
        <ListTable
          id="letters"
          label={speech.text(texts.letters.title)}
          rows={letters}
          columns={columns}
          empty={speech.text(next === null && cursors.length === 0 ? texts.letters.none : texts.letters.noneOnPage)}
          keyOf={({ id: letter }) => letter}
          wordsOf={({ event, reason }) => [wordOf(event.type), wordOf(event.subject), reason]}
        />
      )}
      <div class="row">
        {cursors.length > 0 && (
          <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
            {speech.text(texts.letters.previousPage)}
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => setCursors([...cursors, next])}>
            {speech.text(texts.letters.nextPage)}
          </button>
        )}
      </div>
    </section>
  );
}

function wordOf(member: unknown): string {
  return typeof member === "string" ? member : "–";
}
