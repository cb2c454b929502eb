import type { KeyedNumber } from "../../../store/contract/room-store.ts";

/** Bytes of a name, which is written in 22 characters of base64url. */
export const nameBytes = 16;
/** As many as the store takes. */
const maxKeys = 2_000_000;
const firstCapacity = 256;

/**
 * The keys of one edition that have a place, as this process has learned of them: 24 bytes each, and 8 to find one by its name.
 * Names are random, so a hash of one is its first bytes.
 */
export class KnownKeys {
  #size = 0;
  #names = new Uint8Array(firstCapacity * nameBytes);
  /** Numbers, negative where the place was given again. */
  #numbers = new Float64Array(firstCapacity);
  /** Of each slot one more than the index of the key that stands there; 0: none. */
  #slots = new Uint32Array(2 * firstCapacity);

  get size(): number {
    return this.#size;
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#names.byteLength + this.#numbers.byteLength + this.#slots.byteLength;
  }

  /** Takes over what the store says. Answers whether it is news. */
  learn({ name, number, isAgain }: KeyedNumber): boolean {
    const bytes = Buffer.from(name, "base64url");
    if (bytes.length !== nameBytes) return false;
    const value = isAgain ? -number : number;
    const slot = this.#slotOf(bytes);
    const known = this.#slots[slot] ?? 0;
    if (known > 0) {
      if (this.#numbers[known - 1] === value) return false;
      this.#numbers[known - 1] = value;
      return true;
    }
    if (this.#size >= maxKeys) return false;
    this.#names.set(bytes, this.#size * nameBytes);
    this.#numbers[this.#size] = value;
    this.#slots[slot] = ++this.#size;
    if (this.#size === this.#numbers.length) this.#grow();
    return true;
  }

  /** The number of the key's place; 0 where none is known. */
  numberOf(name: string): number {
    const bytes = Buffer.from(name, "base64url");
    if (bytes.length !== nameBytes) return 0;
    const known = this.#slots[this.#slotOf(bytes)] ?? 0;
    return known === 0 ? 0 : Math.abs(this.#numbers[known - 1] ?? 0);
  }

  /** Some of them, in the order in which they were learned. */
  slice(from: number, to: number): KeyedNumber[] {
    const until = Math.min(to, this.#size);
    return Array.from({ length: Math.max(0, until - from) }, (_, index) => this.#at(from + index));
  }

  /** All of them, as rows of a file (key-file.ts). */
  rows(): Buffer {
    const rowBytes = nameBytes + 8;
    const rows = Buffer.alloc(this.#size * rowBytes);
    for (let index = 0; index < this.#size; index++) {
      rows.set(this.#names.subarray(index * nameBytes, (index + 1) * nameBytes), index * rowBytes);
      rows.writeDoubleLE(this.#numbers[index] ?? 0, index * rowBytes + nameBytes);
    }
    return rows;
  }

  clear(): void {
    this.#size = 0;
    this.#names = new Uint8Array(firstCapacity * nameBytes);
    this.#numbers = new Float64Array(firstCapacity);
    this.#slots = new Uint32Array(2 * firstCapacity);
  }

  #at(index: number): KeyedNumber {
    const value = this.#numbers[index] ?? 0;
    return { name: this.#nameAt(index).toString("base64url"), number: Math.abs(value), isAgain: value < 0 };
  }

  #nameAt(index: number): Buffer {
    return Buffer.from(this.#names.buffer, index * nameBytes, nameBytes);
  }

  /** Where the key stands, or would. */
  #slotOf(name: Buffer): number {
    const mask = this.#slots.length - 1;
    let slot = name.readUInt32LE(0) & mask;
    for (;;) {
      const known = this.#slots[slot] ?? 0;
      if (known === 0 || this.#nameAt(known - 1).equals(name)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const capacity = 2 * this.#numbers.length;
    const [names, numbers] = [this.#names, this.#numbers];
    this.#names = new Uint8Array(capacity * nameBytes);
    this.#names.set(names);
    this.#numbers = new Float64Array(capacity);
    this.#numbers.set(numbers);
    this.#slots = new Uint32Array(2 * capacity);
    for (let index = 0; index < this.#size; index++) this.#slots[this.#slotOf(this.#nameAt(index))] = index + 1;
  }
}
