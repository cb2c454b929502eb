/** Subscriptions as they are kept, by `sub`: `NUMBER:POSITION:DRAW:TEXT`. */
import { forgetText, readText, writeText } from "./ports/lists.ts";
import { removeMember, sizeOf } from "./ports/sets.ts";
import { afterColon, leadingNumber, textOf } from "./ports/texts.ts";
import { createPushes, type Room } from "./room.ts";

interface PushRow {
  readonly number: number;
  /** 0 while it is not known. */
  readonly position: number;
  /** The draw that the position is of; 0 for none. */
  readonly draw: number;
  readonly text: string;
}

export function readRow(room: Room, sub: string): PushRow | null {
  const row = readText(room.pushTexts, sub);
  if (row === null) return null;
  const behindNumber = afterColon(row);
  const behindPosition = afterColon(behindNumber);
  return {
    number: leadingNumber(row),
    position: leadingNumber(behindNumber),
    draw: leadingNumber(behindPosition),
    text: afterColon(behindPosition),
  };
}

export function writeRow(room: Room, sub: string, row: PushRow): void {
  const place = `${textOf(row.number)}:${textOf(row.position)}:${textOf(row.draw)}`;
  writeText(room.pushTexts, sub, `${place}:${row.text}`);
}

/** Subscriptions, and notifications under way. */
export function countPushes(room: Room): number {
  return sizeOf(room.pushTurns) + sizeOf(room.pushUndrawn) + sizeOf(room.pushDue);
}

export function clearPushes(room: Room): void {
  Object.assign(room, createPushes());
}

/** The visitor is not to be notified any more. What was taken for them is dropped when it comes again. */
export function forgetPush(room: Room, sub: string): void {
  forgetText(room.pushTexts, sub);
  removeMember(room.pushTurns, sub);
  removeMember(room.pushNear, sub);
  removeMember(room.pushUndrawn, sub);
}
