/**
 * The keys with a place that one process has learned of, on disk beside its checkpoints: a file for each room, which is only added to. It begins
 * with the edition, in 8 bytes; then 24 bytes for each key, its name and the number of its place (negative: given again).
 */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KeyedNumber } from "../../../store/contract/room-store.ts";
import { nameBytes } from "./known-keys.ts";

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
