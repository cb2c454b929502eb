import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Problem } from "../../api/api.ts";
import { useConsole } from "../../frame/console.ts";
import { texts as frameTexts } from "../../frame/texts.ts";
import { ProblemNote } from "../elements.tsx";
import { faultsElsewhere, faultsOf } from "./faults.ts";

interface FormFrameProps {
  readonly label: string;
  readonly go: string;
  readonly isBusy: boolean;
  readonly mayGo?: boolean;
  readonly problem: Problem | null;
  /** Of the entries: what is wrong with these is said at them. */
  readonly paths: readonly string[];
  readonly children: ComponentChildren;
  onGo(): void;
  onCancel(): void;
}

/** A form that is sent as a whole. What was refused keeps what was entered, and leads to the first entry that is wrong. */
export function FormFrame(props: FormFrameProps) {
  const { label, go, isBusy, mayGo = true, problem, paths, children, onGo, onCancel } = props;
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
        if (mayGo && !isBusy) onGo();
      }}
    >
      {problem && <FormProblem problem={problem} paths={paths} />}
      {children}
      <div class="row">
        <button type="submit" disabled={!mayGo || isBusy}>
          {go}
        </button>
        <button type="button" class="quiet" onClick={onCancel}>
          {speech.text(frameTexts.cancel)}
        </button>
      </div>
    </form>
  );
}

/** What is said at the entries is not said twice. */
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
