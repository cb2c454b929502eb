/**
 * Whether a room that another run of the server goes on with is whole: nobody in its recovery knows of anything later than the state that
 * was found, and somebody has seen the room until shortly before. Then what was used is known, and nothing that was not used has to be void.
 */
import type { Seen } from "../../store/contract/room-facts.ts";
import { lastHandedOut } from "../gaps.ts";
import { incarnationNumber, incarnationRun } from "../ports/texts.ts";
import type { Room } from "../room.ts";
import type { Memory } from "./merge.ts";

/** A process that saw the room within this time before it was found knows that it was not set back: processes look every second. */
const witnessMs = 10_000;
/** Restarts and moved slots that are remembered. */
const runsMost = 10;

/** A recovery begins with a state that nobody is known to have seen a later one of. @param found as it was, before any clock moved */
export function recordFound(room: Room, found: Seen, run: string): void {
  room.isWhole = true;
  room.isWitnessed = false;
  room.foundIncarnation = found.incarnation;
  room.foundFlowMs = found.flowMs;
  room.foundEdition = found.edition;
  room.foundQueued = found.queued;
  goOnFrom(room, run);
}

/** What was written under that run of a server is good as long as nothing is lost. */
export function goOnFrom(room: Room, run: string): void {
  const others = room.runsBefore.filter((other) => other !== run);
  const runs: string[] = [];
  let left = others.length;
  for (const other of others) {
    if (left < runsMost) runs.push(other);
    left--;
  }
  runs.push(run);
  room.runsBefore = runs;
}

/** Compares what joins the recovery with the state that was found. */
export function compareWithFound(room: Room, seen: Seen, memory: Memory | null): void {
  if (!room.isWhole) return;
  if (isBeyond(room, seen) || (memory !== null && knowsBeyond(room, memory))) room.isWhole = false;
  else if (seen.incarnation === room.foundIncarnation && seen.flowMs + witnessMs >= room.foundFlowMs) {
    room.isWitnessed = true;
  }
}

function isBeyond(room: Room, seen: Seen): boolean {
  if (seen.incarnation === "" || seen.incarnation === room.incarnation) return false;
  if (seen.incarnation !== room.foundIncarnation) {
    // Of another run nobody can tell which is later.
    if (incarnationRun(seen.incarnation) !== incarnationRun(room.foundIncarnation)) return true;
    return incarnationNumber(seen.incarnation) > incarnationNumber(room.foundIncarnation);
  }
  if (seen.flowMs > room.foundFlowMs || seen.edition > room.foundEdition) return true;
  return seen.edition === room.foundEdition && seen.queued > room.foundQueued;
}

function knowsBeyond(room: Room, memory: Memory): boolean {
  if (memory.edition !== room.foundEdition) return memory.edition > room.foundEdition;
  return lastHandedOut(memory.gaps, memory.queued) > room.foundQueued;
}
