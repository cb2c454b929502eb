import type { AuditRow } from "../../store/contract/room-store.ts";
import type { Change } from "./changes.ts";

/** The request that leads back. */
export interface Inverse {
  readonly method: string;
  /** Below `/admin`. */
  readonly path: string;
  readonly body: object | null;
}

/** What a row says of a request. Never a secret, a key, a ticket or a token. */
export interface AuditEntry {
  /** Null for a stranger. */
  readonly principal: {
    readonly kind: "key" | "person";
    readonly id: string;
    /** Of a person. */
    readonly name?: string;
    readonly role: string;
  } | null;
  readonly address: string;
  readonly method: string;
  /** As the table has it. */
  readonly route: string;
  readonly room: string | null;
  /** What else the path names, and what was made. */
  readonly subject: Readonly<Record<string, string>>;
  readonly changes: readonly Change[];
  readonly inverse: Inverse | null;
  /** The row that was undone. */
  readonly undoes: number | null;
  readonly request_id: string;
  readonly status: number;
  /** The code of the error; null for a request that was carried out. */
  readonly error: string | null;
}

interface Line {
  readonly seq: number;
  /** ISO 8601, UTC; by the store's clock. */
  readonly at: string;
}

export interface RequestLine extends AuditEntry, Line {
  readonly kind: "request";
  /** Requests of this process before it that have no row: there were too many of their kind. */
  readonly unlogged: number;
}

/** A row, in the order in which its members are hashed. */
export type AuditLine =
  | RequestLine
  /** The audit begins; `life` makes its chain another than that of any other beginning. */
  | (Line & { readonly kind: "begin"; readonly life: string })
  /** The store had lost rows that a process knew of, up to `heard`. Null for `after`: it goes on from the row before. */
  | (Line & {
      readonly kind: "recovery";
      readonly heard: number;
      readonly after: { readonly seq: number; readonly hash: string } | null;
    });

export function readAuditRow({ text }: Pick<AuditRow, "text">): AuditLine {
  return JSON.parse(text) as AuditLine;
}

const columns: readonly (readonly [name: string, of: (line: RequestLine) => unknown])[] = [
  ["seq", ({ seq }) => seq],
  ["at", ({ at }) => at],
  ["principal", ({ principal }) => principal && `${principal.kind} ${principal.id}`],
  ["name", ({ principal }) => principal?.name],
  ["role", ({ principal }) => principal?.role],
  ["address", ({ address }) => address],
  ["method", ({ method }) => method],
  ["route", ({ route }) => route],
  ["room", ({ room }) => room],
  [
    "subject",
    ({ subject }) =>
      Object.entries(subject)
        .map(([name, value]) => `${name}=${value}`)
        .join(" "),
  ],
  ["changes", ({ changes }) => changes.map(changeText).join("; ")],
  ["status", ({ status }) => status],
  ["error", ({ error }) => error],
  ["request_id", (line) => line.request_id],
  ["undoes", ({ undoes }) => undoes],
  ["unlogged", ({ unlogged }) => unlogged],
];

export const csvHead = `${columns.map(([name]) => name).join(",")}\r\n`;

/** A line of CSV (RFC 4180). A spreadsheet takes no cell for a formula. */
export function csvLine(line: RequestLine): string {
  return `${columns.map(([, of]) => cell(of(line))).join(",")}\r\n`;
}

function changeText({ member, from, to }: Change): string {
  return `${member}: ${JSON.stringify(from) ?? "none"} -> ${JSON.stringify(to) ?? "none"}`;
}

function cell(value: unknown): string {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
