import type { AdminAnswers } from "../../client/index.ts";

export type Row = AdminAnswers["AuditRow"] | AdminAnswers["AuditChainRow"];
type Change = AdminAnswers["AuditRow"]["changes"][number];

/** Characters of the changes in a row at a terminal, where a longer one would wrap. Into a file or a pipe, all are written. */
const changesLengthMax = 80;

export const rowColumns = ["ROW", "TIME", "WHO", "REQUEST", "ROOM", "RESULT", "CHANGES"] as const;

/** A row of the audit as the columns have it. @param isCut whether many changes are cut, for a terminal */
export function rowCells(row: Row, isCut: boolean): string[] {
  const place = [String(row.seq), row.at];
  if (row.kind !== "request") {
    const what = row.kind === "begin" ? "a chain of rows begins" : "the store has lost rows before this one";
    return [...place, "-", "-", "-", "-", what];
  }
  const { principal, method, route, room, error, status, changes } = row;
  const result = error === null ? "done" : `${status} ${error}`;
  const all = describeChanges(changes) || "-";
  const shown = isCut && all.length > changesLengthMax ? `${all.slice(0, changesLengthMax - 1)}…` : all;
  return [...place, principal?.id ?? "(nobody known)", `${method} ${route}`, room ?? "-", result, shown];
}

/** Such as `/inlet/outflow_per_minute: 600 → 900`, with semicolons. */
export function describeChanges(changes: readonly Change[]): string {
  return changes
    .filter((change) => !isFilled(change, changes))
    .map(({ member, from, to }) => `${member}: ${written(from)} → ${written(to)}`)
    .join("; ");
}

/** A member that was null and now has members of its own: those tell it all. */
function isFilled({ member, from, to }: Change, changes: readonly Change[]): boolean {
  return from === null && to === undefined && changes.some((other) => other.member.startsWith(`${member}/`));
}

function written(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
