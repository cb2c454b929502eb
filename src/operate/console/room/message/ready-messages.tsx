import { useConsole } from "../../frame/console.ts";
import { type Draft, fromReady, type RoomPages } from "./draft.ts";
import { texts } from "./texts.ts";

/** Messages that need not be written: each becomes the draft, to be changed or shown. */
export function ReadyMessages({
  pages,
  draft,
  onDraft,
}: {
  readonly pages: RoomPages;
  readonly draft: Draft;
  onDraft(draft: Draft): void;
}) {
  const { speech } = useConsole();
  return (
    <fieldset class="field">
      <legend>{speech.text(texts.ready)}</legend>
      <div class="row">
        {pages.messages.map((ready) => (
          <button type="button" class="quiet" key={ready.id} onClick={() => onDraft(fromReady(ready, draft, pages))}>
            {speech.text(texts.readyMessages[ready.id])}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
