import { useState } from "preact/hooks";
import { useRequest } from "../api/requests.ts";
import { useConsole } from "../frame/console.ts";
import { chosen, go } from "../frame/navigation.tsx";
import { texts as frameTexts } from "../frame/texts.ts";
import { ProblemNote, Title } from "../parts/elements.tsx";
import { ListTable } from "../parts/list-table.tsx";
import { addressOf, columnsOf, type RecordScreenKind, readPages } from "./record.ts";
import { FormOfRecord } from "./record-form.tsx";
import { type NewSecret, SecretOnce } from "./secrets.tsx";
import { newSecretOf, StepButtons, useSteps } from "./steps.tsx";

interface KindProps<Row, Page> {
  readonly kind: RecordScreenKind<Row, Page>;
  /** Of the screen. */
  readonly title: string;
}

/** All records of a kind; one of them, where the address names it; or, with `?new`, the form of a new one. */
export function RecordScreen<Row, Page>({ kind, title }: KindProps<Row, Page>) {
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
  const id = chosen(kind.parameter);
  const isNew = chosen("new") !== null;
  // An operator who goes elsewhere has had it.
  if (secret !== null && secret.id !== id) setSecret(null);

  const rows = pages?.flatMap((page) => kind.rowsOf(page)) ?? null;
  const candidates = rows?.filter((row) => kind.idOf(row) === id) ?? [];
  const isNamed = (row: Row) =>
    Object.entries(kind.queryOf?.(row) ?? {}).every(([name, value]) => chosen(name) === value);
  const row = candidates.find(isNamed) ?? candidates[0];
  const create = async (answer: Readonly<Record<string, unknown>>) => {
    await reload();
    const created = answer as Row;
    go(addressOf(kind, created));
    setSecret(newSecretOf(kind, kind.idOf(created), answer, context));
  };
  return (
    <>
      {isNew && kind.form && (
        <>
          <Title text={kind.texts.newRecord ? speech.text(kind.texts.newRecord) : title} />
          <FormOfRecord
            kind={kind}
            form={kind.form}
            pages={pages ?? []}
            row={null}
            onSaved={create}
            onCancel={() => go(kind.address)}
          />
        </>
      )}
      {id !== null && rows !== null && (
        <RecordDetail
          key={row ? addressOf(kind, row) : id}
          kind={kind}
          title={title}
          id={id}
          row={row}
          pages={pages ?? []}
          secret={secret}
          reload={reload}
          onSecret={setSecret}
        />
      )}
      {!isNew && id === null && <RecordList kind={kind} title={title} rows={rows} />}
      {problem && <ProblemNote problem={problem} speech={speech} />}
    </>
  );
}

/** @param props.rows null before they are known */
function RecordList<Row, Page>({ kind, title, rows }: KindProps<Row, Page> & { readonly rows: readonly Row[] | null }) {
  const context = useConsole();
  const { speech } = context;
  const { what, note, none, newRecord } = kind.texts;
  return (
    <>
      {newRecord ? (
        <div class="list-head">
          <Title text={title} />
          <a class="button" href={`${kind.address}?new`}>
            {speech.text(newRecord)}
          </a>
        </div>
      ) : (
        <Title text={title} />
      )}
      <p>{speech.text(what)}</p>
      {note && <p class="hint record-note">{speech.text(note)}</p>}
      {rows === null ? (
        <p>{speech.text(frameTexts.loading)}</p>
      ) : (
        <ListTable
          id={`${kind.name}-list`}
          label={title}
          rows={rows}
          columns={columnsOf(kind, rows)}
          empty={speech.text(none)}
          keyOf={kind.keyOf ?? kind.idOf}
          wordsOf={(row) => kind.wordsOf(row, context)}
        />
      )}
    </>
  );
}

interface RecordDetailProps<Row, Page> extends KindProps<Row, Page> {
  readonly id: string;
  /** Undefined where there is none: it was deleted, maybe by somebody else. */
  readonly row: Row | undefined;
  readonly pages: readonly Page[];
  readonly secret: NewSecret | null;
  reload(): Promise<void>;
  onSecret(secret: NewSecret | null): void;
}

function RecordDetail<Row, Page>(props: RecordDetailProps<Row, Page>) {
  const { kind, title, id, row, pages, secret, reload, onSecret } = props;
  const context = useConsole();
  const { speech } = context;
  const [isSaved, setSaved] = useState(false);
  const steps = useSteps(kind, {
    onSecret,
    async onDone(isRemoved) {
      await reload();
      if (isRemoved) go(kind.address);
    },
  });
  const isEditing = steps.current?.step.does === "edit";
  const isInForm = isEditing || steps.form !== null;
  const offered = kind.steps.filter((step) => row !== undefined && (step.isFor?.(row) ?? true));
  const { Status, Details } = kind;
  const { step: resultStep, answer } = steps.result ?? {};
  return (
    <>
      <p class="way-back">
        <a href={kind.address}>{title}</a>
      </p>
      <Title text={kind.titleOf?.(row, context) ?? id} />
      {row === undefined && kind.texts.missing && <p>{speech.text(kind.texts.missing)}</p>}
      {kind.texts.note && <p class="hint record-note">{speech.text(kind.texts.note)}</p>}
      {row && Status && <Status row={row} />}
      {kind.form && <p role="status">{isSaved && speech.text(frameTexts.form.saved)}</p>}
      {steps.problem && <ProblemNote problem={steps.problem} speech={speech} />}
      {secret && <SecretOnce key={secret.secret} secret={secret} onDone={() => onSecret(null)} />}
      {row && kind.isOfFile?.(row) && <p class="hint">{speech.text(frameTexts.record.fromFile)}</p>}
      {row && !isInForm && offered.length > 0 && (
        <div class="row list-head">
          <StepButtons steps={steps} offered={offered} row={row} />
        </div>
      )}
      {resultStep?.does === "request" && resultStep.Result && <resultStep.Result answer={answer} />}
      {row && isEditing && kind.form && (
        <FormOfRecord
          kind={kind}
          form={kind.form}
          pages={pages}
          row={row}
          onCancel={steps.end}
          onSaved={async () => {
            steps.end();
            setSaved(true);
            await reload();
          }}
        />
      )}
      {steps.form}
      {row && !isInForm && <Details row={row} />}
      {steps.dialog}
    </>
  );
}
