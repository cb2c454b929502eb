import type { AdminAnswers } from "../../client/index.ts";
import { take } from "../api/api.ts";
import type { RequestState } from "../api/requests.ts";
import { useSubmission } from "../api/requests.ts";
import { mayDo, useConsole } from "../frame/console.ts";
import { ProblemNote } from "../parts/elements.tsx";
import { texts } from "./texts.ts";

interface ChecksPartProps {
  readonly room: string;
  readonly checks: RequestState<AdminAnswers["Checks"]>;
}

/** Has the gateway look at the room from outside, and shows all that the last look found. */
export function ChecksPart({ room, checks }: ChecksPartProps) {
  const { api, nowMs, principal, speech } = useConsole();
  const submission = useSubmission();
  const { running = null, last = null } = checks.answer ?? {};
  const begin = async () => {
    await submission.submit(() =>
      take(api.ask.POST("/admin/rooms/{room}/checks", { params: { path: { room } }, body: {} })),
    );
    await checks.reload();
  };
  return (
    <section class="control" aria-labelledby="checks-title">
      <h2 id="checks-title">{speech.text(texts.checks.title)}</h2>
      <p>{speech.text(texts.checks.what)}</p>
      {mayDo(principal.role, "operator") && (
        <button type="button" disabled={running !== null || submission.isBusy} onClick={() => void begin()}>
          {speech.text(texts.checks.run)}
        </button>
      )}
      <p role="status">{running && speech.text(texts.checks.running, { who: running.by.name ?? running.by.id })}</p>
      {submission.problem && <ProblemNote problem={submission.problem} speech={speech} />}
      {last && (
        <details>
          <summary>
            {speech.text(texts.checks.last, {
              n: last.findings.length,
              who: last.by.name ?? last.by.id,
              at: speech.time(Date.parse(last.ended_at), nowMs),
            })}
          </summary>
          <ul class="findings">
            {last.findings.map(({ about, status, text }) => (
              <li key={`${about} ${text}`} class={`finding-${status}`}>
                <strong>{speech.text(texts.checks.statuses[status])}</strong> {about}: <span dir="auto">{text}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
