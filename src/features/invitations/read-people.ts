/** The people of a CSV file, each with what an invitation needs. All faults are found at once, with the lines that they are in. */
import { CommandError } from "../../operate/commands/terminal.ts";

export interface Columns {
  readonly key: string;
  readonly class: string;
  readonly expires: string;
}

export interface Person {
  /** In the file, from 1 on. */
  readonly line: number;
  readonly key: string;
  /** "" for none. */
  readonly classId: string;
  /** Null where the row says nothing. */
  readonly expiresMs: number | null;
  /** All of its values. */
  readonly row: readonly string[];
}

export interface People {
  readonly header: readonly string[];
  readonly people: readonly Person[];
}

const peopleMax = 2_000_000;
const keyLengthMax = 256;
const listedFaultsMax = 20;

/**
 * @param classes that there are
 * @throws CommandError which says of each row what is wrong with it
 */
export async function readPeople(
  csv: string,
  columns: Columns,
  classes: readonly string[],
  nowMs: number,
): Promise<People> {
  const { parse } = await import("csv-parse/sync");
  const { readTime } = await import("../../config/index.ts");
  const rows = parseRows(csv, parse);
  const [header, ...rest] = rows;
  if (header === undefined) throw new CommandError("the file is empty: its first line names the columns");
  const at = (name: string) => header.record.findIndex((column) => column.trim().toLowerCase() === name.toLowerCase());
  const [keyAt, classAt, expiresAt] = [at(columns.key), at(columns.class), at(columns.expires)];
  if (keyAt < 0) {
    const there = header.record.map((name) => name.trim()).join(", ");
    throw new CommandError(`line 1: there is no column ${columns.key} (--key-column); there are ${there}`);
  }
  if (rest.length > peopleMax) throw new CommandError(`the file has more than ${peopleMax} rows, which no room takes`);
  const faults: string[] = [];
  const lineOf = new Map<string, number>();
  const people = rest.map(({ record, line }): Person => {
    const key = (record[keyAt] ?? "").trim();
    const classId = (record[classAt] ?? "").trim();
    const expires = (record[expiresAt] ?? "").trim();
    const before = lineOf.get(key);
    if (key === "") faults.push(`line ${line}: no ${columns.key}`);
    else if (key.length > keyLengthMax)
      faults.push(`line ${line}: ${columns.key} has more than ${keyLengthMax} characters`);
    else if (before !== undefined) faults.push(`line ${line}: the same ${columns.key} as in line ${before}`);
    lineOf.set(key, before ?? line);
    if (classId !== "" && !classes.includes(classId)) {
      const available = classes.length === 0 ? "the room has none" : `there are ${classes.join(", ")}`;
      faults.push(`line ${line}: no such class, ${JSON.stringify(classId)}: ${available}`);
    }
    const reading = expires === "" ? { ms: null } : readTime(expires, null);
    if ("fault" in reading) faults.push(`line ${line}: ${reading.fault}`);
    else if (reading.ms !== null && reading.ms <= nowMs) faults.push(`line ${line}: ${columns.expires} is over`);
    return { line, key, classId, expiresMs: "ms" in reading ? reading.ms : null, row: record };
  });
  if (faults.length > 0) {
    const left = faults.length - listedFaultsMax;
    const more = left > 0 ? [`and ${left} more`] : [];
    throw new CommandError([...faults.slice(0, listedFaultsMax), ...more].join("\n"));
  }
  return { header: header.record, people };
}

type Parse = typeof import("csv-parse/sync").parse;

/** Quotes, line breaks within them, and semicolons as some spreadsheets write them. */
function parseRows(csv: string, parse: Parse): { readonly record: readonly string[]; readonly line: number }[] {
  const head = csv.slice(0, csv.search(/[\r\n]|$/));
  const delimiter =
    head.includes(";") && !head.includes(",") ? ";" : head.includes("\t") && !head.includes(",") ? "\t" : ",";
  try {
    const rows = parse(csv, { bom: true, delimiter, info: true, skip_empty_lines: true }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    return rows.map(({ record, info }) => ({ record, line: info.lines }));
  } catch (error) {
    throw new CommandError(`this is no CSV: ${error instanceof Error ? error.message : String(error)}`);
  }
}
