import { isAdaptive, ratePerMinute, resetAdaptive } from "../../core/adaptive/rate.ts";
import { raiseVersion, setHold } from "../../core/holds.ts";
import { latestTat } from "../../core/limiter.ts";
import { adoptSchedule, timesOf } from "../../core/phases.ts";
import { setRules } from "../../core/rules.ts";
import { stableText } from "../../lib/stable-text.ts";
import type {
  DrawSettings,
  InletSettings,
  RoomSettings,
  RoomSettingsPatch,
  StoredSettings,
} from "../contract/room-store.ts";
import type { RoomData } from "./data.ts";

/** Where the file is an earlier build's, and says nothing. */
const drawDefault: DrawSettings = { order: "arrival", beacon: "none" };

export function applyPatch(file: RoomSettings, { draw, ...live }: RoomSettingsPatch): RoomSettings {
  return {
    ...file,
    ...live,
    inlet: { ...file.inlet, ...live.inlet },
    schedule: { ...file.schedule, ...live.schedule },
    ...((file.draw ?? draw) && { draw: { ...drawDefault, ...file.draw, ...draw } }),
    admission: { ...file.admission, ...live.admission },
  };
}

/** What decides how fast the line moves. */
function flowOf({ effective }: StoredSettings): string {
  const { type, outflowPerMinute, maxActive, startsAtMs, endsAtMs, sharedOutflow, weight } = effective.inlet;
  const shared = [sharedOutflow?.outflowPerMinute, sharedOutflow && (weight ?? sharedOutflow.weight)];
  return JSON.stringify([type, outflowPerMinute, maxActive, startsAtMs, endsAtMs, shared]);
}

/**
 * Lays down settings; a forgotten room's are its first, changed by nobody. A limit that was raised counts from now on, not
 * from the slot that the old pace had reached.
 */
export function putSettings(room: RoomData, settings: StoredSettings, isFirst = room.version === 0): void {
  if (!isFirst && flowOf(settings) !== flowOf(room.settings)) room.limitChangedMs = room.flowMs;
  const before = room.settings.effective.inlet;
  room.settings = settings;
  setRules(room, settings.effective);
  if (settings.effective.inlet.gate === null) {
    room.health.failures = 0;
    room.health.successes = 0;
    setHold(room, "unhealthy", false);
  }
  if (!isAdaptive(room)) {
    resetAdaptive(room, 0, null);
    setHold(room, "signal", false);
  } else if (startOf(before) !== startOf(settings.effective.inlet)) room.adaptive.rate = 0;
  const limit = settings.effective.inlet.outflowPerMinute;
  const rate = ratePerMinute(room);
  if (limit === null || rate === null) return;
  room.tatMs = Math.min(room.tatMs, latestTat(limit, room.flowMs, rate));
}

function startOf({ startPerMinute }: InletSettings): number | null {
  return startPerMinute ?? null;
}

/** The operator's changes: the room goes on by them at once. */
export function changeSettings(room: RoomData, live: RoomSettingsPatch, effective: RoomSettings): void {
  const { schedule } = room.settings.effective;
  const before = timesOf(room);
  putSettings(room, { ...room.settings, live, effective });
  raiseVersion(room);
  if (stableText(schedule) !== stableText(effective.schedule)) adoptSchedule(room, before);
}

/** Whether the inlet has what its type needs. */
function isUsable({ type, outflowPerMinute, sharedOutflow, maxActive }: InletSettings): boolean {
  if (type === "adaptive") return outflowPerMinute !== null;
  if (type === "periodic") return outflowPerMinute !== null || sharedOutflow !== null;
  return type !== "max_active" || maxActive !== null;
}

/**
 * A changed configuration file: its values replace the stored ones, live changes stay on top. A live inlet whose type was
 * good by grace of what the file no longer has (a limit) would neither serve nor hold anyone: then the file's counts.
 */
export function applyFileSettings(room: RoomData, file: RoomSettings): void {
  if (stableText(file) === stableText(room.settings.file)) return;
  const { inlet, ...others } = room.settings.live;
  const live = isUsable({ ...file.inlet, ...inlet }) ? room.settings.live : others;
  const { schedule } = room.settings.effective;
  const before = timesOf(room);
  putSettings(room, { file, live, effective: applyPatch(file, live) });
  raiseVersion(room);
  if (stableText(schedule) !== stableText(room.settings.effective.schedule)) adoptSchedule(room, before);
}
