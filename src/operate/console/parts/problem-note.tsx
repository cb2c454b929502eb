import type { Problem } from "../api/api.ts";
import { texts as frameTexts } from "../texts/frame.ts";
import type { Speech } from "../texts/speech.ts";

/** What went wrong, in the words of the gateway. */
export function ProblemNote({ problem, speech }: { readonly problem: Problem; readonly speech: Speech }) {
  const { status, text, answer, isForeign = false } = problem;
  // What the gateway says of it is for programs, and nothing went wrong.
  if (answer?.error === "approval_required") return <p role="status">{speech.text(frameTexts.awaitsApproval)}</p>;
  const said = isForeign ? "foreign" : status === 0 ? "unreachable" : "status";
  const unsaid = speech.text(frameTexts.problem[said], { status });
  return (
    <div class="problem" role="alert">
      <strong>{speech.text(frameTexts.problem.title)}</strong> <span dir="auto">{text ?? unsaid}</span>
    </div>
  );
}
