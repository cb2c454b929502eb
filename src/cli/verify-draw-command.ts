import { type Command, InvalidArgumentError } from "commander";
import { verifyDraw } from "../draw/index.ts";
import { CommandError } from "./admin-client.ts";
import { readDocumentFile, readReceipts } from "./draw-files.ts";
import { describeOutcome, describeReport } from "./draw-report.ts";

export interface VerifyDrawCommandOptions {
  readonly print: (text: string) => void;
}

interface Options {
  readonly receipt?: readonly string[];
  readonly position?: number;
  readonly key?: string;
  readonly json?: true;
}

/** `usher verify-draw …`: checks by itself, without asking anybody, what a room has published of its draws (docs/draw.md). */
export function addVerifyDrawCommand(program: Command, { print }: VerifyDrawCommandOptions): void {
  program
    .command("verify-draw <document>")
    .description("check a draw, offline: a file with what GET /rooms/ROOM/draw answers (docs/draw.md)")
    .option("--receipt <receipt>", "a receipt, or a file of receipts; may be given several times", collect)
    .option("--position <place>", "the place that the waiting page reported for the receipt", readPlace)
    .option(
      "--key <thumbprint>",
      "the key that all must be signed with, where you know it from elsewhere",
      readThumbprint,
    )
    .option("--json", "print what was found as JSON")
    .action(async (path: string, { receipt = [], position, key, json }: Options) => {
      const document = await readDocumentFile(path);
      const receipts = (await Promise.all(receipt.map(readReceipts))).flat();
      const { verifyRound } = await import("../draw/beacon-signature.ts");
      const report = verifyDraw(document, receipts, {
        verifyRound,
        ...(position === undefined ? {} : { position }),
        ...(key === undefined ? {} : { keyThumbprint: key }),
      });
      const { isGenuine, checks, places } = report;
      print(json ? JSON.stringify({ genuine: isGenuine, checks, places }, null, 2) : describeReport(report));
      // The report has the details; this is for the exit status and for readers of stderr alone.
      if (!isGenuine) throw new CommandError(describeOutcome(report));
    });
}

function collect(receipt: string, before: readonly string[] = []): string[] {
  return [...before, receipt];
}

function readPlace(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InvalidArgumentError("expected a place in line, a whole number from 1 on");
  return Number(text);
}

function readThumbprint(text: string): string {
  if (!/^[\w-]{43}$/.test(text)) throw new InvalidArgumentError("expected a thumbprint, 43 characters (RFC 7638)");
  return text;
}
