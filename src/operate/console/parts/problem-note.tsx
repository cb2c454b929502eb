import type { Problem } from "../api/api.ts";
import type { Speech } from "../texts/texts.ts";

/** What went wrong, in the words of the gateway. */
export function ProblemNote({ problem, speech }: { readonly problem: Problem; readonly speech: Speech }) {
  const { status, text, answer, isForeign = false } = problem;
  // What the gateway says of it is for programs, and nothing went wrong.
  if (answer?.error === "approval_required") return <p role="status">{speech.text("approval.asked")}</p>;
  const said = isForeign ? "problem.foreign" : status === 0 ? "problem.unreachable" : "problem.status";
  const unsaid = speech.text(said, { status });
  return (
    <div class="problem" role="alert">
      <strong>{speech.text("problem")}</strong> <span dir="auto">{text ?? unsaid}</span>
    </div>
  );
}
