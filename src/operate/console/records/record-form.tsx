import { useState } from "preact/hooks";
import { type AdminRequest, ProblemError, send } from "../api/api.ts";
import { useSubmission } from "../api/requests.ts";
import { type Entry, patchOf } from "../forms/draft.ts";
import { textOf, valueAt } from "../forms/field.ts";
import { FormFrame, LabelledField } from "../forms/form.tsx";
import { useForm } from "../forms/use-form.ts";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import type { RecordField, RecordForm, RecordKind } from "./record.ts";

const zone = "UTC";

interface RecordFormProps<Row, Page> {
  readonly kind: RecordKind<Row, Page>;
  readonly form: RecordForm<Row, Page>;
  readonly pages: readonly Page[];
  /** Null for a new one. */
  readonly row: Row | null;
  onSaved(answer: Readonly<Record<string, unknown>>): Promise<void>;
  onCancel(): void;
}

/**
 * The form of a new record, or of one that is changed. A change is what differs from the record as it was when the form was opened: others may
 * change the rest meanwhile.
 */
export function FormOfRecord<Row, Page>({ kind, form, pages, row, onSaved, onCancel }: RecordFormProps<Row, Page>) {
  const { api, speech } = useConsole();
  const { isBusy, problem, submit } = useSubmission();
  const [opened] = useState(() => (row === null ? null : (form.documentOf?.(row) ?? row)));
  const fields = form.fields(pages).filter(({ isFixed }) => row === null || isFixed !== true);
  const document = opened ?? firstChoices(fields);
  const entries = fields.map((field): Entry<RecordField> => ({ field, isOfDocument: true }));
  const state = useForm(entries, { file: null, live: null, inForce: null, document }, () => zone);
  const textAt = (path: string) => {
    const field = fields.find((other) => other.path === path);
    return state.drafts.get(path)?.text ?? (field ? textOf(field, valueAt(document, path), zone) : "");
  };
  const isNeeded = (field: RecordField) => field.isFor?.(textAt) ?? true;
  const patch = patchOf(state.changes.filter(({ entry }) => isNeeded(entry.field)));

  const request = (): AdminRequest => {
    if (row === null || form.item === undefined) {
      return { method: "POST", path: kind.collection, body: newDocument(fields.filter(isNeeded), patch) };
    }
    const params = { [kind.parameter]: kind.idOf(row) };
    return { method: "PATCH", path: form.item, params, body: { ...patch, ...form.alsoChanged?.(row, patch) } };
  };
  const save = async () => {
    state.refuse(null);
    const answer = await submit(async () => {
      try {
        return await send<Readonly<Record<string, unknown>>>(api, request());
      } catch (error) {
        if (error instanceof ProblemError) state.refuse(error.problem, form.aliases);
        throw error;
      }
    });
    if (answer !== null) await onSaved(answer);
  };

  const { newRecord = frameTexts.list.edit, create = frameTexts.form.save } = row === null ? kind.texts : {};
  const control = (entry: Entry<RecordField>) => (
    <LabelledField
      key={entry.field.path}
      field={entry.field}
      id={`${kind.name}-${entry.field.path.replace(/_/g, "-")}`}
      label={speech.text(entry.field.label)}
      hint={entry.field.hint === undefined ? null : speech.text(entry.field.hint)}
      text={textAt(entry.field.path)}
      errors={state.faults.get(entry.field.path) ?? []}
      onText={(text) => state.write(entry, entry.field.path, text)}
    />
  );
  const needed = entries.filter(({ field }) => isNeeded(field));
  const further = needed.filter(({ field }) => field.isFurther === true);
  return (
    <FormFrame
      label={speech.text(newRecord)}
      submitLabel={speech.text(create)}
      isBusy={isBusy}
      canSubmit={row === null || Object.keys(patch).length > 0}
      problem={problem}
      paths={[...fields.map(({ path }) => path), ...Object.keys(form.aliases ?? {})]}
      onSubmit={() => void save()}
      onCancel={onCancel}
    >
      {needed.filter(({ field }) => field.isFurther !== true).map(control)}
      {further.length > 0 && (
        <details>
          <summary>{speech.text(frameTexts.form.more)}</summary>
          {further.map(control)}
        </details>
      )}
    </FormFrame>
  );
}

/** A new record begins with the first of every choice that it cannot leave out. */
function firstChoices(fields: readonly RecordField[]): Readonly<Record<string, unknown>> {
  const firsts = fields.flatMap(({ path, allowed }): [string, unknown][] => {
    if (allowed.kind === "choice" && allowed.unset === undefined) return [[path, allowed.choices[0]]];
    return allowed.kind === "flag" && allowed.unset === undefined ? [[path, true]] : [];
  });
  return Object.fromEntries(firsts);
}

/** What is sent for a new record: what was chosen and entered, and every field that the gateway requires. */
export function newDocument(
  fields: readonly RecordField[],
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const required = fields.flatMap(({ path, isRequired, allowed }) =>
    isRequired === true ? [[path, allowed.kind === "list" ? [] : ""] as const] : [],
  );
  const document = { ...Object.fromEntries(required), ...firstChoices(fields), ...patch };
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null));
}
