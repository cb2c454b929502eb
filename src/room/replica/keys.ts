/** Keys with a place (rooms in which each person has one), in memory and on disk. */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KeyedNumber } from "../../store/contract/room-store.ts";

/** Bytes of a name, which is written in 22 characters of base64url. */
export const nameBytes = 16;
/** As many as the store takes. */
const maxKeys = 2_000_000;
const firstCapacity = 256;

/**
 * The keys of one edition that have a place, as this process has learned of them: 24 bytes each, and 8 to find one by its name.
 * Names are random, so a hash of one is its first bytes.
 */
export class CachedKeys {
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
    const slotValue = this.#slots[slot] ?? 0;
    if (slotValue > 0) {
      if (this.#numbers[slotValue - 1] === value) return false;
      this.#numbers[slotValue - 1] = value;
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
    const slotValue = this.#slots[this.#slotOf(bytes)] ?? 0;
    return slotValue === 0 ? 0 : Math.abs(this.#numbers[slotValue - 1] ?? 0);
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
      const slotValue = this.#slots[slot] ?? 0;
      if (slotValue === 0 || this.#nameAt(slotValue - 1).equals(name)) return slot;
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

/**
 * The keys with a place that one process has learned of, on disk beside its checkpoints: a file for each room, which is only added to. It begins
 * with the edition, in 8 bytes; then 24 bytes for each key, its name and the number of its place (negative: given again).
 */

const headBytes = 8;
const rowBytes = nameBytes + 8;
const ending = ".keys";

export interface KeysOfEdition {
  readonly edition: number;
  readonly keys: readonly KeyedNumber[];
}

function encode(keys: readonly KeyedNumber[]): Buffer {
  const rows = Buffer.alloc(keys.length * rowBytes);
  for (const [index, { name, number, isAgain }] of keys.entries()) {
    Buffer.from(name, "base64url").copy(rows, index * rowBytes, 0, nameBytes);
    rows.writeDoubleLE(isAgain ? -number : number, index * rowBytes + nameBytes);
  }
  return rows;
}

/** A whole file. @param rows as `encode` makes them */
export function keyFileOf(edition: number, rows: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeDoubleLE(edition);
  return Buffer.concat([head, rows]);
}

/** Where a process keeps those of a room. */
export const keyFilePath = (directory: string, processName: string, room: string) =>
  join(directory, `${processName}.${room}${ending}`);

/** A row that is not whole says nothing. */
function read(path: string): KeysOfEdition | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return null;
  }
  if (bytes.length < headBytes) return null;
  const count = Math.floor((bytes.length - headBytes) / rowBytes);
  const keys = Array.from({ length: count }, (_, index) => {
    const at = headBytes + index * rowBytes;
    const value = bytes.readDoubleLE(at + nameBytes);
    const name = bytes.toString("base64url", at, at + nameBytes);
    return { name, number: Math.abs(value), isAgain: value < 0 };
  });
  return { edition: bytes.readDoubleLE(0), keys };
}

/** What all processes left of a room. */
export function readKeyFiles(directory: string, room: string): KeysOfEdition[] {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(`.${room}${ending}`))
    .flatMap((name) => read(join(directory, name)) ?? []);
}

export type KeyFile = ReturnType<typeof createKeyFile>;

/** @param onFailure called each time that nothing can be written; it is tried again with the next keys */
export function createKeyFile(
  directory: string,
  processName: string,
  room: string,
  onFailure: (error: unknown) => void,
) {
  const path = keyFilePath(directory, processName, room);
  let file: number | null = null;
  /** Rows that it has; null where it has to be written anew. */
  let rows: number | null = null;

  function close(): void {
    if (file !== null) closeSync(file);
    file = null;
  }

  /** The file appears whole or not at all. */
  function replace(edition: number, keys: readonly KeyedNumber[]): void {
    close();
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const draft = `${path}.new`;
    file = openSync(draft, "w", 0o600);
    writeAll(file, keyFileOf(edition, encode(keys)));
    renameSync(draft, path);
    rows = keys.length;
  }

  return {
    /** What an earlier process of this name left of the edition; then nothing of it has to be added. */
    resume(edition: number): readonly KeyedNumber[] {
      close();
      const left = read(path);
      rows = null;
      return left?.edition === edition ? left.keys : [];
    },

    /**
     * Adds keys, whose numbers are on disk when this returns as long as it can be written.
     *
     * @param all that are known, these included: they are written anew where rows that do not count any more are the most
     */
    add(
      edition: number,
      keys: readonly KeyedNumber[],
      all: { readonly size: number; slice(from: number, to: number): KeyedNumber[] },
    ): void {
      if (keys.length === 0) return;
      try {
        if (file === null || rows === null || rows > 2 * all.size + 1_000) replace(edition, all.slice(0, all.size));
        else {
          writeAll(file, encode(keys));
          rows += keys.length;
        }
      } catch (error) {
        close();
        rows = null;
        onFailure(error);
      }
    },

    close,

    forget(): void {
      close();
      rmSync(path, { force: true });
    },
  };
}

/** On a full disk a write may take a part of it alone; then the next one throws. */
function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
