import { readFile } from "node:fs/promises";
import { type DrawDocument, readDrawDocument, ShapeError } from "../draw/index.ts";
import { CommandError } from "./admin-client.ts";

/** Three parts of base64url, as a signed text has them and hardly a file. */
const signedText = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

/** @throws CommandError which says what is wrong with the file */
export async function readDocumentFile(path: string): Promise<DrawDocument> {
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
export async function readReceipts(named: string): Promise<string[]> {
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
    return (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    throw new CommandError(code === "ENOENT" ? `there is no file ${path}` : `${path} cannot be read (${code})`);
  }
}
