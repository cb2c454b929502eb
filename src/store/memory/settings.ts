import { stableText } from "../../lib/stable-text.ts";
import type { RoomSettings, RoomSettingsPatch, StoredSettings } from "../room-store.ts";
import type { RoomData } from "./data.ts";
import { latestTat } from "./limiter.ts";

export function applyPatch(file: RoomSettings, live: RoomSettingsPatch): RoomSettings {
  return {
    ...file,
    ...live,
    inlet: { ...file.inlet, ...live.inlet },
    admission: { ...file.admission, ...live.admission },
  };
}

/** Lays down settings. A limit that was raised counts from now on, not from the slot that the old pace had reached. */
export function putSettings(room: RoomData, settings: StoredSettings): void {
  room.settings = settings;
  const limit = settings.effective.inlet.outflowPerMinute;
  if (limit !== null) room.limiter.tatMs = Math.min(room.limiter.tatMs, latestTat(limit, room.flowMs));
}

/**
 * A changed configuration file: its values replace the stored ones, live changes stay on top. A live inlet that is
 * `periodic` by grace of a limit that the file no longer has would neither serve nor hold anyone: then the file's counts.
 */
export function applyFileSettings(room: RoomData, file: RoomSettings): void {
  if (stableText(file) === stableText(room.settings.file)) return;
  const { inlet, ...others } = room.settings.live;
  const { type, outflowPerMinute } = { ...file.inlet, ...inlet };
  const isUsable = type !== "periodic" || outflowPerMinute !== null;
  const live = isUsable ? room.settings.live : others;
  putSettings(room, { file, live, effective: applyPatch(file, live) });
  room.version++;
}
