/**
 * Kinds of records that the admin API lists, creates, changes and deletes, declared as data: clients, webhooks, keys, sessions. The screens and
 * sections that show them are in record-screen.tsx and record-section.tsx.
 */
import type { ComponentType } from "preact";
import { type AdminRequest, type Api, send } from "../api/api.ts";
import { allPages } from "../api/requests.ts";
import type { Field } from "../forms/field.ts";
import type { Console } from "../frame/console.ts";
import type { Localized } from "../frame/speech.ts";
import type { Column } from "../parts/list-table.tsx";

export interface RecordKind<Row, Page> {
  /** The beginning of ids in the page: `webhook`. */
  readonly name: string;
  /** Where the admin API lists them and creates one. */
  readonly collection: AdminRequest["path"];
  /** What its paths call the id of one. */
  readonly parameter: string;
  /** Whether the list comes in one answer, and not in pages. */
  readonly isWhole?: boolean;
  /** How often the list is read again. */
  readonly everyMs: number;
  readonly texts: {
    readonly what: Localized;
    /** Where they are changed, if not here. */
    readonly note?: Localized;
    /** Where the list is empty. */
    readonly none: Localized;
    readonly newRecord?: Localized;
    readonly create?: Localized;
    /** Where one of this id is no longer there. */
    readonly missing?: Localized;
  };
  rowsOf(page: Page): readonly Row[];
  idOf(row: Row): string;
  /** Differs for every row of the list; the id, where it is left out. */
  keyOf?(row: Row): string;
  /** What a row is called beside its buttons; the id, where it is left out. */
  subjectOf?(row: Row): string;
  /** What a row is found by. */
  wordsOf(row: Row, context: Console): readonly (string | null)[];
  /** May depend on all that are listed. */
  readonly columns: readonly Column<Row>[] | ((rows: readonly Row[]) => readonly Column<Row>[]);
  readonly form?: RecordForm<Row, Page>;
  readonly secret?: RecordSecret;
  readonly steps: readonly RecordStep<Row>[];
}

/** What is entered of a record, when it is created and when it is changed. */
export interface RecordForm<Row, Page> {
  /** Where the admin API changes one, if it does. */
  readonly item?: AdminRequest["path"];
  fields(pages: readonly Page[]): readonly RecordField[];
  /** What the fields begin with: the row itself, where it is left out. */
  documentOf?(row: Row): unknown;
  /** More that is sent with a change. */
  alsoChanged?(row: Row, patch: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** The gateway's names of fields, where the form has others. */
  readonly aliases?: Readonly<Record<string, string>>;
}

export interface RecordField extends Field {
  readonly label: Localized;
  readonly hint?: Localized;
  /** Whether it is behind the fold of further settings. */
  readonly isFurther?: boolean;
  /** Whether it is sent even if nothing was entered: the gateway then says at the field that it is missing. */
  readonly isRequired?: boolean;
  /** Whether it cannot be changed later. */
  readonly isFixed?: boolean;
  /** Whether it is needed, given what is in the other fields, by their paths. */
  isFor?(textAt: (path: string) => string): boolean;
}

/** A secret that an answer has once: that of a new record, or a new secret of a record. */
export interface RecordSecret {
  label(id: string, context: Console): string;
  /** Undefined where the answer has none. */
  of(answer: Readonly<Record<string, unknown>>): string | undefined;
  /** What to do with it. */
  note(answer: Readonly<Record<string, unknown>>, context: Console): string;
}

/** What can be done with a record, by a button. */
export type RecordStep<Row> = {
  readonly name: string;
  readonly label: Localized;
  /** Whether the button is there; always, where it is left out. */
  isFor?(row: Row): boolean;
} & (
  | { readonly does: "edit" }
  /** Asks how long the secret before goes on working, and shows the new one. */
  | { readonly does: "newSecret"; readonly path: AdminRequest["path"]; title?(id: string, context: Console): string }
  | {
      readonly does: "request";
      readonly isDangerous?: boolean;
      /** Asked first. */
      question?(row: Row, context: Console): Question;
      request(row: Row, context: Console): Pick<AdminRequest, "method" | "path" | "body">;
      /** Whether the record is gone then. */
      readonly isLast?: boolean;
      /** Shows the answer. */
      readonly Result?: ComponentType<{ readonly answer: unknown }>;
    }
);

export interface Question {
  readonly title: string;
  readonly would: string;
  /** What must be typed first; null for nothing. */
  readonly typed: string | null;
}

/** A kind whose records have a screen: a list, and each with an address of its own. */
export interface RecordScreenKind<Row, Page> extends RecordKind<Row, Page> {
  /** The path of the screen: `/console/webhooks`. One record is at `?webhook=ID`, by the parameter. */
  readonly address: string;
  /** What tells two records of one id apart, in the address. */
  queryOf?(row: Row): Readonly<Record<string, string>>;
  /** The heading of one, undefined where there is none of this id; the id, where it is left out. */
  titleOf?(row: Row | undefined, context: Console): string;
  /** Whether it stands in the configuration file, and is changed there. */
  isOfFile?(row: Row): boolean;
  /** Stands below the title. */
  readonly Status?: ComponentType<{ readonly row: Row }>;
  readonly Details: ComponentType<{ readonly row: Row }>;
}

export function columnsOf<Row, Page>({ columns }: RecordKind<Row, Page>, rows: readonly Row[]): readonly Column<Row>[] {
  return typeof columns === "function" ? columns(rows) : columns;
}

export function addressOf<Row, Page>(kind: RecordScreenKind<Row, Page>, row: Row): string {
  const query = new URLSearchParams({ [kind.parameter]: kind.idOf(row), ...kind.queryOf?.(row) });
  return `${kind.address}?${query}`;
}

/** All pages of the list. @throws ProblemError */
export async function readPages<Row, Page>(api: Api, kind: RecordKind<Row, Page>): Promise<Page[]> {
  const request = { method: "GET", path: kind.collection } as const;
  if (kind.isWhole === true) return [await send<Page>(api, request)];
  return allPages((query) => send<Page & { readonly next_cursor: string | null }>(api, { ...request, query }));
}
