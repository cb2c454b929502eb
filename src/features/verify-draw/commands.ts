import { type Command, InvalidArgumentError } from "commander";
import { readFileUpTo } from "../../lib/read-file.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { CommandError, counted, jsonText, printable, type Terminal } from "../../operate/commands/terminal.ts";
import type { Check, CheckStatus, DrawReport, FoundPlace } from "../../room/draw-recipe/index.ts";
import { type DrawDocument, readDrawDocument, ShapeError, verifyDraw } from "../../room/draw-recipe/index.ts";

/** A receipt, and a record of a draw with all that was voided. */
const reportBytesMax = 64 * 1_048_576;

interface Options {
  readonly receipt?: readonly string[];
  readonly position?: number;
  readonly key?: string;
  readonly json?: true;
}

/** `usher verify-draw …`: checks by itself, without asking anybody, what a room has published of its draws (docs/draw.md). */
export function addVerifyDrawCommand(program: Command, { print }: Pick<Terminal, "print">): void {
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
      const { verifyRound } = await import("../../room/draw-recipe/beacon-signature.ts");
      const report = verifyDraw(document, receipts, {
        verifyRound,
        ...(position === undefined ? {} : { position }),
        ...(key === undefined ? {} : { keyThumbprint: key }),
      });
      const { isGenuine, checks, places } = report;
      print(json ? jsonText({ genuine: isGenuine, checks, places }) : describeReport(report));
      // The report has the details; this is for the exit status and for readers of stderr alone.
      if (!isGenuine) throw new CommandError(describeOutcome(report));
    });
  addExamples(program, "usher verify-draw draw.json --receipt receipt.txt");
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

/** Three parts of base64url, as a signed text has them and hardly a file. */
const signedText = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

/** @throws CommandError which says what is wrong with the file */
async function readDocumentFile(path: string): Promise<DrawDocument> {
  if (/^https?:\/\//.test(path)) {
    throw new CommandError(`nothing is fetched here: save the document first, with curl -o draw.json ${path}`);
  }
  const text = await readText(path);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new CommandError(`${path} is no JSON: save what GET /rooms/ROOM/draw answers`);
  }
  try {
    return readDrawDocument(json);
  } catch (error) {
    if (error instanceof ShapeError) throw new CommandError(`${path} is no record of a draw: ${error.message}`);
    throw error;
  }
}

/** @param named a receipt, or a file: of receipts with blanks or lines between, or of what the JSON API answers */
async function readReceipts(named: string): Promise<string[]> {
  if (signedText.test(named)) return [named];
  const content = await readText(named);
  const receipts = receiptOfAnswer(content) ?? content.split(/\s+/).filter((text) => text !== "");
  if (receipts.length === 0) throw new CommandError(`${named} is empty: expected a receipt`);
  // A damaged receipt is the report's matter; a file that has nothing like one was named by mistake.
  if (!receipts.some((text) => text.startsWith("eyJ")))
    throw new CommandError(`${named} holds no receipt: expected the text that begins with eyJ`);
  return receipts;
}

/** That of `{ "receipt": … }`, as `GET …/tickets/me/receipt` answers; null where the content is something else. */
function receiptOfAnswer(content: string): string[] | null {
  try {
    const { receipt } = Object(JSON.parse(content)) as { receipt?: unknown };
    return typeof receipt === "string" ? [receipt] : null;
  } catch {
    return null;
  }
}

async function readText(path: string): Promise<string> {
  try {
    // Some editors begin a file with a byte order mark.
    return (await readFileUpTo(path, reportBytesMax)).toString("utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    throw new CommandError(code === "ENOENT" ? `there is no file ${path}` : `${path} cannot be read (${code})`);
  }
}

const words: Readonly<Record<CheckStatus, string>> = { ok: "ok", warning: "WARNING", failed: "FAILED" };
const statusWidth = 9;
const nameWidth = 10;

/** What was checked, line by line, and where the holders of the receipts stand, for a terminal. */
function describeReport(report: DrawReport): string {
  const { checks, places } = report;
  const isOfOneDraw = new Set(checks.flatMap(({ draw }) => draw ?? [])).size < 2;
  const lines = checks.map((check) => describeCheck(check, isOfOneDraw));
  const found = places.map(describePlace);
  return [...lines, ...(found.length === 0 ? [] : ["", ...found]), "", describeOutcome(report)]
    .map(printable)
    .join("\n");
}

/** One sentence about all checks. */
export function describeOutcome({ isGenuine, checks }: DrawReport): string {
  const warnings = checks.filter(({ status }) => status === "warning").length;
  const failed = checks.filter(({ status }) => status === "failed").length;
  // Of a document with a draw there is more than its contents to check.
  if (!isGenuine && checks.every(({ name }) => name === "contents")) return "There is nothing to check.";
  if (!isGenuine) return `${failed} of ${counted(checks.length, "check")} failed: do not trust this.`;
  const reported = warnings === 0 ? "" : ` There ${warnings === 1 ? "is" : "are"} ${counted(warnings, "warning")}.`;
  return `Nothing is wrong, by ${counted(checks.length, "check")}.${reported}`;
}

function describeCheck({ name, draw, status, text }: Check, isOfOneDraw: boolean): string {
  const where = isOfOneDraw || draw === null ? "" : `Draw ${draw}: `;
  return `${words[status].padEnd(statusWidth)}${name.padEnd(nameWidth)}${where}${text}`;
}

function describePlace({ sub, entry, position, entries }: FoundPlace): string {
  const place = position === null ? "has no place by this document" : `has place ${position}; ${entries} took part`;
  return `Entry ${entry} (visitor ${sub}) ${place}.`;
}
