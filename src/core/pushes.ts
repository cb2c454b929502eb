/**
 * Visitors who are notified when their turn is near, and when it has come. Two sets hold the positions at which each notification is due; one
 * that a process has taken is in a third, as `ATTEMPT:STAGE:NUMBER:SUB`, by when it is retried (flow clock). Each notification is in one set
 * at a time, so exactly one of many processes takes it.
 */
import type {
  DrawnPush,
  PushSettlement,
  PushStage,
  PushSubscriptionAnswer,
  PushSubscriptionRequest,
  PushTakeRequest,
  TakenPush,
  TakenPushes,
  UndrawnPush,
} from "../store/contract/room-claim.ts";
import { isVoided } from "./draw/voids.ts";
import { drawIdOf, drawnIn, isOnHold, isPlaced, numberOf, phaseOf } from "./holds.ts";
import { isElsewhere } from "./places.ts";
import { hasPosition, membersBetween, removeMember, setScore, takeBelow } from "./ports/sets.ts";
import { numberOfText, partsOf, textOf } from "./ports/texts.ts";
import { clearPushes, countPushes, forgetPush, readRow, writeRow } from "./push-rows.ts";
import type { Room } from "./room.ts";

const subscriptionsMax = 50_000;
const leaseMs = 30_000;
const maxAttempts = 6;
/** Looked through for entries that are drawn. */
const undrawnPerTake = 100;

/** Whether the place is still the visitor's to claim. */
function isTheirs(room: Room, sub: string, number: number, position: number): boolean {
  if (isElsewhere(room, number, sub) || hasPosition(room.usedEntries, number)) return false;
  if (isVoided(room, number, position)) return false;
  if (position === 0) return true;
  if (position <= room.expiredThrough) return false;
  return !hasPosition(room.claimedPlaces, position) && !hasPosition(room.leftPlaces, position);
}

/** Whether notifications are kept here: the room has them, and its line has not ended. */
function keepsPushes(room: Room): boolean {
  return room.hasPush && room.basePhase !== "ended";
}

/** Keeps a subscription, in place of the visitor's earlier one. What was told of the same place is not told again. */
export function keepPush(room: Room, request: PushSubscriptionRequest): PushSubscriptionAnswer {
  const number = numberOf(request);
  if (!keepsPushes(room) || request.edition !== room.edition || number === 0 || number > room.queued) return "over";
  const draw = drawIdOf(request);
  const position = isPlaced(room, number, draw) ? request.position : 0;
  if (!isTheirs(room, request.sub, number, position)) return "over";
  if (position > 0 && position <= room.serving) return "over";
  const existing = readRow(room, request.sub);
  if (existing !== null && existing.number === number) {
    writeRow(room, request.sub, { number, position: existing.position, draw: existing.draw, text: request.text });
    return "kept";
  }
  if (existing === null && countPushes(room) >= subscriptionsMax) return "full";
  forgetPush(room, request.sub);
  if (position === 0) {
    writeRow(room, request.sub, { number, position: 0, draw: 0, text: request.text });
    setScore(room.pushUndrawn, request.sub, number);
    return "kept";
  }
  writeRow(room, request.sub, { number, position, draw: draw ?? 0, text: request.text });
  setScore(room.pushTurns, request.sub, position);
  if (position > request.nearThrough) setScore(room.pushNear, request.sub, position);
  return "kept";
}

function drawOrNone(draw: number): number | null {
  if (draw === 0) return null;
  return draw;
}

/** Places an entry that was drawn; with draw 0 one that is in no draw any more. */
function placeEntry(room: Room, drawn: DrawnPush): void {
  const row = readRow(room, drawn.sub);
  if (row === null || row.number !== drawn.number || row.position > 0) return;
  if (!isPlaced(room, drawn.number, drawOrNone(drawn.draw))) return;
  removeMember(room.pushUndrawn, drawn.sub);
  writeRow(room, drawn.sub, { number: row.number, position: drawn.position, draw: drawn.draw, text: row.text });
  setScore(room.pushTurns, drawn.sub, drawn.position);
  setScore(room.pushNear, drawn.sub, drawn.position);
}

/** Entries whose draw is drawn. Those of a draw that was cancelled are placed: their number is the position. */
function findDrawn(room: Room): UndrawnPush[] {
  const found: UndrawnPush[] = [];
  for (const sub of membersBetween(room.pushUndrawn, 0, room.queued, undrawnPerTake)) {
    const row = readRow(room, sub);
    if (row === null) removeMember(room.pushUndrawn, sub);
    else if (isPlaced(room, row.number, null)) {
      placeEntry(room, { sub, number: row.number, draw: 0, position: row.number });
    } else {
      const draw = drawnIn(room, row.number);
      if (draw > 0) found.push({ sub, number: row.number, draw });
    }
  }
  return found;
}

function settle(room: Room, settlement: PushSettlement): void {
  const isOurs = removeMember(room.pushDue, settlement.id);
  const parts = partsOf(settlement.id);
  const sub = parts[3] ?? "";
  const row = readRow(room, sub);
  // Meanwhile the visitor may have subscribed for another place.
  if (row === null || row.number !== numberOfText(parts[2] ?? "0")) return;
  if (settlement.outcome === "gone") forgetPush(room, sub);
  else if (settlement.outcome === "failed") {
    if (isOurs) setScore(room.pushDue, settlement.id, room.flowMs + settlement.retryMs);
  } else if (parts[1] === "turn") forgetPush(room, sub);
}

/** Hands out a notification where the place is still the visitor's. */
function hand(room: Room, taken: TakenPush[], sub: string, stage: PushStage, attempt: number): void {
  const row = readRow(room, sub);
  if (row === null) return;
  if (!isTheirs(room, sub, row.number, row.position)) {
    forgetPush(room, sub);
    return;
  }
  // It is too late to say that it is near.
  if (stage === "near" && row.position <= room.serving) return;
  const id = `${textOf(attempt)}:${stage}:${textOf(row.number)}:${sub}`;
  const isLast = attempt >= maxAttempts;
  setScore(room.pushDue, id, room.flowMs + leaseMs);
  taken.push({ id, sub, stage, text: row.text, attempt, isLast });
}

/** Those that were taken, and not settled in time, or failed. */
function handAgain(room: Room, taken: TakenPush[], limit: number): void {
  for (const id of membersBetween(room.pushDue, 0, room.flowMs, limit)) {
    removeMember(room.pushDue, id);
    const parts = partsOf(id);
    const sub = parts[3] ?? "";
    const attempt = numberOfText(parts[0] ?? "0") + 1;
    const row = readRow(room, sub);
    const isSame = row !== null && row.number === numberOfText(parts[2] ?? "0");
    const stage = parts[1] === "turn" ? "turn" : "near";
    if (isSame && attempt <= maxAttempts) hand(room, taken, sub, stage, attempt);
    else if (isSame && stage === "turn") forgetPush(room, sub);
  }
}

/**
 * Notes what became of notifications, and hands out those that are due: turns that have come before those that are near. None while the
 * line stands still, nor in the hold after a recovery: nobody could enter.
 */
export function takePushes(room: Room, request: PushTakeRequest): TakenPushes {
  for (const settlement of request.settled) settle(room, settlement);
  for (const drawn of request.placed) placeEntry(room, drawn);
  if (!keepsPushes(room) && countPushes(room) > 0) clearPushes(room);
  const taken: TakenPush[] = [];
  const undrawn = findDrawn(room);
  const phase = phaseOf(room);
  const isOpen = phase === "open" && !isOnHold(room);
  if (request.limit > 0 && (isOpen || phase === "passthrough")) {
    handAgain(room, taken, request.limit);
    for (const sub of takeBelow(room.pushTurns, room.serving + 1, request.limit)) {
      removeMember(room.pushNear, sub);
      hand(room, taken, sub, "turn", 1);
    }
    for (const sub of takeBelow(room.pushNear, request.nearThrough + 1, request.limit)) {
      hand(room, taken, sub, "near", 1);
    }
  }
  return { taken, undrawn, stored: countPushes(room) };
}
