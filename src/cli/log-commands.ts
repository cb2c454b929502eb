import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { type ChainHead, headFault, LogVerifier, parseHead } from "../admission-log/index.ts";
import { createReport, GatheredLog, reportHtml, reportJson } from "../admission-log/report/index.ts";
import { CommandError, checkedUrl, download, usualUrl } from "./admin-client.ts";
import { linesOf } from "./lines-of.ts";
import { describeVerification, isSound } from "./verification-text.ts";

export interface LogCommandsOptions {
  /** The environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
}

interface ReportOptions {
  readonly url: string;
  readonly room?: string;
  readonly out: string;
  readonly edition?: number;
  readonly head: readonly ChainHead[];
}

const headsHelp = "as it was noted or published during the event: number and hash of a row; may be given several times";

/** `usher verify-log` and `usher report`: see docs/report.md. */
export function addLogCommands(program: Command, { env, print }: LogCommandsOptions): void {
  const defaultUrl = usualUrl(env);

  program
    .command("verify-log <file>")
    .description("check an exported admission log: that no row was changed, removed, inserted or moved")
    .option("--head <seq:hash>", headsHelp, addHead, [])
    .action(async (file: string, { head }: { head: readonly ChainHead[] }) => {
      const verifier = new LogVerifier(head);
      for await (const line of linesOf(file)) verifier.take(line);
      const result = verifier.result();
      if (!isSound(result)) throw new CommandError(describeVerification(result));
      print(describeVerification(result));
    });

  program
    .command("report [file]")
    .description(
      "tell how fair an event was, from an exported admission log or from a gateway's: report.html, report.json",
    )
    .option(
      "--url <url>",
      "the gateway, where no file is given; its admin key is taken from USHER_ADMIN_API_KEY",
      defaultUrl,
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
      writeFileSync(join(options.out, "report.json"), `${JSON.stringify(reportJson(report), null, 2)}\n`);
      print(`${describeVerification(verification)}\nWritten: ${html}, ${join(options.out, "report.json")}`);
    });

  /** Saves the room's log beside the report, to be checked later. Answers its file. @throws CommandError */
  async function fetchLog({ url, room, out }: ReportOptions): Promise<string> {
    if (room === undefined) throw new CommandError("name a file, or a room of a running gateway with --room");
    const key = env.USHER_ADMIN_API_KEY ?? "";
    if (key === "")
      throw new CommandError("set USHER_ADMIN_API_KEY to an admin key of the gateway that may see the room");
    const file = join(out, "log.ndjson");
    await download(checkedUrl(url, defaultUrl), key, `/rooms/${encodeURIComponent(room)}/log`, file);
    return file;
  }
}

function noReport({ editions }: GatheredLog, edition: number | undefined): string {
  const known = [...editions.keys()].join(", ");
  if (edition === undefined || known === "")
    return "the log has nothing to report: no row of it says what was in force";
  return `the log has no edition ${edition}; it has: ${known}`;
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
