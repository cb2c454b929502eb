/** A set of positions, one bit each. */
export class PositionBits {
  #bits = new Uint8Array(1_024);

  has(position: number): boolean {
    return ((this.#bits[position >> 3] ?? 0) & (1 << (position & 7))) !== 0;
  }

  /** Answers false when it was there already. */
  add(position: number): boolean {
    const index = position >> 3;
    if (index >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(index + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    const bit = 1 << (position & 7);
    const byte = this.#bits[index] as number;
    if ((byte & bit) !== 0) return false;
    this.#bits[index] = byte | bit;
    return true;
  }
}
