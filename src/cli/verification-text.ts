import type { Verification } from "../admission-log/index.ts";

/** Whether nothing speaks against the log. A head of a row that the file does not have says nothing. */
export function isSound({ fault, heads }: Verification): boolean {
  return fault === null && heads.every(({ result }) => result !== "differs");
}

/** What was found, in lines. */
export function describeVerification(verification: Verification): string {
  const { room, rows, first, last, base, missing, fault, heads } = verification;
  const range = first === null || last === null ? "" : `, ${first} to ${last.seq}`;
  const lines = [`Log of the room ${room ?? "(unknown)"}: ${rows} rows${range}.`];
  if (base !== null && base.seq > 0) lines.push(`It begins behind row ${base.seq}; older ones are no part of it.`);
  for (const { from, to, recovery } of missing) lines.push(missingText(from, to, recovery?.heard ?? null));
  lines.push(
    fault === null
      ? "The chain holds."
      : `The chain is broken. The first line that is not as it was: line ${fault.line} (${fault.reason}).`,
  );
  for (const { head, result } of heads) {
    if (result === "matches") lines.push(`Row ${head.seq} is as it was noted.`);
    else if (result === "differs")
      lines.push(`Row ${head.seq} has another hash than was noted: rows up to it were replaced.`);
    else lines.push(`Row ${head.seq}, of which a head was noted, is not in the file.`);
  }
  if (fault === null && last !== null) lines.push(`Its head: ${last.seq}:${last.hash}`);
  if (fault === null && heads.length === 0) {
    lines.push(
      "Someone who can rewrite the whole file can make a chain anew: compare a head that was noted elsewhere (--head).",
    );
  }
  return lines.join("\n");
}

function missingText(from: number, to: number, heard: number | null): string {
  if (heard === null) return `Rows ${from} to ${to} are missing: the store has lost them.`;
  const lost = heard - from + 1;
  const known = lost > 0 ? `rows ${from} to ${heard} are lost` : `no row that anybody knew of is lost`;
  return `The store lost something behind row ${from - 1}: ${known}; there may have been more in the last moments before it. The numbers up to ${to} are skipped.`;
}
