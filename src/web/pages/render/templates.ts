/**
 * Templates: those of views/, and an operator's in place of some of them; and pages that are rendered once for all visitors of a room, with slots for
 * what is a visitor's own. Their constant text is compressed once as well: that saves twice a join's CPU time (docs/decisions/0010-straight-path.md).
 */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, extname, join, resolve, sep } from "node:path";
import { Script } from "node:vm";
import { constants, crc32, deflateRawSync } from "node:zlib";
import ejs from "ejs";
import type { ReportViewProblem } from "../types.ts";

export type Template = (page: object) => string;

/** What pages include, what stands around them, and pages. An operator's folder may hold any of them. */
export const templateNames = [
  "message",
  "onward",
  "move",
  "draw",
  "check",
  "device",
  "layout",
  "waiting",
  "notice",
] as const;
export type TemplateName = (typeof templateNames)[number];
export type Templates = Readonly<Record<TemplateName, Template>>;

/**
 * Compiles each file when it is needed first, and never again: the files may change while pages are made. Strict mode: the
 * variables are `page` and, for what an include hands over, `locals`; and a name that does not exist is an error instead of nothing.
 *
 * @param custom override the built-in ones: an operator's folder, and those of its templates that are used
 */
export function readTemplates(
  viewsDir: string,
  custom?: { readonly folder: string; readonly names: readonly TemplateName[] },
): Templates {
  const files = new Map<string, (locals: object) => string>();
  const places = new Map<string, string>();
  const isCustom = (name: string) => custom?.names.some((template) => name === `${template}.ejs`) === true;
  const fileOf = (name: string) => join(isCustom(name) && custom !== undefined ? custom.folder : viewsDir, name);

  /** Includes of a template's name lead to whichever is used; all others stay inside the folder. */
  const included = (written: string, from: string): string => {
    const file = resolve(dirname(from), extname(written) === "" ? `${written}.ejs` : written);
    const name = basename(file);
    const isOther = ![resolve(viewsDir), custom?.folder].includes(dirname(file)) && existsSync(file);
    if (!isOther && templateNames.some((each) => name === `${each}.ejs`)) return fileOf(name);
    if (!existsSync(file)) throw new Error(`there is no file to include: ${written}`);
    if (!isInside(file, viewsDir) && (custom === undefined || !isInside(file, custom.folder))) {
      throw new Error(`an include may not lead out of its folder: ${written}`);
    }
    return file;
  };

  const compile = (filename: string) => {
    const text = readFileSync(filename, "utf8").replace(/^\uFEFF/, "");
    const options = {
      filename,
      strict: true,
      _with: false,
      localsName: "locals",
      // EJS would read and compile an included file anew each time.
      destructuredLocals: ["page", "include"],
      // Lines are counted where an operator may have to look for a fault.
      rmWhitespace: custom === undefined || !filename.startsWith(custom.folder + sep),
    };
    try {
      return ejs.compile(text, options);
    } catch (error) {
      throw atLine(error, filename, syntaxErrorLine(text, options));
    }
  };
  const render = (file: string, locals: object): string => {
    const template = files.get(file) ?? compile(file);
    files.set(file, template);
    const include = (written: string, handed?: object) => {
      const key = `${file}\n${written}`;
      const place = places.get(key) ?? included(written, file);
      places.set(key, place);
      return render(place, { ...locals, ...handed });
    };
    return template({ ...locals, include });
  };
  return createTemplates((name) => (page) => render(fileOf(`${name}.ejs`), { page }));
}

function isInside(file: string, folder: string): boolean {
  return realpathSync(file).startsWith(realpathSync(folder) + sep);
}

function atLine(error: unknown, file: string, line: number | null): Error {
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).split(` in ${file}`);
  return new Error(`${file}${line === null ? "" : `:${line}`}: ${reason}`, { cause: error });
}

/**
 * The line of a template at which it stops being one; null where that can't be told. EJS itself does not say.
 *
 * @param options as for `ejs.compile`
 */
function syntaxErrorLine(text: string, options: ejs.Options): number | null {
  const template = new ejs.Template(text, options);
  try {
    template.compile();
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? lineInSource(template.source) : unclosedTagLine(text);
  }
}

/** The generated program notes the template's lines as it goes. */
function lineInSource(source: string): number | null {
  try {
    new Script(`(function(){\n${source}\n})`, { filename: "template" });
    return null;
  } catch (error) {
    const at = /^template:(\d+)/.exec(error instanceof Error ? (error.stack ?? "") : "")?.[1];
    const before = source
      .split("\n")
      .slice(0, Number(at) - 1)
      .join("\n");
    return Number([...before.matchAll(/__line = (\d+)/g)].at(-1)?.[1] ?? 1);
  }
}

function unclosedTagLine(text: string): number | null {
  for (let at = text.indexOf("<%"); at >= 0; at = text.indexOf("<%", at + 2)) {
    const [end, next] = [text.indexOf("%>", at), text.indexOf("<%", at + 2)];
    if (end < 0 || (next >= 0 && next < end)) return text.slice(0, at).split("\n").length;
  }
  return null;
}

/** The file and line of what went wrong in a template, and what it was, on one line. */
export function describeTemplateError(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replace(/ while compiling ejs[\s\S]*$/, "");
  // EJS puts the lines around it between the place and the reason.
  const [place = "", ...rest] = message.split("\n");
  if (rest.length === 0 || !/:\d+$/.test(place)) return message.replaceAll("\n", " ");
  return `${place}: ${describeTemplateError(new Error(message.slice(message.indexOf("\n\n") + 2)))}`;
}

/** With the built-in template in place of one that fails on a page; each such template is reported once. */
export function withFallback(custom: Templates, builtIn: Templates, report: ReportViewProblem): Templates {
  const guard = (name: TemplateName): Template => {
    let isReported = false;
    return (page) => {
      try {
        return custom[name](page);
      } catch (error) {
        const message = `${describeTemplateError(error)}; the built-in ${name}.ejs is used`;
        if (!isReported) report({ when: "page", message });
        isReported = true;
        return builtIn[name](page);
      }
    };
  };
  return createTemplates(guard);
}

export function createTemplates(make: (name: TemplateName) => Template): Templates {
  return Object.fromEntries(templateNames.map((name) => [name, make(name)])) as Record<TemplateName, Template>;
}

export type PageTemplate = ReturnType<typeof createTemplate>;

/** Constant text shorter than this between two slots is not worth a deflate block of its own. */
const SHORT_BYTES_MAX = 100;
const STORED_BYTES_MAX = 65_535;
/** Deflate, no name, no time, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** The CRC-32 and the length of the page. */
const GZIP_TRAILER_BYTES = 8;

/** Text and slot numbers by turns. */
type Run = readonly (string | number)[];

export function createSlotMarkers() {
  // Private-use characters around an unguessable word: no operator's or visitor's text can contain it.
  const word = randomBytes(12).toString("hex");
  const pattern = new RegExp(`\\uE000${word}:(\\d+)\\uE001`);
  return {
    /** What stands for a slot while the page is rendered. HTML escaping leaves it alone; nobody can guess it. */
    marker: (index: number) => `\uE000${word}:${index}\uE001`,
    compile: (html: string) => createTemplate(html.split(pattern)),
  };
}

/**
 * A page that differs between visitors in a few short places only. It is rendered once with a marker in
 * each such slot and cut at the markers; for a visitor only the slots are filled.
 *
 * For gzip the constant pieces are compressed once, each into raw deflate blocks that end byte-aligned and
 * refer to nothing outside the piece; what a visitor gets of their own goes between them as stored blocks.
 * Together they are one deflate stream (RFC 1951 §3.2.4) in one gzip member (RFC 1952).
 *
 * @param pieces text, slot number, text, slot number, …, text
 */
function createTemplate(pieces: readonly string[]) {
  const { constants: texts, runs } = group(pieces);
  const plain = texts.map((text) => Buffer.from(text));
  const sums = plain.map((piece) => ({ crc: crc32(piece), shift: crc32Shift(piece.length) }));
  const plainBytes = plain.reduce((sum, piece) => sum + piece.length, 0);
  // Not every view is ever asked for with gzip, so this waits for the first request that does.
  let deflated: Buffer[] | undefined;

  function fillPlain(values: readonly string[]): FilledPage {
    const filled = new FilledPage();
    for (let index = 0; index < runs.length; index++) {
      filled.add(plain[index] as Buffer);
      filled.add(Buffer.from(fillRun(runs[index] as Run, values)));
    }
    filled.add(plain[runs.length] as Buffer);
    return filled;
  }

  function fillGzip(values: readonly string[]): FilledPage {
    deflated ??= deflatePieces(plain);
    const filled = new FilledPage();
    let crc = 0;
    let bytes = plainBytes;
    for (let index = 0; index < plain.length; index++) {
      const sum = sums[index] as (typeof sums)[number];
      crc = crc32Combine(crc, sum.crc, sum.shift);
      filled.add(deflated[index] as Buffer);
      if (index === runs.length) break;
      const run = Buffer.from(fillRun(runs[index] as Run, values));
      crc = crc32(run, crc);
      bytes += run.length;
      addStored(filled, run);
    }
    const trailer = Buffer.allocUnsafe(GZIP_TRAILER_BYTES);
    trailer.writeUInt32LE(crc, 0);
    trailer.writeUInt32LE(bytes, 4);
    filled.add(trailer);
    return filled;
  }

  return {
    /** The page with these values, by slot number, in its slots. Values are HTML already: they are not escaped. */
    fill: (values: readonly string[], gzip: boolean): FilledPage => (gzip ? fillGzip(values) : fillPlain(values)),
  };
}

/**
 * A page in pieces, most of which all of its visitors share: who writes them as they are needs no memory for the page, nor time to
 * copy it.
 */
export class FilledPage {
  readonly pieces: Buffer[] = [];
  /** In bytes. */
  length = 0;

  add(piece: Buffer): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /** In one piece. */
  whole(): Buffer {
    return Buffer.concat(this.pieces, this.length);
  }
}

/** Constants and runs by turns, a constant at both ends; short constants between slots join the run. */
function group(pieces: readonly string[]): { constants: string[]; runs: Run[] } {
  const texts: string[] = [pieces[0] ?? ""];
  const runs: (string | number)[][] = [];
  for (let i = 1; i < pieces.length; i += 2) {
    const slot = Number(pieces[i]);
    const before = texts.at(-1) ?? "";
    const run = runs.at(-1);
    if (run !== undefined && Buffer.byteLength(before) <= SHORT_BYTES_MAX) {
      run.push(before, slot);
      texts.pop();
    } else {
      runs.push([slot]);
    }
    texts.push(pieces[i + 1] ?? "");
  }
  return { constants: texts, runs };
}

function fillRun(run: Run, values: readonly string[]): string {
  let text = "";
  for (const part of run) text += typeof part === "number" ? (values[part] ?? "") : part;
  return text;
}

/** By its memory zlib bounds how long a block with codes of its own is: styles, markup, texts and scripts are shortest with one or the other. */
const memLevels = [6, 8];

function deflatePieces(plain: readonly Buffer[]): Buffer[] {
  const last = plain.length - 1;
  return plain.map((piece, index) => {
    const finishFlush = index === last ? constants.Z_FINISH : constants.Z_FULL_FLUSH;
    const [deflated = piece] = memLevels
      .map((memLevel) => deflateRawSync(piece, { level: 9, memLevel, finishFlush }))
      .sort((a, b) => a.length - b.length);
    // A flush ends with an empty stored block: what a visitor gets of their own takes its place, from its length on.
    const open = index === last ? deflated : deflated.subarray(0, -4);
    return index === 0 ? Buffer.concat([GZIP_HEADER, open]) : open;
  });
}

/**
 * Stored blocks: a zero byte (not the last block, type 0, padding), the length, its complement, the bytes. The first of these
 * stands there already.
 */
function addStored(page: FilledPage, run: Buffer): void {
  for (let from = 0; from === 0 || from < run.length; from += STORED_BYTES_MAX) {
    const size = Math.min(STORED_BYTES_MAX, run.length - from);
    const isFirst = from === 0;
    const block = Buffer.allocUnsafe((isFirst ? 4 : 5) + size);
    let at = isFirst ? 0 : block.writeUInt8(0, 0);
    at = block.writeUInt16LE(size, at);
    at = block.writeUInt16LE(~size & 0xffff, at);
    run.copy(block, at, from, from + size);
    page.add(block);
  }
}

/** The CRC's own polynomial over GF(2), bits reflected. */
const POLYNOMIAL = 0xedb88320;
/** x^0; the highest bit is the lowest power. */
const ONE = 0x80000000;

/** a · b modulo the polynomial. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product >>> 0;
}

/** The operator "followed by `byteCount` bytes": x^(8 · byteCount). Made once per constant piece. */
export function crc32Shift(byteCount: number): number {
  let operator = ONE;
  // x^8, then squared for each binary digit of the count.
  let power = ONE >>> 8;
  for (let rest = byteCount; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) operator = multiply(power, operator);
    power = multiply(power, power);
  }
  return operator;
}

/** CRC-32 of A followed by B from the CRC-32 of each, as zlib's `crc32_combine` does it. `shiftOfB` is `crc32Shift` of B's length. */
export function crc32Combine(crcOfA: number, crcOfB: number, shiftOfB: number): number {
  return (multiply(shiftOfB, crcOfA) ^ crcOfB) >>> 0;
}
