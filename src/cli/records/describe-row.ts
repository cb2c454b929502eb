import type { AdminAnswers } from "../../client/index.ts";

export type Row = AdminAnswers["AuditRow"] | AdminAnswers["AuditChainRow"];
type Change = AdminAnswers["AuditRow"]["changes"][number];

/** Characters of the changes in a row of the table. `--json` has all. */
const changesLengthMax = 80;

export const rowColumns = ["ROW", "TIME", "WHO", "REQUEST", "ROOM", "RESULT", "CHANGES"] as const;

/** A row of the audit as the columns have it. */
export function rowCells(row: Row): string[] {
  const place = [String(row.seq), row.at];
  if (row.kind !== "request") {
    const what = row.kind === "begin" ? "a chain of rows begins" : "the store has lost rows before this one";
    return [...place, "-", "-", "-", "-", what];
  }
  const { principal, method, route, room, error, status, changes } = row;
  const result = error === null ? "done" : `${status} ${error}`;
  const all = changes.map(describeChange).join("; ") || "-";
  const shown = all.length > changesLengthMax ? `${all.slice(0, changesLengthMax - 1)}…` : all;
  return [...place, principal?.id ?? "(nobody known)", `${method} ${route}`, room ?? "-", result, shown];
}

/** Such as `/inlet/outflow_per_minute: 600 → 900`. */
export function describeChange({ member, from, to }: Change): string {
  return `${member}: ${written(from)} → ${written(to)}`;
}

function written(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
