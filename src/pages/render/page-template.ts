import { randomBytes } from "node:crypto";
import { constants, crc32, deflateRawSync } from "node:zlib";
import { crc32Combine, crc32Shift } from "./crc32-combine.ts";

/**
 * A page that differs between visitors in a few short places only. It is rendered once with a marker in
 * each such slot and cut at the markers; for a visitor only the slots are filled.
 *
 * For gzip the constant pieces are compressed once, each into raw deflate blocks that end byte-aligned and
 * refer to nothing outside the piece; what a visitor gets of their own goes between them as stored blocks.
 * Together they are one deflate stream (RFC 1951 §3.2.4) in one gzip member (RFC 1952).
 */
export interface PageTemplate {
  /** The page with these values, by slot number, in its slots. Values are HTML already: they are not escaped. */
  fill(values: readonly string[], gzip: boolean): Buffer;
}

/** What stands for slot `index` while the page is rendered. HTML escaping leaves it alone; nobody can guess it. */
export interface SlotMarkers {
  marker(index: number): string;
  compile(html: string): PageTemplate;
}

/** Constant text shorter than this between two slots is not worth a deflate block of its own. */
const SHORT_BYTES_MAX = 160;
const STORED_BYTES_MAX = 65_535;
/** Deflate, no name, no time, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const GZIP_TRAILER_BYTES = 8;

interface Constant {
  readonly bytes: Buffer;
  readonly crc: number;
  readonly shift: number;
}

/** Text and slot numbers by turns. */
type Run = readonly (string | number)[];

export function createSlotMarkers(): SlotMarkers {
  // Private-use characters around an unguessable word: no operator's or visitor's text can contain it.
  const word = randomBytes(12).toString("hex");
  const pattern = new RegExp(`\\uE000${word}:(\\d+)\\uE001`);
  return {
    marker: (index) => `\uE000${word}:${index}\uE001`,
    compile: (html) => createTemplate(html.split(pattern)),
  };
}

/** @param pieces text, slot number, text, slot number, …, text */
function createTemplate(pieces: readonly string[]): PageTemplate {
  const { constants: texts, runs } = group(pieces);
  const plain: Constant[] = texts.map((text) => {
    const bytes = Buffer.from(text);
    return { bytes, crc: crc32(bytes), shift: crc32Shift(bytes.length) };
  });
  const plainBytes = plain.reduce((sum, piece) => sum + piece.bytes.length, 0);
  // Not every view is ever asked for with gzip, so this waits for the first request that does.
  let deflated: { pieces: Buffer[]; bytes: number } | undefined;

  return {
    fill(values, gzip) {
      const filled = runs.map((run) => Buffer.from(fillRun(run, values)));
      if (!gzip) return joinPlain(plain, filled, plainBytes);
      deflated ??= deflatePieces(plain);
      return joinDeflated(plain, deflated.pieces, filled, deflated.bytes, plainBytes);
    },
  };
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

function joinPlain(plain: readonly Constant[], filled: readonly Buffer[], plainBytes: number): Buffer {
  let size = plainBytes;
  for (const run of filled) size += run.length;
  const page = Buffer.allocUnsafe(size);
  let at = 0;
  plain.forEach((piece, index) => {
    at += piece.bytes.copy(page, at);
    at += filled[index]?.copy(page, at) ?? 0;
  });
  return page;
}

function deflatePieces(plain: readonly Constant[]): { pieces: Buffer[]; bytes: number } {
  const last = plain.length - 1;
  const pieces = plain.map((piece, index) =>
    deflateRawSync(piece.bytes, {
      level: 9,
      // Shorter blocks: styles, markup, texts and scripts each get codes of their own.
      memLevel: 6,
      finishFlush: index === last ? constants.Z_FINISH : constants.Z_FULL_FLUSH,
    }),
  );
  return { pieces, bytes: pieces.reduce((sum, piece) => sum + piece.length, 0) };
}

function joinDeflated(
  plain: readonly Constant[],
  deflated: readonly Buffer[],
  filled: readonly Buffer[],
  deflatedBytes: number,
  plainBytes: number,
): Buffer {
  let storedBytes = 0;
  let pageBytes = plainBytes;
  for (const run of filled) {
    storedBytes += run.length + 5 * Math.ceil(run.length / STORED_BYTES_MAX);
    pageBytes += run.length;
  }
  const page = Buffer.allocUnsafe(GZIP_HEADER.length + deflatedBytes + storedBytes + GZIP_TRAILER_BYTES);
  let at = GZIP_HEADER.copy(page);
  let crc = 0;
  plain.forEach((piece, index) => {
    at += deflated[index]?.copy(page, at) ?? 0;
    crc = crc32Combine(crc, piece.crc, piece.shift);
    const run = filled[index];
    if (run === undefined) return;
    at = writeStored(page, at, run);
    crc = crc32(run, crc);
  });
  at = page.writeUInt32LE(crc, at);
  page.writeUInt32LE(pageBytes, at);
  return page;
}

/** Stored blocks: a zero byte (not the last block, type 0, padding), the length, its complement, the bytes. */
function writeStored(page: Buffer, start: number, run: Buffer): number {
  let at = start;
  for (let from = 0; from < run.length; from += STORED_BYTES_MAX) {
    const size = Math.min(STORED_BYTES_MAX, run.length - from);
    at = page.writeUInt8(0, at);
    at = page.writeUInt16LE(size, at);
    at = page.writeUInt16LE(~size & 0xffff, at);
    at += run.copy(page, at, from, from + size);
  }
  return at;
}
