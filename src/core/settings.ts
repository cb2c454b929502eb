/**
 * Putting settings in force: the file's, an operator's live changes over them, and what of both is in force. All three are JSON; what is
 * in force is laid out in fields, too, as the rules go by it.
 */
import type { InletSettings, RoomSettings } from "../store/contract/room-settings.ts";
import { isAdaptive, ratePerMinute, resetAdaptive } from "./adaptive.ts";
import { textOrNone } from "./admission-log.ts";
import { publishChanges, publishSettings } from "./events/events.ts";
import { followStock, raiseVersion, setHold } from "./holds.ts";
import { latestTat } from "./limiter.ts";
import { adoptSchedule, areSameTimes, timesOf } from "./phases.ts";
import { decodeSettings, patchSettings, withoutInlet } from "./ports/texts.ts";
import { clearPushes } from "./push-rows.ts";
import type { Room } from "./room.ts";

/** What decides how fast the line moves. */
function flowText(room: Room): string {
  const limits = `${room.inletType}:${textOrNone(room.limit)}:${textOrNone(room.maxActive)}`;
  const times = `${textOrNone(room.startsAtMs)}:${textOrNone(room.endsAtMs)}`;
  return `${limits}:${times}:${textOrNone(room.sharedLimit)}:${textOrNone(room.sharedWeight)}`;
}

/**
 * Puts settings in force; a forgotten room's are its first, changed by nobody. A limit that was raised counts from now on, not
 * from the slot that the old pace had reached.
 */
export function putEffective(room: Room, text: string, isFirst: boolean): void {
  const startBefore = decodeSettings(room.effective).inlet.startPerMinute ?? 0;
  const flowBefore = flowText(room);
  const hadPush = room.hasPush;
  const settings = decodeSettings(text);
  room.effective = text;
  setRules(room, settings);
  if (hadPush && !room.hasPush) clearPushes(room);
  if (!isFirst && flowText(room) !== flowBefore) room.limitChangedMs = room.flowMs;
  if (room.unhealthyAfter === null) {
    room.health.failures = 0;
    room.health.successes = 0;
    room.health.latencyMs = null;
    setHold(room, "unhealthy", false);
  }
  const start = settings.inlet.startPerMinute ?? 0;
  if (!isAdaptive(room)) {
    resetAdaptive(room, 0, null);
    setHold(room, "signal", false);
  } else if (start !== startBefore) room.adaptive.rate = 0;
  const rate = ratePerMinute(room);
  if (room.limit === null || rate === null) return;
  room.tatMs = Math.min(room.tatMs, latestTat(room.limit, room.flowMs, rate));
}

/** Of a room that has settings: the room goes on by the new ones at once. */
function replaceEffective(room: Room, effective: string): void {
  const before = timesOf(room);
  const settings = room.effective;
  putEffective(room, effective, room.version === 0);
  raiseVersion(room);
  followStock(room);
  publishSettings(room, settings, effective);
  if (!areSameTimes(before, timesOf(room))) adoptSchedule(room, before);
}

/** The operator's changes, if nothing has changed since the caller looked. Answers the new version; else null. */
export function changeSettings(
  room: Room,
  live: string,
  effective: string,
  expectedVersion: number,
): { version: number } | null {
  if (room.version !== expectedVersion) return null;
  room.liveChanges = live;
  replaceEffective(room, effective);
  publishChanges(room);
  return { version: room.version };
}

/** Whether the inlet has what its type needs. */
function isUsable(inlet: InletSettings): boolean {
  if (inlet.type === "adaptive") return inlet.outflowPerMinute !== null;
  if (inlet.type === "periodic") return inlet.outflowPerMinute !== null || inlet.sharedOutflow !== null;
  return inlet.type !== "max_active" || inlet.maxActive !== null;
}

/**
 * A changed configuration file: its values replace the stored ones, live changes stay on top. A live inlet whose type was
 * good by grace of what the file no longer has (a limit) would neither serve nor hold anyone: then the file's counts.
 */
export function applyFileSettings(room: Room, file: string): void {
  if (file === room.file) return;
  let effective = patchSettings(file, room.liveChanges);
  if (!isUsable(decodeSettings(effective).inlet)) {
    room.liveChanges = withoutInlet(room.liveChanges);
    effective = patchSettings(file, room.liveChanges);
  }
  room.file = file;
  replaceEffective(room, effective);
}

/** Of an `adaptive` inlet; nothing for others. */
function setAdaptive(room: Room, inlet: InletSettings): void {
  if (inlet.type !== "adaptive") return;
  const limit = inlet.outflowPerMinute ?? 1;
  const floor = Math.min(limit, inlet.floorPerMinute ?? Math.max(1, Math.floor(limit / 100)));
  room.rateFloor = floor;
  room.rateStart = Math.min(limit, Math.max(floor, inlet.startPerMinute ?? Math.floor(limit / 10)));
  room.rateStep = inlet.stepPerMinute ?? Math.max(1, Math.floor(limit / 50));
  room.targetMs = inlet.latencyMs ?? null;
  room.targetTimes = inlet.timesBaseline ?? null;
  if (room.targetMs === null && room.targetTimes === null) room.targetTimes = 3;
  room.errorLimit = inlet.errorRate ?? 0.05;
  room.decideEveryMs = inlet.decideEveryMs ?? 10_000;
}

function setInlet(room: Room, inlet: InletSettings): void {
  room.inletType = inlet.type;
  room.limit = inlet.outflowPerMinute;
  setAdaptive(room, inlet);
  room.maxActive = inlet.maxActive;
  room.startsAtMs = inlet.startsAtMs;
  room.endsAtMs = inlet.endsAtMs;
  const shared = inlet.sharedOutflow;
  room.sharedId = shared === null ? "" : shared.id;
  room.sharedLimit = shared !== null ? shared.outflowPerMinute : null;
  room.sharedWeight = shared !== null ? (inlet.weight ?? shared.weight) : null;
  const gate = inlet.gate;
  room.unhealthyAfter = gate !== null ? gate.unhealthyAfter : null;
  room.healthyAfter = gate !== null ? gate.healthyAfter : null;
}

/** Whether visitors may wait for what is returned, once everything is sold: as such a message says, else as the room does. */
function expectsReturns(settings: RoomSettings): boolean {
  const message = settings.message;
  if (message !== null && message.severity === "sold_out" && message.returns !== undefined) return message.returns;
  const stock = settings.stock ?? null;
  return stock === null || stock.returns;
}

export function setRules(room: Room, settings: RoomSettings): void {
  setInlet(room, settings.inlet);
  room.prequeueAtMs = settings.schedule.prequeueAtMs;
  room.opensAtMs = settings.schedule.opensAtMs;
  room.closesAtMs = settings.schedule.endsAtMs;
  room.whenIdle = settings.whenIdle;
  room.whenEnded = settings.whenEnded;
  room.maxWaiting = settings.maxWaiting;
  room.drawOrder = settings.draw.order;
  room.drawBeacon = settings.draw.beacon;
  room.durationMs = settings.admission.durationMs;
  room.maxDurationMs = settings.admission.maxDurationMs;
  room.claimWithinMs = settings.admission.claimWithinMs;
  room.loginsPerAdmission = settings.admission.loginsPerAdmission;
  room.firstVisitWithinMs = settings.admission.firstVisitWithinMs ?? null;
  room.addressesPerAdmission = settings.admission.addressesPerAdmission ?? null;
  room.logRowsMax = settings.logRowsMax;
  room.saysSoldOut = settings.message !== null && settings.message.severity === "sold_out";
  room.hasReturns = expectsReturns(settings);
  room.tellsAdmissions = settings.admissionEvents === true;
  room.hasPush = settings.push === true;
  room.moveRule = settings.moves ?? "once";
}
