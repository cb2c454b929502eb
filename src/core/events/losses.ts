/**
 * Events that the store has lost and that no process remembers: the room notes between which numbers, so that each webhook that has not taken
 * those is told. Kept beside the cursors as `AFTER:THROUGH`, one loss behind the other.
 */
import { readText, writeText } from "../ports/named-texts.ts";
import { numberOfText, partsOf, textOf } from "../ports/texts.ts";
import type { Room } from "../room.ts";

/** No webhook has such an id, since there is a blank in it. */
const name = "lost events";
/** The oldest are forgotten. */
const lossesMax = 5;

interface Loss {
  readonly after: number;
  readonly through: number;
}

function readLosses(room: Room): Loss[] {
  const losses: Loss[] = [];
  const text = readText(room.deliveries, name);
  if (text === null || text === "") return losses;
  let after = -1;
  for (const part of partsOf(text)) {
    const number = numberOfText(part);
    if (after < 0) after = number;
    else {
      losses.push({ after, through: number });
      after = -1;
    }
  }
  return losses;
}

/**
 * Notes what is lost between the room's last event and the memory of a process. What an earlier process reported as lost, this one may
 * still have: then the latest loss shrinks.
 *
 * @param last number of the room's last event
 * @param from the process remembers all events with a higher number
 */
export function recordLoss(room: Room, last: number, from: number): void {
  const losses = readLosses(room);
  let text = "";
  let index = 0;
  for (const loss of losses) {
    index++;
    // The latest shrinks by what is remembered after all.
    const upTo = index === losses.length ? Math.min(loss.through, from) : loss.through;
    if (upTo > loss.after && index > losses.length - lossesMax) text = withLoss(text, loss.after, upTo);
  }
  if (from > last) text = withLoss(text, last, from);
  if (text !== "" || losses.length > 0) writeText(room.deliveries, name, text);
}

function withLoss(text: string, after: number, through: number): string {
  return `${text}${text === "" ? "" : ":"}${textOf(after)}:${textOf(through)}`;
}

/** Whether events between a cursor and the first one behind it are lost. */
export function hasLost(room: Room, cursor: number, first: number): boolean {
  for (const loss of readLosses(room)) if (cursor < loss.through && first > loss.through) return true;
  return false;
}
