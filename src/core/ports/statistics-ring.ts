/**
 * The rows of a room's statistics by slot, in a ring of chunks of sixty slots: it never grows beyond its chunks, and a slot that nobody
 * wrote has no row. In Redis a hash, the chunk's place in the ring to its bytes, which are the same as here: the number of the chunk,
 * and rows of `rowBytes` in the order in which they came. lua/lib/statistics.lua writes them, too.
 */
import type { StatisticsSlot } from "../../store/contract/room-records.ts";

/** What is kept of a slot; core/statistics says what it means. */
export interface SlotRow {
  /** 0 whole; 1 not recorded from beginning to end; 2 a recovery took a part of it. */
  flags: number;
  /** So many slots behind this one were recorded, in which nothing happened or changed. */
  quiet: number;
  /** What has happened in it, in the order of `countedNames`. */
  counted: number[];
  /** How the room stood at its end, in the order of `gaugeNames`; `phase` is 0 where that is not known. */
  gauges: number[];
}

export interface StatisticsRing {
  readonly isCollection?: true;
  /** By the chunk's place. */
  readonly chunks: Map<number, Uint8Array>;
}

export const slotsPerChunk = 60;
/** Chunks of slots of ten seconds: 48 hours, and one that is being written over. */
export const tensChunks = 289;
/** Of minutes: 90 days. */
export const minuteChunks = 2_161;

/** All that the room counts; the rest are refusals, in the order of `refusalReasons`. */
export const countNames = [
  "joined",
  "served",
  "entered",
  "bypassed",
  "passed",
  "completed",
  "abandoned",
  "loggedOut",
  "revoked",
  "expired",
  "noShows",
  "left",
] as const;

/** Why a visitor was refused a place, or a claim. What only has to be asked for again is no refusal. */
export const refusalReasons = [
  "full",
  "closed",
  "too_many_from_address",
  "unavailable",
  "expired",
  "left",
  "ended",
  "moved",
  "void",
  "exhausted",
  "too_many_addresses",
  "old_edition",
  "too_many_entries",
  "network_refused",
] as const;

/**
 * `limit`, `rate` (tenths of a visitor a minute), `latency` (ms), `pages` and `errors` (ten-thousandths) are one more than they say, and 0 for
 * none; `pagesShift`: one page in 2^n is counted.
 */
export const gaugeNames = [
  "waiting",
  "held",
  "absent",
  "live",
  "limit",
  "rate",
  "latency",
  "pages",
  "pagesShift",
  "errors",
  "phase",
] as const;

/** In the order of their codes, from 1 on. */
export const phaseNames = ["idle", "prequeue", "open", "paused", "ended", "passthrough"] as const;

const chunkHead = 4;
const countedCount = countNames.length + refusalReasons.length;
const countedBytes = 3;
const gaugeBytes = [4, 4, 4, 4, 4, 4, 4, 4, 1, 2, 1];
/** Index in the chunk, flags, quiet, what was counted, gauges. */
export const rowBytes = 1 + 1 + 2 + countedBytes * countedCount + gaugeBytes.reduce((sum, bytes) => sum + bytes, 0);

export function createStatisticsRing(): StatisticsRing {
  return { chunks: new Map() };
}

/** @param size chunks of the ring */
export function readSlot(ring: StatisticsRing, size: number, slot: number): SlotRow | null {
  const bytes = chunkOf(ring, size, slot);
  const at = bytes === null ? -1 : placeOf(bytes, slot);
  return bytes === null || at < 0 ? null : decodeRow(bytes, at);
}

/** In place of an earlier row of the slot; a chunk of an older time makes room. */
export function writeSlot(ring: StatisticsRing, size: number, slot: number, row: SlotRow): void {
  const number = Math.floor(slot / slotsPerChunk);
  const bytes = chunkOf(ring, size, slot) ?? emptyChunk(number);
  const existing = placeOf(bytes, slot);
  const at = existing < 0 ? bytes.length : existing;
  const written = new Uint8Array(Math.max(bytes.length, at + rowBytes));
  written.set(bytes);
  encodeRow(written, at, slot % slotsPerChunk, row);
  ring.chunks.set(number % size, written);
}

/** Chunks that are read in one call: so no store is held up. */
const chunksMost = 120;

/** @throws RangeError for more than 120 of them */
export function chunkNumbers(first: number, count: number): number[] {
  if (count < 0 || count > chunksMost) throw new RangeError(`cannot read ${count} chunks at once`);
  return Array.from({ length: count }, (_, index) => first + index);
}

/** The rows of a chunk as they are reported, in the order in which they came; none where another chunk is in its place. */
export function rowsOfChunk(bytes: Uint8Array | null | undefined, number: number): StatisticsSlot[] {
  if (!bytes || readNumber(bytes, 0, chunkHead) !== number) return [];
  const rows: StatisticsSlot[] = [];
  for (let at = chunkHead; at + rowBytes <= bytes.length; at += rowBytes) {
    const { gauges, ...row } = decodeRow(bytes, at);
    const slot = number * slotsPerChunk + readNumber(bytes, at, 1);
    rows.push({ slot, ...row, gauges: gauges.at(-1) === 0 ? null : gauges });
  }
  return rows;
}

function chunkOf(ring: StatisticsRing, size: number, slot: number): Uint8Array | null {
  const number = Math.floor(slot / slotsPerChunk);
  const bytes = ring.chunks.get(number % size);
  return bytes !== undefined && readNumber(bytes, 0, chunkHead) === number ? bytes : null;
}

function emptyChunk(number: number): Uint8Array {
  const bytes = new Uint8Array(chunkHead);
  writeNumber(bytes, 0, chunkHead, number);
  return bytes;
}

/** Where the slot's row begins; -1 where it has none. */
function placeOf(bytes: Uint8Array, slot: number): number {
  for (let at = chunkHead; at + rowBytes <= bytes.length; at += rowBytes) {
    if (bytes[at] === slot % slotsPerChunk) return at;
  }
  return -1;
}

function encodeRow(bytes: Uint8Array, at: number, index: number, row: SlotRow): void {
  writeNumber(bytes, at, 1, index);
  writeNumber(bytes, at + 1, 1, row.flags);
  writeNumber(bytes, at + 2, 2, row.quiet);
  let place = at + 4;
  for (const value of row.counted) {
    writeNumber(bytes, place, countedBytes, value);
    place += countedBytes;
  }
  for (const [index, width] of gaugeBytes.entries()) {
    writeNumber(bytes, place, width, row.gauges[index] ?? 0);
    place += width;
  }
}

function decodeRow(bytes: Uint8Array, at: number): SlotRow {
  let place = at + 4;
  const counted = Array.from({ length: countedCount }, () => {
    const value = readNumber(bytes, place, countedBytes);
    place += countedBytes;
    return value >= 2 ** (8 * countedBytes - 1) ? value - 2 ** (8 * countedBytes) : value;
  });
  const gauges = gaugeBytes.map((width) => {
    place += width;
    return readNumber(bytes, place - width, width);
  });
  return { flags: readNumber(bytes, at + 1, 1), quiet: readNumber(bytes, at + 2, 2), counted, gauges };
}

/** Big-endian; negative numbers as their complement. */
function writeNumber(bytes: Uint8Array, at: number, width: number, value: number): void {
  let rest = value < 0 ? value + 2 ** (8 * width) : value;
  for (let place = at + width - 1; place >= at; place--) {
    bytes[place] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

function readNumber(bytes: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let place = at; place < at + width; place++) value = value * 256 + (bytes[place] ?? 0);
  return value;
}
