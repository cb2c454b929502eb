import { useEffect, useRef, useState } from "preact/hooks";
import { useConsole } from "../context.ts";
import { texts as frameTexts } from "../texts/frame.ts";

interface ConfirmDialogProps {
  readonly title: string;
  /** What would happen, as the gateway says it. */
  readonly would: string;
  /** What has to be typed first; null for nothing. */
  readonly typed: string | null;
  onConfirm(): void;
  onCancel(): void;
}

/** A question before a dangerous step. It begins at the way out. */
export function ConfirmDialog({ title, would, typed, onConfirm, onCancel }: ConfirmDialogProps) {
  const { speech } = useConsole();
  const dialog = useRef<HTMLDialogElement>(null);
  const [written, setWritten] = useState("");
  const mayGoOn = typed === null || written === typed;
  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onCancel={onCancel} onClose={onCancel}>
      <h2 id="confirm-title">{title}</h2>
      <p dir="auto">{would}</p>
      {typed !== null && (
        <label>
          {speech.text(frameTexts.typeToConfirm, { id: typed })}
          <input autocomplete="off" value={written} onInput={(event) => setWritten(event.currentTarget.value)} />
        </label>
      )}
      <div class="row">
        <button type="button" onClick={onCancel}>
          {speech.text(frameTexts.cancel)}
        </button>
        <button type="button" class="danger" disabled={!mayGoOn} onClick={onConfirm}>
          {title}
        </button>
      </div>
    </dialog>
  );
}
