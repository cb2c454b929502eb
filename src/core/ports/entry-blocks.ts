/**
 * The blocks of addresses that the entries of a draw came from: a row of characters for each number, in a row. In Redis one string.
 * A row is two keyed hashes of 48 bits in base64url: of the address, and of its network.
 */
export interface EntryBlocks {
  readonly isCollection?: true;
  rows: Uint8Array;
}

/** Characters of one hash, and of a row. */
export const blockLength = 8;
export const rowLength = 2 * blockLength;
/** Of an entry whose address is not known; no hash has such characters. */
export const unknownRow = ".".repeat(rowLength);
/** Rows that are kept; Redis holds no longer string. */
export const maxRows = 30_000_000;

const bytesMin = 4_096;

export function createEntryBlocks(): EntryBlocks {
  return { rows: new Uint8Array(0) };
}

/** Keeps the first `count` rows of a text, from this index on. */
export function writeRows(blocks: EntryBlocks, index: number, text: string, count: number): void {
  const end = (index + count) * rowLength;
  if (end > blocks.rows.length) {
    const grown = new Uint8Array(Math.max(bytesMin, 2 * end));
    grown.set(blocks.rows);
    blocks.rows = grown;
  }
  blocks.rows.set(Buffer.from(text.slice(0, count * rowLength), "latin1"), index * rowLength);
}

/** The rows of the indexes from `from` to `to`, both inclusive, as one text; fewer where there are no more. */
export function readRows({ rows }: EntryBlocks, from: number, to: number): string {
  return to < from ? "" : Buffer.from(rows.subarray(from * rowLength, (to + 1) * rowLength)).toString("latin1");
}

/** Indexes of the rows of a text that have one of these hashes, ascending. */
export function rowsWith(text: string, wanted: readonly string[]): number[] {
  const hashes = new Set(wanted);
  const found: number[] = [];
  for (let at = 0; at + rowLength <= text.length; at += rowLength) {
    const address = text.slice(at, at + blockLength);
    const network = text.slice(at + blockLength, at + rowLength);
    if (hashes.has(address) || hashes.has(network)) found.push(at / rowLength);
  }
  return found;
}
