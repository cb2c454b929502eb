import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { download } from "../../operate/commands/gateway.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { type GatewayOptions, gatewayOf, withGateway } from "../../operate/commands/installation/gateway-options.ts";
import {
  addHead,
  describeVerification,
  headsHelp,
  linesOf,
} from "../../operate/commands/records/verify-log-command.ts";
import { CommandError, jsonText, type Terminal } from "../../operate/commands/terminal.ts";
import { type ChainHead, LogVerifier } from "../../room/admission-log/index.ts";
import { createReport } from "./shared/create-report.ts";
import { GatheredLog } from "./shared/gathered.ts";
import { reportHtml } from "./shared/html.ts";

interface ReportOptions extends GatewayOptions {
  readonly room?: string;
  readonly out: string;
  readonly edition?: number;
  readonly head: readonly ChainHead[];
}

/** `usher report`: see docs/report.md. */
export function addReportCommand(program: Command, { env, print }: Terminal): void {
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
  addExamples(program, "usher report --room tickets --out report");
}

function noReport({ editions }: GatheredLog, edition: number | undefined): string {
  const editionsText = [...editions.keys()].join(", ");
  if (edition === undefined || editionsText === "")
    return "the log has nothing to report: no row of it says what was in force";
  return `the log has no edition ${edition}; it has: ${editionsText}`;
}

function readEdition(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("expected an edition, a whole number");
  return Number(text);
}
