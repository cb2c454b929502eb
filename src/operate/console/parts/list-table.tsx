import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useConsole } from "../frame/console.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { rowsWith } from "./list.ts";

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  cell(row: Row): ComponentChildren;
}

interface ListTableProps<Row> {
  /** Names the list, and is in no id twice on a page. */
  readonly id: string;
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first names the row. */
  readonly columns: readonly Column<Row>[];
  /** What to say where there is nothing. */
  readonly empty: string;
  keyOf(row: Row): string;
  /** What a row is found by. */
  wordsOf(row: Row): readonly (string | null)[];
}

/** A list of more has a field to find in it. */
const shortMax = 10;
const shownAtOnce = 100;

/** A table; on a narrow screen a card for each row. */
export function ListTable<Row>({ id, label, rows, columns, empty, keyOf, wordsOf }: ListTableProps<Row>) {
  const { speech } = useConsole();
  const [wanted, setWanted] = useState("");
  const [max, setMax] = useState(shownAtOnce);
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
              setMax(shownAtOnce);
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
            {columns.map(({ key, title }) => (
              <th scope="col" key={key}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.slice(0, max).map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row">{head?.cell(row)}</th>
              {others.map(({ key, title, cell }) => (
                <td key={key}>
                  <span class="cell-title" aria-hidden="true">
                    {title}
                  </span>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {found.length > max && (
        <button type="button" onClick={() => setMax(max + shownAtOnce)}>
          {speech.text(frameTexts.list.more, { n: Math.min(shownAtOnce, found.length - max) })}
        </button>
      )}
    </div>
  );
}
