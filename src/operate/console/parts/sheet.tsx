import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";

/**
 * What a tile opens: at the bottom of a phone, in the middle of a desk. What is written in it stays while it is closed. It closes by its button,
 * by Escape, and by a press beside it.
 */
export function Sheet({
  id,
  title,
  field,
  opened,
  onClose,
  children,
}: {
  readonly id: string;
  readonly title: string;
  /** The id of the field that a keyboard begins at; without one, the first control. */
  readonly field?: string;
  /** Which opening this is, from 1 on; 0: it is closed. */
  readonly opened: number;
  onClose(): void;
  readonly children: ComponentChildren;
}) {
  const { speech } = useConsole();
  const dialog = useRef<HTMLDialogElement>(null);
  // At once, so that a sheet that is opened again right after Escape is open before the browser tells that it was closed.
  useLayoutEffect(() => {
    if (opened === 0) return dialog.current?.close();
    if (dialog.current?.open === false) dialog.current.showModal();
    // On a touch screen the keyboard would cover what there is to choose.
    if (field !== undefined && !matchMedia("(pointer: coarse)").matches) document.getElementById(field)?.focus();
  }, [opened]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      id={id}
      class="sheet"
      aria-labelledby={`${id}-title`}
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div class="sheet-body">
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
        <button type="button" class="quiet sheet-close" onClick={onClose}>
          {speech.text(frameTexts.close)}
        </button>
      </div>
    </dialog>
  );
}
