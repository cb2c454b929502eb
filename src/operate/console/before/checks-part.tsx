import type { AdminAnswers } from "../../client/index.ts";
import { take } from "../api/api.ts";
import { useConsole } from "../context.ts";
import { ProblemNote } from "../parts/problem-note.tsx";
import { mayDo } from "../parts/roles.ts";
import type { Asked } from "../parts/use-asked.ts";
import { useAsking } from "../parts/use-asking.ts";
import { texts } from "./texts.ts";

interface ChecksPartProps {
  readonly room: string;
  readonly checks: Asked<AdminAnswers["Checks"]>;
}

/** Has the gateway look at the room from outside, and shows all that the last look found. */
export function ChecksPart({ room, checks }: ChecksPartProps) {
  const { api, nowMs, principal, speech } = useConsole();
  const asking = useAsking();
  const { running = null, last = null } = checks.answer ?? {};
  const begin = async () => {
    await asking.ask(() => take(api.ask.POST("/admin/rooms/{room}/checks", { params: { path: { room } }, body: {} })));
    await checks.again();
  };
  return (
    <section class="control" aria-labelledby="checks-title">
      <h2 id="checks-title">{speech.text(texts.checks.title)}</h2>
      <p>{speech.text(texts.checks.what)}</p>
      {mayDo(principal.role, "operator") && (
        <button type="button" disabled={running !== null || asking.isBusy} onClick={() => void begin()}>
          {speech.text(texts.checks.run)}
        </button>
      )}
      <p role="status">{running && speech.text(texts.checks.running, { who: running.by.name ?? running.by.id })}</p>
      {asking.problem && <ProblemNote problem={asking.problem} speech={speech} />}
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
