import { useEffect, useState } from "preact/hooks";
import { mayDo, useConsole } from "../../frame/console.ts";
import { change, step } from "../../parts/actions.tsx";
import { type Draft, isSame, readDraft, type Severity, severities, withText, writeDraft } from "../message/draft.ts";
import { Languages } from "../message/languages.tsx";
import { MessagePreview } from "../message/message-preview.tsx";
import { ReadyMessages } from "../message/ready-messages.tsx";
import { texts as messageTexts } from "../message/texts.ts";
import { texts } from "../texts.ts";
import { useRoomPages } from "../use-room-pages.ts";
import type { ToolProps } from "./tool-props.ts";

/** What a message may have, in characters. */
const lengthMax = 500;

/** What stands on every page of the room: in several languages, and seen on a phone before it is shown. */
export function Message({ room, figures, settings, actions }: ToolProps) {
  const { api, principal, speech } = useConsole();
  const pages = useRoomPages(room, JSON.stringify(settings?.message ?? null));
  const inForce = readDraft(settings?.message);
  /** Null while it is what is in force. */
  const [written, setWritten] = useState<Draft | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const draft = written ?? inForce;
  const isChanged = !isSame(draft, inForce);
  const text = draft.texts.find(({ language }) => language === chosen) ?? draft.texts[0];
  const language = text?.language ?? null;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isChanged) setOpen(true);
  }, [isChanged]);

  const message = writeDraft(draft);
  const mayPause =
    mayDo(principal.role, "operator") && figures.phase !== "ended" && !figures.holds.includes("operator");

  const show = async (shown: typeof message, doneText: string, pauses = false) => {
    // The words first: visitors read why nothing moves. The way back takes both.
    const act = async () => {
      const changed = await change(api, room, { message: shown });
      if (!pauses) return changed;
      const paused = await step(api, room, "pause");
      return { requestIds: [...changed.requestIds, ...paused.requestIds] };
    };
    if ((await actions.carryOut(doneText, act, true)) === "done") setWritten(null);
  };

  return (
    <div class="message-tool">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (message !== null) void show(message, speech.text(texts.done.message));
        }}
      >
        {pages && <ReadyMessages pages={pages} draft={draft} onDraft={setWritten} />}
        {pages && (
          <Languages pages={pages} draft={draft} language={language} onDraft={setWritten} onLanguage={setChosen} />
        )}
        <label for="control-message">{speech.text(messageTexts.title)}</label>
        <textarea
          id="control-message"
          dir="auto"
          lang={language ?? undefined}
          rows={3}
          maxLength={lengthMax}
          value={text?.text ?? ""}
          onInput={(event) => setWritten(withText(draft, language, event.currentTarget.value))}
        />
        <label for="control-message-severity">{speech.text(messageTexts.severity)}</label>
        <select
          id="control-message-severity"
          value={draft.severity}
          onChange={(event) => setWritten({ ...draft, severity: event.currentTarget.value as Severity })}
        >
          {severities.map((severity) => (
            <option key={severity} value={severity}>
              {speech.text(messageTexts.severities[severity])}
            </option>
          ))}
        </select>
        <div class="row">
          <button type="submit" disabled={message === null || !isChanged || actions.isBusy}>
            {speech.text(messageTexts.show)}
          </button>
          {mayPause && (
            <button
              type="button"
              class="danger"
              disabled={message === null || !isChanged || actions.isBusy}
              onClick={() => void show(message, speech.text(texts.done.pause), true)}
            >
              {speech.text(messageTexts.showAndPause)}
            </button>
          )}
          {isChanged && (
            <button type="button" class="quiet" onClick={() => setWritten(null)}>
              {speech.text(messageTexts.discard)}
            </button>
          )}
          {writeDraft(inForce) !== null && (
            <button
              type="button"
              disabled={actions.isBusy}
              onClick={() => void show(null, speech.text(texts.done.messageWithdrawn))}
            >
              {speech.text(messageTexts.withdraw)}
            </button>
          )}
        </div>
      </form>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{speech.text(messageTexts.preview)}</summary>
        {isOpen && pages && <MessagePreview room={room} pages={pages} draft={draft} written={language} />}
      </details>
    </div>
  );
}
