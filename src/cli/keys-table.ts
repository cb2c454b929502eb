/** A key as the admin API returns it. */
export interface ListedKey {
  readonly kid: string;
  readonly issuer: string;
  readonly purpose: string;
  readonly alg: string | null;
  readonly state: string;
  readonly source: string;
  readonly may_promote_at: string | null;
  readonly may_retire_at: string | null;
  readonly held: boolean;
}

const columnGap = "  ";

/** A table for a terminal, with the issuer where there are several. */
export function describeKeys(keys: readonly ListedKey[]): string {
  if (keys.length === 0) return "There are no such keys.";
  const hasSeveral = new Set(keys.map(({ issuer }) => issuer)).size > 1;
  const head = ["KEY", "PURPOSE", "ALG", "STATE", "SOURCE", "HERE", "MAY PROMOTE", "MAY RETIRE"];
  const rows = keys.map((key) => [
    key.kid,
    key.purpose,
    key.alg ?? "-",
    key.state,
    key.source,
    key.held ? "yes" : "no",
    key.may_promote_at ?? "-",
    key.may_retire_at ?? "-",
    ...(hasSeveral ? [key.issuer] : []),
  ]);
  return tableOf([hasSeveral ? [...head, "ISSUER"] : head, ...rows]);
}

/** The key, and what comes next. */
export function describeKey(key: ListedKey): string {
  const next = nextStep(key);
  return next === null ? describeKeys([key]) : `${describeKeys([key])}\n\nNext: ${next}`;
}

function nextStep({ kid, state, may_promote_at }: ListedKey): string | null {
  // What begins with a dash would be an option.
  const named = kid.startsWith("-") ? `-- ${kid}` : kid;
  if (state === "new") return `usher keys stage ${named}`;
  if (state === "staged") return `usher keys promote ${named}, from ${may_promote_at} on`;
  if (state === "active") return "usher keys list says from when on the key that signed before may be retired";
  return null;
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(columnGap)
        .trimEnd(),
    )
    .join("\n");
}
