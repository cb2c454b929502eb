import { useState } from "preact/hooks";
import { type Problem, send } from "../api/api.ts";
import { useSubmission } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { ConfirmDialog } from "../parts/elements.tsx";
import type { RecordKind, RecordStep } from "./record.ts";
import { type NewSecret, OverlapForm } from "./secrets.tsx";

/** What somebody does with a record at present. */
export interface Steps<Row> {
  readonly isBusy: boolean;
  /** Of the last step, where no form shows it. */
  readonly problem: Problem | null;
  /** The step that was begun, and asks for something first. */
  readonly current: { readonly step: RecordStep<Row>; readonly row: Row } | null;
  /** The answer to the last step that has one to show. */
  readonly result: { readonly step: RecordStep<Row>; readonly answer: unknown } | null;
  begin(step: RecordStep<Row>, row: Row): void;
  end(): void;
  /** The form or the question of the current step; null for none. An edit is up to the caller. */
  readonly form: preact.JSX.Element | null;
  readonly dialog: preact.JSX.Element | null;
}

export function useSteps<Row, Page>(
  kind: RecordKind<Row, Page>,
  {
    onDone,
    onSecret,
  }: {
    /** After each step; `isRemoved` after the last one of a record. */
    onDone(isRemoved: boolean): Promise<void>;
    onSecret(secret: NewSecret): void;
  },
): Steps<Row> {
  const context = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const [current, setCurrent] = useState<Steps<Row>["current"]>(null);
  const [result, setResult] = useState<Steps<Row>["result"]>(null);
  const end = () => setCurrent(null);
  const paramsOf = (row: Row) => ({ [kind.parameter]: kind.idOf(row) });

  const carryOut = async (step: RecordStep<Row>, row: Row) => {
    if (step.does !== "request") return;
    end();
    setResult(null);
    const request = { ...step.request(row, context), params: paramsOf(row) };
    const answer = await submit(() => send<Readonly<Record<string, unknown>>>(context.api, request));
    if (answer !== null && step.Result !== undefined) setResult({ step, answer });
    else await onDone(answer !== null && step.isLast === true);
  };
  const renew = async (step: RecordStep<Row>, row: Row, overlap: string) => {
    if (step.does !== "newSecret") return;
    const request = { method: "POST", path: step.path, params: paramsOf(row), body: { overlap } } as const;
    const answer = await submit(() => send<Readonly<Record<string, unknown>>>(context.api, request));
    if (answer === null) return;
    end();
    const secret = newSecretOf(kind, kind.idOf(row), answer, context);
    if (secret !== null) onSecret(secret);
    await onDone(false);
  };

  const { step, row } = current ?? {};
  const isRenewing = step?.does === "newSecret" && row !== undefined;
  const question = step?.does === "request" && row !== undefined ? step.question?.(row, context) : undefined;
  return {
    isBusy,
    problem: isRenewing ? null : problem,
    current,
    result,
    begin(next, of) {
      if (next.does === "request" && next.question === undefined) void carryOut(next, of);
      else setCurrent({ step: next, row: of });
    },
    end,
    form: isRenewing ? (
      <OverlapForm
        id={`${kind.name}-overlap`}
        isBusy={isBusy}
        problem={problem}
        onSubmit={(overlap) => void renew(step, row, overlap)}
        onCancel={end}
      />
    ) : null,
    dialog:
      question && step && row !== undefined ? (
        <ConfirmDialog
          {...question}
          onConfirm={() => void carryOut(step, row)}
          // The dialog reports that it closes, also when the step is carried out.
          onCancel={() => setCurrent((now) => (now?.step === step ? null : now))}
        />
      ) : null,
  };
}

/** The secret in an answer; null where it has none. */
export function newSecretOf<Row, Page>(
  { secret: declared }: RecordKind<Row, Page>,
  id: string,
  answer: Readonly<Record<string, unknown>>,
  context: ReturnType<typeof useConsole>,
): NewSecret | null {
  const secret = declared?.of(answer);
  if (declared === undefined || secret === undefined) return null;
  return { id, secret, label: declared.label(id, context), note: declared.note(answer, context) };
}

interface StepButtonsProps<Row> {
  readonly steps: Steps<Row>;
  readonly offered: readonly RecordStep<Row>[];
  readonly row: Row;
  /** Whose they are, for readers of the screen, where several records stand side by side. */
  readonly subject?: string;
}

export function StepButtons<Row>({ steps, offered, row, subject }: StepButtonsProps<Row>) {
  const { speech } = useConsole();
  return (
    <>
      {offered
        .filter((step) => step.isFor?.(row) ?? true)
        .map((step) => (
          <button
            type="button"
            key={step.name}
            class={step.does === "request" && step.isDangerous ? "danger" : undefined}
            disabled={step.does === "request" && steps.isBusy}
            onClick={() => steps.begin(step, row)}
          >
            {speech.text(step.label)}
            {subject !== undefined && <span class="unseen"> {subject}</span>}
          </button>
        ))}
    </>
  );
}
