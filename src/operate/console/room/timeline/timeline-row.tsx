import type { Role } from "../../api/api.ts";
import { mayDo, useConsole } from "../../frame/console.ts";
import { texts as frameTexts } from "../../frame/texts.ts";
import type { Actions } from "../../parts/actions.tsx";
import { undoRow } from "../../parts/actions.tsx";
import type { Entry, Row } from "./entries.ts";
import { entryInWords } from "./words.ts";

/** The way back takes the role that its request takes: the message is the box office's, all else in a room the operator's. */
function mayUndo({ inverse, error }: Row, role: Role): boolean {
  if (inverse === null || error !== null) return false;
  const isOfMessage = inverse.method === "PATCH" && Object.keys(inverse.body ?? {}).every((name) => name === "message");
  return mayDo(role, isOfMessage ? "box_office" : "operator");
}

interface TimelineRowProps {
  readonly entry: Entry;
  readonly actions: Actions;
}

/** When, who, what, and the way back. */
export function TimelineRow({ entry, actions }: TimelineRowProps) {
  const { api, nowMs, speech, principal } = useConsole();
  const { who, what, detail, refusal } = entryInWords(entry, speech);
  const undo = (row: number) =>
    actions.carryOut(speech.text(frameTexts.undone), async () => {
      await undoRow(api, row);
      return { requestIds: [] };
    });
  const row = entry.kind === "act" ? entry.row : null;

  return (
    <li class={refusal !== null ? "refused" : entry.kind}>
      <time dateTime={new Date(entry.atMs).toISOString()}>{speech.clock(entry.atMs, nowMs)}</time>{" "}
      <strong dir="auto">{who}</strong> <span class="act">{what}</span> <span dir="auto">{detail}</span>
      {refusal !== null && <span> {refusal}</span>}
      {row !== null && mayUndo(row, principal.role) && (
        <button type="button" class="quiet small" disabled={actions.isBusy} onClick={() => void undo(row.seq)}>
          {speech.text(frameTexts.undo)}
          <span class="unseen">
            {" "}
            {what} {row.seq}
          </span>
        </button>
      )}
    </li>
  );
}
