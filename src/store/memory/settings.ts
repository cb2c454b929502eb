import { stableText } from "../../lib/stable-text.ts";
import type { RoomSettings, RoomSettingsPatch } from "../room-store.ts";
import type { RoomData } from "./data.ts";

export function applyPatch(file: RoomSettings, live: RoomSettingsPatch): RoomSettings {
  return {
    ...file,
    ...live,
    inlet: { ...file.inlet, ...live.inlet },
    admission: { ...file.admission, ...live.admission },
  };
}

/** A changed configuration file: its values replace the stored ones, live changes stay on top. */
export function applyFileSettings(room: RoomData, file: RoomSettings): void {
  if (stableText(file) === stableText(room.settings.file)) return;
  const { live } = room.settings;
  room.settings = { file, live, effective: applyPatch(file, live) };
  room.version++;
}
