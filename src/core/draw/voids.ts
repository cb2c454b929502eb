/**
 * Entries that are voided before they are drawn, by the blocks of addresses that they came from. Their numbers take no part: when the
 * entries are closed they are among those that nobody holds. Until then nobody joins from such a block, and a void can be taken back.
 */
import type { RestoreRequest, VoidRequest } from "../../store/contract/room-places.ts";
import { closedStage, closingStage, drawnStage, isComing, isEntryOf } from "../holds.ts";
import { createEntryBlocks, maxRows, readRows, rowsWith, writeRows } from "../ports/lists.ts";
import { joinGaps } from "../positions.ts";
import type { DrawData, Room, VoidData } from "../room.ts";
import type { Gap } from "../rows.ts";

/** Of an edition. */
const maxVoids = 200;
const maxBlocks = 1_000;
/** Stretches of numbers of all voids together: all processes read them with every state. */
const maxStretches = 5_000;
/** Entries that a void looks for by itself. */
const maxTail = 20_000;

/** The id of the draw that takes entries; 0 for none. */
function takingEntries(room: Room): number {
  const coming = room.drawMarks.find((mark) => mark.stage <= closingStage && mark.first > 0);
  return coming === undefined ? 0 : coming.id;
}

function stretchesOf(voids: readonly VoidData[]): Gap[] {
  const all: Gap[] = [];
  for (const entryVoid of voids) {
    for (const stretch of entryVoid.numbers) all.push(stretch);
  }
  return joinGaps(all);
}

function sizeOfAll(gaps: readonly Gap[]): number {
  let size = 0;
  for (const gap of gaps) size += gap.to - gap.from + 1;
  return size;
}

/** The numbers of a draw that are voided, ascending. */
export function voidedOf(room: Room, draw: number): Gap[] {
  if (room.voidCount === 0) return [];
  return stretchesOf(room.voids.filter((entryVoid) => entryVoid.draw === draw && entryVoid.restoredMs === 0));
}

/** Keeps the voids, and what hot operations go by. */
function putVoids(room: Room, voids: VoidData[]): void {
  const live = voids.filter((entryVoid) => entryVoid.restoredMs === 0);
  room.voids = voids;
  room.voidCount = live.length;
  const draw = takingEntries(room);
  const blocks: string[] = [];
  for (const entryVoid of live) {
    if (entryVoid.draw === draw) {
      for (const block of entryVoid.blocks) blocks.push(block);
    }
  }
  room.voidedBlocks = blocks;
  room.voidedEntries = sizeOfAll(voidedOf(room, draw));
}

/** The stages of draws have changed: blocks are kept as long as an order can follow of them. */
export function followDraws(room: Room): void {
  if (room.voids.length > 0) putVoids(room, room.voids);
  if (room.blocksDraw === 0) return;
  if (room.drawMarks.some((mark) => mark.id === room.blocksDraw && mark.stage <= closedStage)) return;
  room.entryBlocks = createEntryBlocks();
  room.blocksDraw = 0;
  room.blocksFrom = 0;
}

/** Which of those who join come from a voided block, by their indexes. @param rows of each of them a row; "" where none are known */
export function voidedJoins(room: Room, rows: string): readonly number[] {
  if (rows === "" || room.voidedBlocks.length === 0) return [];
  return rowsWith(rows, room.voidedBlocks);
}

/** The blocks of entries that were handed out just now. */
export function keepRows(room: Room, first: number, count: number, rows: string): void {
  if (rows === "" || count <= 0) return;
  const mark = room.drawMarks.find((candidate) => candidate.stage <= closingStage && candidate.first > 0);
  if (mark === undefined) return;
  if (room.blocksDraw !== mark.id) {
    room.entryBlocks = createEntryBlocks();
    room.blocksDraw = mark.id;
    room.blocksFrom = mark.first;
  }
  const index = first - room.blocksFrom;
  if (index >= 0 && index + count <= maxRows) writeRows(room.entryBlocks, index, rows, count);
}

/** Whether the place is that of an entry that was voided. @param position as far as the caller knows it */
export function isVoided(room: Room, number: number, position: number): boolean {
  if (room.voidCount === 0 || number === 0) return false;
  // Of an entry that was drawn the position says so: what is voided is behind all others.
  for (const mark of room.drawMarks) {
    if (mark.stage === drawnStage && isEntryOf(mark, number) && position < mark.behind) return false;
  }
  return room.voids.some((entryVoid) => entryVoid.restoredMs === 0 && hasNumber(entryVoid.numbers, number));
}

function hasNumber(stretches: readonly Gap[], number: number): boolean {
  return stretches.some((stretch) => number >= stretch.from && number <= stretch.to);
}

/** What a void did. */
interface Voiding {
  readonly result: "voided" | "conflict" | "closed" | "behind" | "too_many";
  readonly stored?: VoidData;
}

export function voidEntries(room: Room, request: VoidRequest): Voiding {
  if (request.edition !== room.edition) return { result: "closed" };
  const existing = room.voids.find((candidate) => candidate.reference === request.reference);
  if (existing !== undefined) {
    return isSameVoid(existing, request) ? { result: "voided", stored: existing } : { result: "conflict" };
  }
  if (request.draw !== takingEntries(room)) return { result: "closed" };
  if (room.queued - request.through > maxTail) return { result: "behind" };
  const stored: VoidData = {
    reference: request.reference,
    draw: request.draw,
    reason: request.reason,
    blocks: request.blocks,
    atMs: room.atMs,
    restoredMs: 0,
    numbers: withTail(room, request),
  };
  const voids = room.voids.filter(() => true);
  voids.push(stored);
  if (areTooMany(voids)) return { result: "too_many" };
  putVoids(room, voids);
  return { result: "voided", stored };
}

/** What the caller has found, and what has come since. */
function withTail(room: Room, request: VoidRequest): Gap[] {
  const numbers: Gap[] = [];
  for (const stretch of request.numbers) numbers.push(stretch);
  if (room.blocksDraw === request.draw) {
    const from = Math.max(request.through + 1, room.blocksFrom);
    const rows = readRows(room.entryBlocks, from - room.blocksFrom, room.queued - room.blocksFrom);
    for (const index of rowsWith(rows, request.blocks)) numbers.push({ from: from + index, to: from + index });
  }
  return joinGaps(numbers);
}

function areTooMany(voids: readonly VoidData[]): boolean {
  let blocks = 0;
  let stretches = 0;
  for (const entryVoid of voids) {
    blocks += entryVoid.blocks.length;
    stretches += entryVoid.numbers.length;
  }
  return voids.length > maxVoids || blocks > maxBlocks || stretches > maxStretches;
}

function isSameVoid(existing: VoidData, request: VoidRequest): boolean {
  if (existing.draw !== request.draw || existing.reason !== request.reason) return false;
  return (
    existing.blocks.length === request.blocks.length &&
    !existing.blocks.some((block) => !request.blocks.includes(block))
  );
}

interface Restoring {
  readonly result: "restored" | "closed" | "unknown";
  readonly stored?: VoidData;
}

/** An appeal was granted: the entries take part again. */
export function restoreEntries(room: Room, request: RestoreRequest): Restoring {
  const existing = room.voids.find((candidate) => candidate.reference === request.reference);
  if (existing === undefined || request.edition !== room.edition) return { result: "unknown" };
  if (existing.restoredMs === 0) {
    if (existing.draw !== takingEntries(room)) return { result: "closed" };
    existing.restoredMs = room.atMs;
    putVoids(room, room.voids);
  }
  return { result: "restored", stored: existing };
}

/**
 * What others remember of this edition. A void that was taken back stays so; one that comes too late for a draw whose entries are
 * fixed does not count.
 */
export function mergeVoids(room: Room, theirs: readonly VoidData[]): void {
  if (room.voids.length === 0 && theirs.length === 0) return;
  const merged = room.voids.filter((entryVoid) => stands(room, entryVoid));
  for (const other of theirs) {
    const ours = merged.find((entryVoid) => entryVoid.reference === other.reference);
    if (ours !== undefined) ours.restoredMs = Math.max(ours.restoredMs, other.restoredMs);
    else if (merged.length < maxVoids && stands(room, other)) merged.push(other);
  }
  putVoids(room, merged);
}

/** Whether the void still fits its draw: entries are still taken, or they were closed without these numbers. */
function stands(room: Room, entryVoid: VoidData): boolean {
  const draw = room.draws.find((candidate) => candidate.id === entryVoid.draw);
  if (draw === undefined) return false;
  if (isComing(draw) || draw.stage === "cancelled" || entryVoid.restoredMs > 0) return true;
  return isWithin(entryVoid.numbers, draw);
}

function isWithin(numbers: readonly Gap[], draw: DrawData): boolean {
  const all: Gap[] = [];
  for (const gap of draw.gaps) all.push(gap);
  for (const stretch of numbers) all.push(stretch);
  return sizeOfAll(joinGaps(all)) === sizeOfAll(draw.gaps);
}
