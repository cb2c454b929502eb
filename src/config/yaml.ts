import { isUtf8 } from "node:buffer";
import { type ErrorCode, LineCounter, parseDocument, type YAMLError } from "yaml";
import { readFileUpTo } from "../lib/read-file.ts";
import { codeOf } from "../lib/system-errors.ts";
import { ConfigError, type Fault } from "./checks/faults.ts";
import { placesIn } from "./yaml-places.ts";

/** Far more than a thousand rooms and clients take. */
const configBytesMax = 32 * 1_048_576;

const TEXT_LENGTH_MAX = 4_194_304;

/** What went wrong, in our own words: the library's messages quote the source, where secrets may stand. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: "an alias (*name) can't have a tag or an anchor; text that begins with * or & needs quotes",
  BAD_ALIAS: "an alias (*name) is wrong or its anchor is missing; text that begins with * or & needs quotes",
  BAD_DQ_ESCAPE: "an unknown escape in \"…\"; use '…' for text with backslashes",
  BAD_INDENT: "the indentation does not fit the lines around it, or a bracket is not closed",
  BAD_SCALAR_START: "text that begins with @, ` or % needs quotes",
  BLOCK_AS_IMPLICIT_KEY: "a value with a colon in it needs quotes, or the indentation is wrong",
  BLOCK_IN_FLOW: "indented lists and mappings can't stand inside { } or [ ]",
  DUPLICATE_KEY: "this key occurs twice in its mapping: keep one of the two",
  MISSING_CHAR: "a character is missing: a colon, a comma, a space, a closing quote or bracket",
  MULTILINE_IMPLICIT_KEY: "a key must be on one line; is a colon or a quote missing?",
  MULTIPLE_DOCS: "expected one document, without --- in the middle",
  TAB_AS_INDENT: "tabs can't indent; use spaces",
  UNEXPECTED_TOKEN: "this is not expected here: inside { } and [ ], text with a bracket or a comma in it needs quotes",
  TAG_RESOLVE_FAILED: "tags (!name) are not available; text that begins with ! needs quotes",
};

/** Those after which the text is still read as it was meant. */
const LOCAL_ERRORS: ReadonlySet<ErrorCode> = new Set([
  "DUPLICATE_KEY",
  "BAD_ALIAS",
  "BAD_DQ_ESCAPE",
  "TAG_RESOLVE_FAILED",
]);

/** A time with a zone in brackets, without the quotes that it needs inside `{ }` and `[ ]`. */
const UNQUOTED_TIME = /(?<!["'\d])\d{4}-\d\d-\d\d[Tt]\d\d:\d\d[\d:.+Zz-]*\[[\w+\-/]{1,64}\]/g;

/** A document, and what says where in its text a fault is. */
export interface ReadYaml {
  readonly value: unknown;
  readonly placed: (faults: readonly Fault[]) => Fault[];
}

/**
 * Reads YAML 1.2 into plain values.
 *
 * @param name of the document in messages
 * @throws ConfigError with each syntax fault and its line, up to the first that leaves the rest unclear. Nothing of the text
 * is repeated but a time.
 */
export function readYaml(text: string, name: string): ReadYaml {
  if (text.length > TEXT_LENGTH_MAX) {
    throw syntaxError(name, [{ path: name, value: null, message: `expected at most ${TEXT_LENGTH_MAX} characters` }]);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines, logLevel: "warn" });
  const errors = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (errors.length > 0) {
    const unclear = errors.findIndex((error) => !LOCAL_ERRORS.has(error.code));
    const reported = unclear === -1 ? errors : errors.slice(0, unclear + 1);
    throw syntaxError(
      name,
      reported.map((error) => toFault(error, name, text, lines)),
    );
  }
  try {
    const value = document.toJS({ maxAliasCount: 100 });
    return { value, placed: (faults) => faults.map(placesIn(document, text, name, lines)) };
  } catch {
    const message = "aliases (*name) are wrong or too many; text that begins with * or & needs quotes";
    throw syntaxError(name, [{ path: name, value: null, message }]);
  }
}

function syntaxError(name: string, faults: readonly Fault[]): ConfigError {
  return new ConfigError(`${name} is not valid YAML:`, faults);
}

function toFault(error: YAMLError, name: string, text: string, lines: LineCounter): Fault {
  const { line, col } = lines.linePos(error.pos[0]);
  const message = MESSAGES[error.code] ?? `syntax error (${error.code.toLowerCase().replaceAll("_", " ")})`;
  const time = error.code === "UNEXPECTED_TOKEN" ? timeAt(text.split("\n")[line - 1] ?? "", col - 1) : null;
  const hint = time === null ? "" : `: write "${time}"`;
  return { path: "", value: null, message: message + hint, place: { file: name, line, column: col, excerpt: null } };
}

/** The time whose brackets stand at `column`, from 0. */
function timeAt(line: string, column: number): string | null {
  const times = [...line.matchAll(UNQUOTED_TIME)];
  return times.find(({ 0: time, index }) => index <= column && column <= index + time.length)?.[0] ?? null;
}

/** @throws ConfigError for a file that cannot be read, or is no text */
export async function readText(file: string): Promise<string> {
  const refuse = (message: string) =>
    new ConfigError("The configuration can't be read:", [{ path: file, value: null, message }]);
  const advice: Readonly<Record<string, string>> = {
    ENOENT: "there is no such file: give the path of a YAML file with --config",
    EISDIR: "is a folder: give the path of a YAML file with --config",
  };
  const bytes = await readFileUpTo(file, configBytesMax).catch((error: unknown) => {
    const code = codeOf(error);
    throw refuse(advice[code] ?? `can't be read (${code}): it must be readable to the user that Usher runs as`);
  });
  if (!isUtf8(bytes)) throw refuse("is not UTF-8: save it in that encoding");
  return bytes.toString("utf8");
}
