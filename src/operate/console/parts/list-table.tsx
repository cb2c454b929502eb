import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type Console, useConsole } from "../frame/console.ts";
import type { Localized } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";

export interface Column<Row> {
  readonly title: Localized;
  cell(row: Row, context: Console): ComponentChildren;
}

interface ListTableProps<Row> {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first names the row. */
  readonly columns: readonly Column<Row>[];
  /** Where there are no rows. */
  readonly empty: string;
  keyOf(row: Row): string;
  /** What a row is found by. */
  wordsOf(row: Row): readonly (string | null)[];
}

/** A longer list has a field to search in it. */
const shortMax = 10;
const pageSize = 100;

/** A table; on a narrow screen a card for each row. */
export function ListTable<Row>({ id, label, rows, columns, empty, keyOf, wordsOf }: ListTableProps<Row>) {
  const context = useConsole();
  const { speech } = context;
  const [wanted, setWanted] = useState("");
  const [max, setMax] = useState(pageSize);
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  const found = rowsWith(rows, wanted, wordsOf);
  const [head, ...others] = columns;
  return (
    <div class="list">
      {rows.length > shortMax && (
        <div class="field">
          <label for={`${id}-filter`}>{speech.text(frameTexts.list.filter)}</label>
          <input
            id={`${id}-filter`}
            type="search"
            dir="auto"
            autocomplete="off"
            value={wanted}
            onInput={(event) => {
              setWanted(event.currentTarget.value);
              setMax(pageSize);
            }}
          />
          <p class="hint" role="status">
            {speech.text(frameTexts.list.found, { found: found.length, all: rows.length })}
          </p>
        </div>
      )}
      <table class="list-table">
        <caption class="unseen">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th scope="col" key={title.en}>
                {speech.text(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.slice(0, max).map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row">{head?.cell(row, context)}</th>
              {others.map(({ title, cell }) => (
                <td key={title.en}>
                  <span class="cell-title" aria-hidden="true">
                    {speech.text(title)}
                  </span>
                  <div>{cell(row, context)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {found.length > max && (
        <button type="button" onClick={() => setMax(max + pageSize)}>
          {speech.text(frameTexts.list.more, { n: Math.min(pageSize, found.length - max) })}
        </button>
      )}
    </div>
  );
}

/** The rows that have all words that are wanted, in whatever case and order. */
export function rowsWith<Row>(
  rows: readonly Row[],
  wanted: string,
  wordsOf: (row: Row) => readonly (string | null)[],
): readonly Row[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = wordsOf(row).join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
