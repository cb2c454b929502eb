/** Settings as the room's state has them: JSON, of which the members stand in any order. */
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

/** Whether two texts have the same settings; none are the empty text. */
export function areSameSettings(one: string, other: string): boolean {
  if (one === "" || other === "") return one === other;
  return isSame(JSON.parse(one), JSON.parse(other));
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  const [members, others] = [Object.entries(one), new Map(Object.entries(other))];
  return (
    members.length === others.size &&
    members.every(([name, value]) => others.has(name) && isSame(value, others.get(name)))
  );
}

/** The live changes but for those of the inlet. */
export function withoutInlet(live: string): string {
  const { inlet: _, ...others } = JSON.parse(live) as RoomSettingsPatch;
  return JSON.stringify(others);
}
