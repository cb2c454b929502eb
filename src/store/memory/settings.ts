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

/** JSON with sorted keys, so that equal settings have equal texts. */
export function stableText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** A changed configuration file: its values replace the stored ones, live changes stay on top. */
export function applyFileSettings(room: RoomData, file: RoomSettings): void {
  if (stableText(file) === stableText(room.settings.file)) return;
  const { live } = room.settings;
  room.settings = { file, live, effective: applyPatch(file, live) };
  room.version++;
}
