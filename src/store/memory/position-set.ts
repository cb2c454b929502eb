/**
 * A set of positions, one bit each: positions are dense, so that ten million take 1.25 MB. Plain data and functions, so
 * that a whole store can be copied by `structuredClone`. The twin of a bitmap in Redis.
 */
export interface PositionSet {
  bits: Uint8Array;
}

const bytesMin = 1_024;

export function createPositionSet(): PositionSet {
  return { bits: new Uint8Array(0) };
}

export function hasPosition(set: PositionSet, position: number): boolean {
  const byte = set.bits[Math.floor(position / 8)] ?? 0;
  return (byte & (1 << (position % 8))) !== 0;
}

export function addPosition(set: PositionSet, position: number): void {
  const index = Math.floor(position / 8);
  if (index >= set.bits.length) {
    const grown = new Uint8Array(Math.max(bytesMin, 2 * index));
    grown.set(set.bits);
    set.bits = grown;
  }
  set.bits[index] = (set.bits[index] ?? 0) | (1 << (position % 8));
}

export function clearPositions(set: PositionSet): void {
  set.bits = new Uint8Array(0);
}
