import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "../api/api.ts";
import { useConsole } from "../frame/console.ts";
import type { Speech } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";

/** The heading of a screen. It takes the focus after a link of the console, so that reading begins here. */
export function Title({ text }: { readonly text: string }) {
  const { speech, hasMoved } = useConsole();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (hasMoved) heading.current?.focus();
  }, []);
  useEffect(() => {
    document.title = `${text} · ${speech.text(frameTexts.console)} · Usher`;
  }, [text]);
  return (
    <h1 ref={heading} tabIndex={-1} dir="auto">
      {text}
    </h1>
  );
}

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

/** A question before a dangerous step. It begins at the way out. */
export function ConfirmDialog({
  title,
  would,
  takesTwo = false,
  typed,
  onConfirm,
  onCancel,
}: {
  readonly title: string;
  /** What would happen. */
  readonly would: string;
  /** Whether it then waits for a second person, who approves it. */
  readonly takesTwo?: boolean;
  /** What has to be typed first; null for nothing. */
  readonly typed: string | null;
  onConfirm(): void;
  onCancel(): void;
}) {
  const { speech } = useConsole();
  const dialog = useRef<HTMLDialogElement>(null);
  const [written, setWritten] = useState("");
  const mayGoOn = typed === null || written === typed;
  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog ref={dialog} aria-labelledby="confirm-title" onCancel={onCancel} onClose={onCancel}>
      <h2 id="confirm-title">{title}</h2>
      <p dir="auto">{would}</p>
      {takesTwo && (
        <p>
          <strong>{speech.text(frameTexts.takesTwo)}</strong>
        </p>
      )}
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
          {takesTwo ? speech.text(frameTexts.askSecond) : title}
        </button>
      </div>
    </dialog>
  );
}

/** Something to copy, and to select where the browser does not let the page copy. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const { speech } = useConsole();
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      // The browser forbids it: it can be selected.
      () => setCopied(false),
    );
  return (
    <>
      <div class="row">
        <input readOnly dir="ltr" aria-label={label} value={value} onFocus={(event) => event.currentTarget.select()} />
        {/* Pages without TLS have no clipboard. */}
        {navigator.clipboard !== undefined && (
          <button type="button" onClick={() => void copy()}>
            {speech.text(frameTexts.copy)}
            <span class="unseen"> {label}</span>
          </button>
        )}
      </div>
      <p role="status">{isCopied && speech.text(frameTexts.copied)}</p>
    </>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Option<Value>[];
  onValue(value: Value): void;
}

interface Option<Value extends string = string> {
  readonly value: Value;
  readonly text: string;
  /** The language of the text, where it is not the console's. */
  readonly language?: string;
}

/** One of several, which counts at once: of what is shown, say. */
export function Choice<Value extends string>({ label, value, options, onValue }: ChoiceProps<Value>) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onValue(event.currentTarget.value as Value)}>
        {options.map(({ value: each, text, language }) => (
          <option key={each} value={each} lang={language} dir="auto">
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** One field, and the button that sends it. */
export function LineForm({
  id,
  label,
  go,
  value,
  mayGo,
  hint,
  field,
  children,
  onWritten,
  onGo,
}: {
  /** Of the field: keys lead to it. */
  readonly id: string;
  readonly label: string;
  readonly go: string;
  readonly value: string;
  readonly mayGo: boolean;
  readonly hint?: string;
  /** More of the field's attributes. */
  readonly field?: InputHTMLAttributes<HTMLInputElement>;
  /** More buttons, beside its own. */
  readonly children?: ComponentChildren;
  onWritten(value: string): void;
  onGo(): void;
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (mayGo) onGo();
      }}
    >
      <label for={id}>{label}</label>
      <div class="row">
        <input
          {...field}
          id={id}
          autocomplete="off"
          value={value}
          aria-describedby={hint && `${id}-hint`}
          onInput={(event) => onWritten(event.currentTarget.value)}
        />
        <button type="submit" disabled={!mayGo}>
          {go}
        </button>
        {children}
      </div>
      {hint && (
        <p class="marks" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </form>
  );
}
