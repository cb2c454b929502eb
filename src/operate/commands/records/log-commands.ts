import { createReadStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import {
  type ChainHead,
  createReport,
  GatheredLog,
  headFault,
  LogVerifier,
  parseHead,
  reportHtml,
  type Verification,
} from "../../../room/admission-log/index.ts";
import { download } from "../gateway.ts";
import { type GatewayOptions, gatewayOf, withGateway } from "../installation/gateway-options.ts";
import { CommandError, jsonText, printable, type Terminal } from "../terminal.ts";

interface ReportOptions extends GatewayOptions {
  readonly room?: string;
  readonly out: string;
  readonly edition?: number;
  readonly head: readonly ChainHead[];
}

const headsHelp = "as it was noted or published during the event: number and hash of a row; may be given several times";

/** `usher verify-log` and `usher report`: see docs/report.md. */
export function addLogCommands(program: Command, { env, print }: Terminal): void {
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

  withGateway(
    program
      .command("report [file]")
      .description(
        "tell how fair an event was, from an exported admission log or from a gateway's: report.html, report.json",
      ),
  )
    .option("--room <room>", "the room, where no file is given")
    .option("--edition <edition>", "of the log; default: the last one with admissions", readEdition)
    .option("--head <seq:hash>", headsHelp, addHead, [])
    .option("--out <directory>", "where to write, and with --room the log itself", ".")
    .action(async (file: string | undefined, options: ReportOptions) => {
      mkdirSync(options.out, { recursive: true });
      const source = file ?? (await fetchLog(options));
      const verifier = new LogVerifier(options.head);
      const log = new GatheredLog();
      for await (const text of linesOf(source)) {
        const line = verifier.take(text);
        if (line !== null) log.take(line);
      }
      const verification = verifier.result();
      const report = createReport(log, verification, options.edition ?? null);
      if (report === null) throw new CommandError(noReport(log, options.edition));
      const html = join(options.out, "report.html");
      writeFileSync(html, reportHtml(report));
      writeFileSync(join(options.out, "report.json"), `${jsonText(report.json)}\n`);
      print(`${describeVerification(verification)}\nWritten: ${html}, ${join(options.out, "report.json")}`);
    });

  /** Saves the room's log beside the report, to be checked later. Answers its file. @throws CommandError */
  async function fetchLog({ room, out, ...which }: ReportOptions): Promise<string> {
    if (room === undefined) throw new CommandError("name a file, or a room of a running gateway with --room");
    const file = join(out, "log.ndjson");
    await download(gatewayOf(which, env, "may see the room"), `/rooms/${encodeURIComponent(room)}/log`, file, {
      isReplacing: true,
    });
    return file;
  }
}

function noReport({ editions }: GatheredLog, edition: number | undefined): string {
  const editionsText = [...editions.keys()].join(", ");
  if (edition === undefined || editionsText === "")
    return "the log has nothing to report: no row of it says what was in force";
  return `the log has no edition ${edition}; it has: ${editionsText}`;
}

function addHead(text: string, heads: readonly ChainHead[]): ChainHead[] {
  const head = parseHead(text);
  if (head === null) throw new InvalidArgumentError(headFault);
  return [...heads, head];
}

function readEdition(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("expected an edition, a whole number");
  return Number(text);
}

/** The lines of a file, one after the other: it may be larger than the memory. @throws CommandError */
async function* linesOf(file: string): AsyncGenerator<string> {
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
function describeVerification(verification: Verification): string {
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
