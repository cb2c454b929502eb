import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Problem } from "../api/api.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ProblemNote } from "../parts/elements.tsx";
import { Control, isGroup } from "./control.tsx";
import { faultsElsewhere, faultsOf } from "./draft.ts";
import type { Field } from "./field.ts";

interface FormFrameProps {
  readonly label: string;
  readonly submitLabel: string;
  readonly isBusy: boolean;
  readonly canSubmit?: boolean;
  readonly problem: Problem | null;
  /** Of the fields: what is wrong with these is said at them. */
  readonly paths: readonly string[];
  readonly children: ComponentChildren;
  onSubmit(): void;
  onCancel(): void;
}

/** A form that is sent as a whole. A refused form keeps what was entered, and moves the focus to the first field that is wrong. */
export function FormFrame(props: FormFrameProps) {
  const { label, submitLabel, isBusy, canSubmit = true, problem, paths, children, onSubmit, onCancel } = props;
  const { speech } = useConsole();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const faulty = form.current?.querySelector('[aria-invalid="true"], [data-faulty="true"]');
    if (!(faulty instanceof HTMLElement)) return;
    const details = faulty.closest("details");
    if (details !== null) details.open = true;
    faulty.focus();
  }, [problem]);

  return (
    <form
      class="form"
      ref={form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (canSubmit && !isBusy) onSubmit();
      }}
    >
      {problem && <FormProblem problem={problem} paths={paths} />}
      {children}
      <div class="row">
        <button type="submit" disabled={!canSubmit || isBusy}>
          {submitLabel}
        </button>
        <button type="button" class="quiet" onClick={onCancel}>
          {speech.text(frameTexts.cancel)}
        </button>
      </div>
    </form>
  );
}

/** What is said at the fields is not repeated. */
function FormProblem({ problem, paths }: Pick<FormFrameProps, "paths"> & { readonly problem: Problem }) {
  const { speech } = useConsole();
  const faults = faultsOf(problem);
  if (faults.length === 0) return <ProblemNote problem={problem} speech={speech} />;
  const elsewhere = faultsElsewhere(faults, paths);
  return (
    <div class="problem" role="alert">
      <strong>{speech.text(frameTexts.form.faults, { n: faults.length })}</strong>
      {elsewhere.length > 0 && (
        <ul>
          {elsewhere.map(({ path, message }) => (
            <li key={path} dir="auto">
              {path === "" ? message : `${path}: ${message}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A field with its label, what to enter, and what is wrong with what was entered. */
export function LabelledField({
  field,
  id,
  label,
  hint,
  text,
  errors,
  onText,
}: {
  readonly field: Field;
  readonly id: string;
  readonly label: string;
  readonly hint: string | null;
  readonly text: string;
  /** What is wrong with it. */
  readonly errors: readonly string[];
  onText(text: string): void;
}) {
  const isFaulty = errors.length > 0;
  const describedBy = [hint !== null && `${id}-hint`, isFaulty && `${id}-errors`].filter(Boolean).join(" ");
  const hintNote = hint !== null && (
    <p class="hint" id={`${id}-hint`}>
      {hint}
    </p>
  );
  const control = (
    <Control
      field={field}
      id={id}
      text={text}
      zone="UTC"
      isFaulty={isFaulty}
      describedBy={describedBy}
      onText={onText}
    />
  );
  const errorList = isFaulty && (
    <ul class="field-errors" id={`${id}-errors`}>
      {errors.map((error) => (
        <li key={error} dir="auto">
          {error}
        </li>
      ))}
    </ul>
  );
  if (isGroup(field)) {
    return (
      <fieldset class="field" id={id} tabIndex={-1} aria-describedby={describedBy || undefined} data-faulty={isFaulty}>
        <legend>{label}</legend>
        {hintNote}
        {control}
        {errorList}
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hintNote}
      {control}
      {errorList}
    </div>
  );
}
