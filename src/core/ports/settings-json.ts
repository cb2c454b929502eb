/** Settings as the room's state has them: JSON, in which equal settings have equal texts. */
import type { RoomSettings, RoomSettingsPatch } from "../../store/contract/room-settings.ts";

export function decodeSettings(text: string): RoomSettings {
  return JSON.parse(text) as RoomSettings;
}

/** The file's settings with the live changes over them. */
export function patchSettings(file: string, live: string): string {
  const settings = decodeSettings(file);
  const { draw, ...patch } = JSON.parse(live) as RoomSettingsPatch;
  return JSON.stringify({
    ...settings,
    ...patch,
    inlet: { ...settings.inlet, ...patch.inlet },
    schedule: { ...settings.schedule, ...patch.schedule },
    draw: { ...settings.draw, ...draw },
    admission: { ...settings.admission, ...patch.admission },
  });
}

/** The live changes but for those of the inlet. */
export function withoutInlet(live: string): string {
  const { inlet: _, ...others } = JSON.parse(live) as RoomSettingsPatch;
  return JSON.stringify(others);
}
