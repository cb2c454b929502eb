import { useConsole } from "../context.ts";
import { texts as frameTexts } from "../texts/frame.ts";
import type { Actions } from "./use-actions.ts";

/** What was just done, and for ten seconds the way back. */
export function RecentBar({ actions: { recent, isBusy, undoRecent } }: { readonly actions: Actions }) {
  const { elapsedMs, speech } = useConsole();
  const leftMs = (recent?.undoUntilMs ?? 0) - elapsedMs;
  return (
    <div class="recent">
      <span role="status">
        {recent?.text}
        {recent?.done.warnings?.map((warning) => (
          <span class="warned" key={warning} dir="auto">
            {warning}
          </span>
        ))}
      </span>
      {leftMs > 0 && (
        <button type="button" disabled={isBusy} onClick={undoRecent}>
          {speech.text(frameTexts.undo)} <span aria-hidden="true">({Math.ceil(leftMs / 1_000)})</span>
        </button>
      )}
    </div>
  );
}
