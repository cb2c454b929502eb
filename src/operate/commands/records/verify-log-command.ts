import { createReadStream } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import {
  type ChainHead,
  headFault,
  LogVerifier,
  parseHead,
  type Verification,
} from "../../../room/admission-log/index.ts";
import { addExamples } from "../help.ts";
import { CommandError, printable, type Terminal } from "../terminal.ts";

export const headsHelp =
  "as it was noted or published during the event: number and hash of a row; may be given several times";

/** `usher verify-log`: see docs/report.md. */
export function addVerifyLogCommand(program: Command, { print }: Terminal): void {
  program
    .command("verify-log <file>")
    .description("check an exported admission log or audit: that no row was changed, removed, inserted or moved")
    .option("--head <seq:hash>", headsHelp, addHead, [])
    .action(async (file: string, { head }: { head: readonly ChainHead[] }) => {
      const verifier = new LogVerifier(head);
      for await (const line of linesOf(file)) verifier.take(line);
      const result = verifier.result();
      if (!isSound(result)) throw new CommandError(describeVerification(result));
      print(describeVerification(result));
    });
  addExamples(program, "usher verify-log audit.ndjson");
}

export function addHead(text: string, heads: readonly ChainHead[]): ChainHead[] {
  const head = parseHead(text);
  if (head === null) throw new InvalidArgumentError(headFault);
  return [...heads, head];
}

/** The lines of a file, one after the other: it may be larger than the memory. @throws CommandError */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  try {
    for await (const chunk of createReadStream(file, "utf8")) {
      const lines = (rest + String(chunk)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (rest !== "") yield rest;
}

/** Whether nothing speaks against the log. A head of a row that the file does not have says nothing. */
function isSound({ fault, heads }: Verification): boolean {
  return fault === null && heads.every(({ result }) => result !== "differs");
}

/** What was found, in lines. */
export function describeVerification(verification: Verification): string {
  const { room, isAudit, rows, first, last, base, missing, fault, heads } = verification;
  const range = first === null || last === null ? "" : `, ${first} to ${last.seq}`;
  const name = isAudit ? "Audit" : `Log of the room ${room ?? "(unknown)"}`;
  const lines = [`${name}: ${rows} rows${range}.`];
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
  return lines.map(printable).join("\n");
}

function missingText(from: number, to: number, heard: number | null): string {
  if (heard === null) return `Rows ${from} to ${to} are missing: the store has lost them.`;
  const lost = heard - from + 1;
  const lossText = lost > 0 ? `rows ${from} to ${heard} are lost` : `no row that anybody knew of is lost`;
  return `The store lost something behind row ${from - 1}: ${lossText}; there may have been more in the last moments before it. The numbers up to ${to} are skipped.`;
}
