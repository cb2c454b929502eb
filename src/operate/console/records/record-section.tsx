import { useState } from "preact/hooks";
import { useRequest } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { ProblemNote } from "../parts/elements.tsx";
import { type Column, ListTable } from "../parts/list-table.tsx";
import { columnsOf, type RecordKind, readPages } from "./record.ts";
import { FormOfRecord } from "./record-form.tsx";
import { type NewSecret, SecretOnce } from "./secrets.tsx";
import { newSecretOf, StepButtons, useSteps } from "./steps.tsx";

interface RecordsProps<Row, Page> {
  readonly kind: RecordKind<Row, Page>;
  /** Of the list. */
  readonly label: string;
  /** The rows that are folded away below the list, and the label of the fold. */
  readonly folded?: { isFolded(row: Row): boolean; label(count: number): string };
}

/** Records of a kind in a section of a screen, with its own heading. */
export function RecordSection<Row, Page>(props: RecordsProps<Row, Page>) {
  const { kind, label } = props;
  const { speech } = useConsole();
  const [isCreating, setCreating] = useState(false);
  const { newRecord, what } = kind.texts;
  return (
    <section aria-labelledby={`${kind.name}-title`}>
      <div class="list-head">
        <h2 id={`${kind.name}-title`}>{label}</h2>
        {newRecord && !isCreating && (
          <button type="button" onClick={() => setCreating(true)}>
            {speech.text(newRecord)}
          </button>
        )}
      </div>
      <p>{speech.text(what)}</p>
      <Records {...props} isCreating={isCreating} onCreated={() => setCreating(false)} />
    </section>
  );
}

interface ListedProps<Row, Page> extends RecordsProps<Row, Page> {
  /** Whether the form of a new one stands above the list. */
  readonly isCreating?: boolean;
  onCreated?(): void;
}

/** A list of records, with what can be done with each in its row. */
export function Records<Row, Page>({ kind, label, folded, isCreating = false, onCreated }: ListedProps<Row, Page>) {
  const context = useConsole();
  const { api, speech } = context;
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const {
    answer: pages,
    problem,
    reload,
  } = useRequest(() => readPages(api, kind), {
    of: [],
    everyMs: kind.everyMs,
  });
  const steps = useSteps(kind, { onDone: reload, onSecret: setSecret });
  const rows = pages?.flatMap((page) => kind.rowsOf(page)) ?? null;
  const foldedRows = rows?.filter((row) => folded?.isFolded(row) === true) ?? [];

  const actions: Column<Row> = {
    title: frameTexts.list.actions,
    cell: (row) =>
      kind.steps.some((step) => step.isFor?.(row) ?? true) && (
        <div class="row">
          <StepButtons steps={steps} offered={kind.steps} row={row} subject={(kind.subjectOf ?? kind.idOf)(row)} />
        </div>
      ),
  };
  const list = (id: string, caption: string, listed: readonly Row[]) => (
    <ListTable
      id={id}
      label={caption}
      rows={listed}
      columns={[...columnsOf(kind, rows ?? []), actions]}
      empty={speech.text(kind.texts.none)}
      keyOf={kind.keyOf ?? kind.idOf}
      wordsOf={(row) => kind.wordsOf(row, context)}
    />
  );
  const { step, row } = steps.current ?? {};
  const stepTitle = step?.does === "newSecret" && row !== undefined && step.title?.(kind.idOf(row), context);
  const foldLabel = folded?.label(foldedRows.length) ?? "";
  return (
    <>
      {problem && <ProblemNote problem={problem} speech={speech} />}
      {steps.problem && <ProblemNote problem={steps.problem} speech={speech} />}
      {secret && <SecretOnce key={secret.secret} secret={secret} onDone={() => setSecret(null)} />}
      {isCreating && kind.form && (
        <FormOfRecord
          kind={kind}
          form={kind.form}
          pages={pages ?? []}
          row={null}
          onSaved={async (answer) => {
            onCreated?.();
            setSecret(newSecretOf(kind, kind.idOf(answer as Row), answer, context));
            await reload();
          }}
          onCancel={() => onCreated?.()}
        />
      )}
      {stepTitle && <h3 dir="auto">{stepTitle}</h3>}
      {steps.form}
      {rows === null && problem === null && <p>{speech.text(frameTexts.loading)}</p>}
      {rows !== null &&
        list(
          `${kind.name}-list`,
          label,
          rows.filter((other) => !foldedRows.includes(other)),
        )}
      {foldedRows.length > 0 && (
        <details>
          <summary>{foldLabel}</summary>
          {list(`${kind.name}-folded`, foldLabel, foldedRows)}
        </details>
      )}
      {steps.dialog}
    </>
  );
}
