/**
 * A page that is rendered once for all visitors of a room, with slots for what is a visitor's own. Its constant text is compressed once as well: that
 * saves twice a join's CPU time (docs/decisions/0010-straight-path.md).
 */
import { randomBytes } from "node:crypto";
import { constants, crc32, deflateRawSync } from "node:zlib";

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
