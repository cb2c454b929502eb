/** Laying down settings: the file's, an operator's live changes over them, and what of both is in force. All three are JSON. */
import type { InletSettings } from "../store/contract/room-settings.ts";
import { isAdaptive, ratePerMinute, resetAdaptive } from "./adaptive/rate.ts";
import { raiseVersion, setHold } from "./holds.ts";
import { latestTat } from "./limiter.ts";
import { adoptSchedule, type PhaseTime, timesOf } from "./phases.ts";
import { decodeSettings, patchSettings, withoutInlet } from "./ports/settings-json.ts";
import { textOf } from "./ports/texts.ts";
import type { Room } from "./room.ts";
import { setRules } from "./rules.ts";

function numberText(value: number | null): string {
  return value === null ? "-" : textOf(value);
}

/** What decides how fast the line moves. */
function flowText(room: Room): string {
  const own = `${room.inletType}:${numberText(room.limit)}:${numberText(room.maxActive)}`;
  const times = `${numberText(room.startsAtMs)}:${numberText(room.endsAtMs)}`;
  return `${own}:${times}:${numberText(room.sharedLimit)}:${numberText(room.sharedWeight)}`;
}

/**
 * Puts settings in force; a forgotten room's are its first, changed by nobody. A limit that was raised counts from now on, not
 * from the slot that the old pace had reached.
 */
export function putEffective(room: Room, text: string, isFirst: boolean): void {
  const startBefore = decodeSettings(room.effective).inlet.startPerMinute ?? 0;
  const flowBefore = flowText(room);
  const settings = decodeSettings(text);
  room.effective = text;
  setRules(room, settings);
  if (!isFirst && flowText(room) !== flowBefore) room.limitChangedMs = room.flowMs;
  if (room.unhealthyAfter === null) {
    room.health.failures = 0;
    room.health.successes = 0;
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

function areSame(times: readonly PhaseTime[], others: readonly PhaseTime[]): boolean {
  if (times.length !== others.length) return false;
  let index = 0;
  for (const time of times) {
    const other = others[index];
    if (other === undefined || other.atMs !== time.atMs || other.phase !== time.phase) return false;
    index++;
  }
  return true;
}

/** Of a room that has settings: the room goes on by the new ones at once. */
function replaceEffective(room: Room, effective: string): void {
  const before = timesOf(room);
  putEffective(room, effective, room.version === 0);
  raiseVersion(room);
  if (!areSame(before, timesOf(room))) adoptSchedule(room, before);
}

/** The operator's changes. */
export function changeSettings(room: Room, live: string, effective: string): void {
  room.liveChanges = live;
  replaceEffective(room, effective);
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
