import { undoRow } from "../../actions/actions.ts";
import type { Actions } from "../../actions/use-actions.ts";
import type { Role } from "../../api/api.ts";
import { useConsole } from "../../context.ts";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { mayDo } from "../../parts/roles.ts";
import { actInWords, changesInWords } from "./changes.ts";
import type { Audit, Row } from "./use-audit.ts";

interface TimelineProps {
  readonly audit: Audit;
  readonly actions: Actions;
}

/** The way back takes the role that its request takes: the message is the box office's, all else in a room the operator's. */
function mayUndo({ inverse, error }: Row, role: Role): boolean {
  if (inverse === null || error !== null) return false;
  const isOfMessage = inverse.method === "PATCH" && Object.keys(inverse.body ?? {}).every((name) => name === "message");
  return mayDo(role, isOfMessage ? "box_office" : "operator");
}

/** Who did what here, the latest first, and the way back. */
export function Timeline({ audit: { rows, problem }, actions }: TimelineProps) {
  const { api, nowMs, speech, principal } = useConsole();
  const undo = (row: number) =>
    actions.carryOut(speech.text("undone"), async () => {
      await undoRow(api, row);
      return { requestIds: [] };
    });

  return (
    <section class="timeline" aria-labelledby="timeline-title">
      <h2 id="timeline-title">{speech.text("timeline")}</h2>
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {rows?.length === 0 && <p>{speech.text("timeline.none")}</p>}
      <ol>
        {rows?.map((row) => (
          <li key={row.seq} class={row.error === null ? "" : "refused"}>
            <time dateTime={row.at}>{speech.time(Date.parse(row.at), nowMs)}</time>{" "}
            <strong dir="auto">{row.principal?.name ?? row.principal?.id ?? speech.text("timeline.stranger")}</strong>{" "}
            <span class="act">{actInWords(row, speech)}</span> <span dir="auto">{changesInWords(row.changes)}</span>
            {row.error !== null && <span> {speech.text("timeline.refused", { code: row.error })}</span>}
            {mayUndo(row, principal.role) && (
              <button type="button" class="quiet small" disabled={actions.isBusy} onClick={() => void undo(row.seq)}>
                {speech.text("undo")}
                <span class="unseen">
                  {" "}
                  {actInWords(row, speech)} {row.seq}
                </span>
              </button>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
