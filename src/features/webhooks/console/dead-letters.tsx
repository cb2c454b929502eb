import { useState } from "preact/hooks";
import type { AdminAnswers } from "../../../operate/client/index.ts";
import { take } from "../../../operate/console/api/api.ts";
import { useRequest, useSubmission } from "../../../operate/console/api/requests.ts";
import { useConsole } from "../../../operate/console/frame/console.ts";
import type { LocalizedTexts } from "../../../operate/console/frame/speech.ts";
import { texts as frameTexts } from "../../../operate/console/frame/texts.ts";
import { ProblemNote } from "../../../operate/console/parts/elements.tsx";
import { ListTable } from "../../../operate/console/parts/list-table.tsx";

const texts = {
  title: { en: "Dead letters", de: "Unzustellbare Ereignisse" },
  what: {
    en: "Events that the receiver refused for 24 hours, by room and oldest first. Sent again, one that is accepted is gone from here.",
    de: "Ereignisse, die der Empfänger 24 Stunden lang abgelehnt hat, nach Raum und das älteste zuerst. Wird eines beim erneuten Senden angenommen, verschwindet es hier.",
  },
  none: { en: "None: nothing was given up.", de: "Keine: Nichts wurde aufgegeben." },
  noneOnPage: { en: "None on this page.", de: "Keine auf dieser Seite." },
  replayAll: { en: "Send these {n} again", de: "Diese {n} noch einmal senden" },
  replayed: { en: "{n} of {all} accepted.", de: "{n} von {all} angenommen." },
  previousPage: { en: "The page before", de: "Vorige Seite" },
  nextPage: { en: "The next page", de: "Nächste Seite" },
  event: { en: "Event", de: "Ereignis" },
  subject: { en: "Of", de: "Von" },
  givenUp: { en: "Given up", de: "Aufgegeben" },
  reason: { en: "Why", de: "Warum" },
  attempts: { en: "attempts: {n}", de: "Versuche: {n}" },
  replay: { en: "Send again", de: "Noch einmal senden" },
} satisfies LocalizedTexts;

const attemptTexts = {
  accepted: { en: "The receiver accepted it.", de: "Der Empfänger hat es angenommen." },
  refused: { en: "It did not arrive.", de: "Es ist nicht angekommen." },
  status: { en: "It answered with the status {status}.", de: "Er hat mit dem Status {status} geantwortet." },
  duration: { en: "It took {ms} ms.", de: "Es hat {ms} ms gedauert." },
} satisfies LocalizedTexts;

type Letter = AdminAnswers["DeadLetter"];

const limit = 50;

/** Events that Usher gave up delivering, page by page. */
export function DeadLetters({ id }: { readonly id: string }) {
  const { api, nowMs, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  /** Where the pages begin that were turned to, the present one last. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const [progress, setProgress] = useState("");
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
  /** In their order, up to the first that is refused: the receiver would refuse those after it, too. */
  const replayAll = async (listed: readonly Letter[]) => {
    setAttempt(null);
    setProgress("");
    await submit(async () => {
      let accepted = 0;
      try {
        for (const { id: letter } of listed) {
          const result = await replay(letter);
          setAttempt(result);
          if (!result.delivered) break;
          accepted += 1;
          setProgress(speech.text(texts.replayed, { n: accepted, all: listed.length }));
        }
      } finally {
        await request.reload();
      }
      return accepted;
    });
  };
  const columns = [
    {
      title: texts.event,
      cell: ({ event }: Letter) => <code>{wordOf(event.type)}</code>,
    },
    {
      title: texts.subject,
      cell: ({ event }: Letter) => <span dir="auto">{wordOf(event.subject)}</span>,
    },
    {
      title: texts.givenUp,
      cell: ({ given_up_at: at }: Letter) => speech.time(Date.parse(at), nowMs),
    },
    {
      title: texts.reason,
      cell: ({ reason, attempts }: Letter) => (
        <>
          <span dir="auto">{reason}</span>
          <p class="hint">{speech.text(texts.attempts, { n: attempts })}</p>
        </>
      ),
    },
    {
      title: frameTexts.list.actions,
      cell: (letter: Letter) => (
        <div class="row">
          <button type="button" disabled={isBusy} onClick={() => void replayAll([letter])}>
            {speech.text(texts.replay)}
            <span class="unseen"> {letter.id}</span>
          </button>
        </div>
      ),
    },
  ];
  return (
    <section class="detail" aria-labelledby="letters-title">
      <h2 id="letters-title">{speech.text(texts.title)}</h2>
      <p class="hint">{speech.text(texts.what)}</p>
      {request.problem && <ProblemNote problem={request.problem} speech={speech} />}
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {attempt && <AttemptNote attempt={attempt} />}
      <p role="status">{progress}</p>
      {letters.length > 0 && (
        <button type="button" disabled={isBusy} onClick={() => void replayAll(letters)}>
          {speech.text(texts.replayAll, { n: letters.length })}
        </button>
      )}
      {request.answer && (
        <ListTable
          id="letters"
          label={speech.text(texts.title)}
          rows={letters}
          columns={columns}
          empty={speech.text(next === null && cursors.length === 0 ? texts.none : texts.noneOnPage)}
          keyOf={({ id: letter }) => letter}
          wordsOf={({ event, reason }) => [wordOf(event.type), wordOf(event.subject), reason]}
        />
      )}
      <div class="row">
        {cursors.length > 0 && (
          <button type="button" onClick={() => setCursors(cursors.slice(0, -1))}>
            {speech.text(texts.previousPage)}
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => setCursors([...cursors, next])}>
            {speech.text(texts.nextPage)}
          </button>
        )}
      </div>
    </section>
  );
}

function wordOf(member: unknown): string {
  return typeof member === "string" ? member : "–";
}

export type Attempt = AdminAnswers["DeliveryAttempt"];

/** What the receiver answered to an event, as text. */
export function AttemptNote({ attempt }: { readonly attempt: Attempt }) {
  const { speech } = useConsole();
  const { delivered, status, answer, reason, duration_ms: ms } = attempt;
  return (
    <div class={delivered ? "good-note" : "problem"} role="status">
      <p>
        <strong>{speech.text(delivered ? attemptTexts.accepted : attemptTexts.refused)}</strong>{" "}
        {status !== null && speech.text(attemptTexts.status, { status: String(status) })}{" "}
        {speech.text(attemptTexts.duration, { ms: Math.round(ms) })}
      </p>
      {reason !== null && <p dir="auto">{reason}</p>}
      {answer !== "" && (
        <pre dir="auto" class="answer">
          {answer}
        </pre>
      )}
    </div>
  );
}
