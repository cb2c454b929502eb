import type { AdminAnswers } from "../../../operate/client/index.ts";
import { useConsole } from "../../../operate/console/frame/console.ts";
import { texts } from "./texts.ts";

export type Attempt = AdminAnswers["DeliveryAttempt"];

/** What the receiver answered: its words are text. */
export function AttemptNote({ attempt }: { readonly attempt: Attempt }) {
  const { speech } = useConsole();
  const { delivered, status, answer, reason, duration_ms: ms } = attempt;
  return (
    <div class={delivered ? "good-note" : "problem"} role="status">
      <p>
        <strong>{speech.text(delivered ? texts.attempt.accepted : texts.attempt.refused)}</strong>{" "}
        {status !== null && speech.text(texts.attempt.status, { status: String(status) })}{" "}
        {speech.text(texts.attempt.duration, { ms: Math.round(ms) })}
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
