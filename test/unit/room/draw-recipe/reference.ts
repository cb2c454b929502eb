/** The recipe of docs/draw.md once more, written from its words alone: slow, on big integers and Node's own hashes. */
import { createHash, createHmac } from "node:crypto";

export interface ReferenceRecord {
  readonly room: string;
  readonly edition: number;
  readonly id: number;
  readonly seed: string;
  readonly first: number;
  readonly last: number;
  readonly gaps: readonly (readonly [number, number])[];
  readonly beacon: string;
}

export function referenceSeed(secret: Uint8Array, room: string, edition: number, id: number): string {
  return createHmac("sha256", secret).update(`usher draw seed v1\n${room}\n${edition}\n${id}`).digest("hex");
}

export function referenceCommitment(room: string, edition: number, id: number, seed: string): string {
  return createHash("sha256").update(`usher draw commitment v1\n${room}\n${edition}\n${id}\n${seed}`).digest("hex");
}

/** Where each number of first … last comes to stand. */
export function referencePositions(record: ReferenceRecord): Map<number, number> {
  const { room, edition, id, seed, first, last, gaps, beacon } = record;
  const isGap = (number: number) => gaps.some(([from, to]) => from <= number && number <= to);
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const held = all.filter((number) => !isGap(number));
  const key = createHash("sha256")
    .update(["usher draw key v1", room, edition, id, seed, held.length, beacon].join("\n"))
    .digest();
  const pi = referencePermutation(key, held.length);
  return new Map([
    ...held.map((number, index): [number, number] => [number, first + pi(index)]),
    ...all.filter(isGap).map((number, rank): [number, number] => [number, first + held.length + rank]),
  ]);
}

export function referencePermutation(key: Uint8Array, entries: number): (index: number) => number {
  if (entries === 1) return () => 0;
  const m = BigInt(entries);
  let a = 0n;
  while (a * a < m) a += 1n;
  let b = 0n;
  while (a * b < m) b += 1n;
  const words = wordsOf(key);
  const tables = Array.from({ length: 12 }, (_, round) => {
    const [length, modulus] = round % 2 === 0 ? [b, a] : [a, b];
    return Array.from({ length: Number(length) }, () => ((words.next().value ?? 0n) * modulus) >> 32n);
  });
  const walk = (x: bigint): bigint => {
    let l = x / b;
    let r = x - l * b;
    tables.forEach((table, round) => {
      if (round % 2 === 0) l = (l + (table[Number(r)] ?? 0n)) % a;
      else r = (r + (table[Number(l)] ?? 0n)) % b;
    });
    const y = l * b + r;
    return y < m ? y : walk(y);
  };
  return (index) => Number(walk(BigInt(index)));
}

function* wordsOf(key: Uint8Array): Generator<bigint, undefined> {
  for (let block = 0; ; block += 1) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(block);
    const digest = createHash("sha256").update(key).update(counter).digest();
    for (let offset = 0; offset < 32; offset += 4) yield BigInt(digest.readUInt32BE(offset));
  }
}
