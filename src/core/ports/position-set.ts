/**
 * A set of positions, one bit each: positions are dense, so that ten million take 1.25 MB. Plain data and functions, so
 * that a whole store can be copied by `structuredClone`. In Redis a bitmap.
 */
export interface PositionSet {
  readonly isCollection?: true;
  words: Uint32Array;
}

const wordsMin = 256;
const allBits = 0xffff_ffff;

export function createPositionSet(): PositionSet {
  return { words: new Uint32Array(0) };
}

export function hasPosition({ words }: PositionSet, position: number): boolean {
  return ((words[Math.floor(position / 32)] ?? 0) & (1 << (position % 32))) !== 0;
}

export function addPosition(set: PositionSet, position: number): void {
  const index = Math.floor(position / 32);
  if (index >= set.words.length) {
    const grown = new Uint32Array(Math.max(wordsMin, 2 * index));
    grown.set(set.words);
    set.words = grown;
  }
  set.words[index] = (set.words[index] ?? 0) | (1 << (position % 32));
}

/** How many of the positions from `first` to `last`, both inclusive, are in the set. */
export function countPositions({ words }: PositionSet, first: number, last: number): number {
  const firstIndex = Math.floor(first / 32);
  const lastIndex = Math.floor(last / 32);
  let count = 0;
  for (let index = firstIndex; index <= lastIndex && index < words.length; index++) {
    const fromBit = index === firstIndex ? allBits << (first % 32) : allBits;
    const toBit = index === lastIndex ? allBits >>> (31 - (last % 32)) : allBits;
    count += countBits((words[index] ?? 0) & fromBit & toBit);
  }
  return count;
}

/** Set bits of 32, added up pairwise. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return (((fours + (fours >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
