import type { ChainHead } from "./recipe.ts";

/** Counts of the room since its state was made; docs/report.md explains them. */
export const countNames = ["joined", "entered", "passed", "bypassed", "no_shows", "left"] as const;
export type LoggedCounts = Readonly<Record<(typeof countNames)[number], number>>;

interface Line {
  readonly seq: number;
  /** ISO 8601, UTC; by the store's clock. */
  readonly at: string;
}

/** A line of an exported log, as the admin API writes it. Members may be added, and kinds; none changes its meaning. */
export type LogLine =
  | { readonly kind: "base"; readonly room: string; readonly seq: number; readonly hash: string }
  /** Of an audit, whose further lines are in audit/rows.ts: all have a number, and a recovery goes on as one of a room does. */
  | { readonly kind: "base"; readonly log: "audit"; readonly seq: number; readonly hash: string }
  | ({ readonly kind: "begin"; readonly life: string } & Line)
  | ({
      readonly kind: "state";
      readonly edition: number;
      readonly phase: string;
      readonly phase_reason: string | null;
      readonly inlet: string;
      readonly outflow_per_minute: number | null;
      readonly shared_outflow_per_minute: number | null;
      readonly max_active: number | null;
      readonly counts: LoggedCounts;
    } & Line)
  | ({
      readonly kind: "admission";
      readonly edition: number;
      readonly position: number | null;
      readonly number: number | null;
      readonly via: string;
      readonly wait_ms: number | null;
      readonly flow_ms: number;
    } & Line)
  | ({ readonly kind: "counts"; readonly counts: LoggedCounts } & Line)
  | ({ readonly kind: "increment"; readonly by: number; readonly serving: number } & Line)
  | ({
      readonly kind: "recovery";
      readonly heard: number;
      readonly after: ChainHead | null;
      readonly counts: LoggedCounts;
    } & Line)
  | ({ readonly kind: "off" } & Line);

const hashMember = /,"hash":"([0-9a-f]{64})"\}$/;

/** The line as it is exported: `hash` is its last member. @param text an object in JSON, without line breaks */
export function sealLine(text: string, hash: string): string {
  return `${text.slice(0, -1)},"hash":"${hash}"}`;
}

/** The first line of an export: the row before the first that follows. */
export function baseLine(room: string, { seq, hash }: ChainHead): string {
  return JSON.stringify({ kind: "base", room, seq, hash });
}

/** The first line of an exported audit. */
export function auditBaseLine({ seq, hash }: ChainHead): string {
  return JSON.stringify({ kind: "base", log: "audit", seq, hash });
}

/** A line, what of it was hashed, and its hash; null for what is none. */
export function readLine(line: string): { line: LogLine; text: string; hash: string } | null {
  const hash = hashMember.exec(line)?.[1];
  if (hash === undefined) return null;
  const text = `${line.slice(0, -(hash.length + 11))}}`;
  try {
    const line: unknown = JSON.parse(text);
    const { kind, seq } = Object(line);
    return kind !== undefined && Number.isInteger(seq) ? { line: line as LogLine, text, hash } : null;
  } catch {
    return null;
  }
}
