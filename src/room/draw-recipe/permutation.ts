import { sha256 } from "@noble/hashes/sha2.js";

/** What the tables are made of: each row of the square is moved by a table of its own, round by round. */
export const rounds = 12;
/** Up to here a table's value fits into 16 bits. */
export const sizeMax = 2 ** 32;

const hashBytes = 32;
const wordBytes = 4;

/** The sides of the rectangle on which `size` numbers are moved: a · b ≥ size, and no smaller square would do. */
export function sidesOf(size: number): { readonly a: number; readonly b: number } {
  const a = Math.ceil(Math.sqrt(size));
  return { a, b: Math.ceil(size / a) };
}

/**
 * An order of the whole numbers 0 … size - 1 that a key fixes: answers where an index comes to stand, from 0. An unbalanced Feistel network over Z_a × Z_b whose round functions are tables of random numbers, with cycle walking
 * (Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002). Takes `rounds`/2 · (a + b) numbers of 16 bits, some
 * 24 kB for a million, whatever is asked of it; docs/draw.md gives the recipe.
 *
 * @param key 32 bytes, of which the tables are made
 * @throws RangeError for a size that is no whole number up to `sizeMax`
 */
export function createPermutation(key: Uint8Array, size: number): (index: number) => number {
  if (!Number.isInteger(size) || size < 0 || size > sizeMax) throw new RangeError(`no permutation of ${size} numbers`);
  if (size < 2) return (index) => checked(index, size);
  const { a, b } = sidesOf(size);
  const tables = readTables(key, a, b);

  const once = (x: number): number => {
    let l = Math.floor(x / b);
    let r = x % b;
    for (let round = 0; round < rounds; round += 2) {
      l = (l + (tables[round]?.[r] ?? 0)) % a;
      r = (r + (tables[round + 1]?.[l] ?? 0)) % b;
    }
    return l * b + r;
  };

  return (index) => {
    let x = once(checked(index, size));
    while (x >= size) x = once(x);
    return x;
  };
}

/** Even rounds have `b` values below `a`, odd ones `a` values below `b`. */
function readTables(key: Uint8Array, a: number, b: number): Uint16Array[] {
  const nextWord = createWords(key);
  return Array.from({ length: rounds }, (_, round) => {
    const isEven = round % 2 === 0;
    const table = new Uint16Array(isEven ? b : a);
    const modulus = isEven ? a : b;
    // Below 2^48: exact.
    for (let place = 0; place < table.length; place++) table[place] = Math.floor((nextWord() * modulus) / 2 ** 32);
    return table;
  });
}

/** The words of SHA-256(key ‖ 0), SHA-256(key ‖ 1), …: numbers of 32 bits, the most significant byte first. */
function createWords(key: Uint8Array): () => number {
  const input = new Uint8Array(key.length + wordBytes);
  input.set(key);
  const counter = new DataView(input.buffer, key.length);
  let block = new DataView(new ArrayBuffer(0));
  let blocks = 0;
  let offset = 0;
  return () => {
    if (offset === block.byteLength) {
      counter.setUint32(0, blocks);
      blocks += 1;
      const { buffer, byteOffset } = sha256(input);
      block = new DataView(buffer, byteOffset, hashBytes);
      offset = 0;
    }
    offset += wordBytes;
    return block.getUint32(offset - wordBytes);
  };
}

function checked(index: number, size: number): number {
  if (!Number.isInteger(index) || index < 0 || index >= size) throw new RangeError(`${index} is not below ${size}`);
  return index;
}
