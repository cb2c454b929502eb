import { randomBytes } from "node:crypto";
import { constants, crc32, deflateRawSync } from "node:zlib";
import { crc32Combine, crc32Shift } from "./crc32-combine.ts";

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

  return {
    /** The page with these values, by slot number, in its slots. Values are HTML already: they are not escaped. */
    fill(values: readonly string[], gzip: boolean): Buffer {
      const filled = runs.map((run) => Buffer.from(fillRun(run, values)));
      if (!gzip) return byTurns(plain, filled, false);
      deflated ??= deflatePieces(plain);
      let crc = 0;
      let bytes = plainBytes;
      sums.forEach((sum, index) => {
        crc = crc32Combine(crc, sum.crc, sum.shift);
        const run = filled[index];
        if (run === undefined) return;
        crc = crc32(run, crc);
        bytes += run.length;
      });
      const page = byTurns(deflated, filled, true);
      page.writeUInt32LE(crc, page.length - GZIP_TRAILER_BYTES);
      page.writeUInt32LE(bytes, page.length - 4);
      return page;
    },
  };
}

/** @param isGzip whether runs stand in stored blocks, and a trailer follows, whose bytes are left free */
function byTurns(constants: readonly Buffer[], runs: readonly Buffer[], isGzip: boolean): Buffer {
  let size = isGzip ? GZIP_TRAILER_BYTES : 0;
  for (const piece of constants) size += piece.length;
  if (isGzip) for (const run of runs) size += 4 + 5 * Math.max(0, Math.ceil(run.length / STORED_BYTES_MAX) - 1);
  for (const run of runs) size += run.length;
  const page = Buffer.allocUnsafe(size);
  let at = 0;
  constants.forEach((constant, index) => {
    at += constant.copy(page, at);
    const run = runs[index];
    if (run !== undefined) at = isGzip ? writeStored(page, at, run) : at + run.copy(page, at);
  });
  return page;
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

function deflatePieces(plain: readonly Buffer[]): Buffer[] {
  const last = plain.length - 1;
  return plain.map((piece, index) => {
    const deflated = deflateRawSync(piece, {
      level: 9,
      // Shorter blocks: styles, markup, texts and scripts each get codes of their own.
      memLevel: 8,
      finishFlush: index === last ? constants.Z_FINISH : constants.Z_FULL_FLUSH,
    });
    // A flush ends with an empty stored block: what a visitor gets of their own takes its place, from its length on.
    const open = index === last ? deflated : deflated.subarray(0, -4);
    return index === 0 ? Buffer.concat([GZIP_HEADER, open]) : open;
  });
}

/**
 * Stored blocks: a zero byte (not the last block, type 0, padding), the length, its complement, the bytes. The first of these
 * stands there already.
 */
function writeStored(page: Buffer, start: number, run: Buffer): number {
  let at = start;
  for (let from = 0; from === 0 || from < run.length; from += STORED_BYTES_MAX) {
    const size = Math.min(STORED_BYTES_MAX, run.length - from);
    if (from > 0) at = page.writeUInt8(0, at);
    at = page.writeUInt16LE(size, at);
    at = page.writeUInt16LE(~size & 0xffff, at);
    at += run.copy(page, at, from, from + size);
  }
  return at;
}
