/** Numbers as texts, texts taken apart, and settings as JSON. */
import type { RoomSettings, RoomSettingsPatch } from "../../store/contract/room-settings.ts";

/** Without loss. */
export function textOf(value: number): string {
  return String(value);
}

/** The client's name in a login, which wants to be notified of the end; null for none. */
export function clientOf(login: string): string | null {
  return /^[^:]*:(.+)$/.exec(login)?.[1] ?? null;
}

/** The run of the server in the name of an incarnation, `RUN.NUMBER`. */
export function incarnationRun(incarnation: string): string {
  return incarnation.slice(0, Math.max(0, incarnation.indexOf(".")));
}

/** Incarnations of one run count up; those of other runs cannot be compared. */
export function incarnationNumber(incarnation: string): number {
  return Number(incarnation.slice(incarnation.indexOf(".") + 1));
}

/** The number that a text begins with, before its first colon. */
export function leadingNumber(text: string): number {
  return Number(text.slice(0, text.indexOf(":")));
}

/** What of a text is behind its first colon. */
export function afterColon(text: string): string {
  return text.slice(text.indexOf(":") + 1);
}

/** The parts of a text between its colons. */
export function partsOf(text: string): string[] {
  return text.split(":");
}

export function numberOfText(text: string): number {
  return Number(text);
}

/** The id of a row of events: its number, unless it names another. */
export function eventIdOf(seq: number, text: string): number {
  return text.startsWith("@") ? Number(text.slice(1, text.indexOf(":"))) : seq;
}

/** The row itself. */
export function eventRowOf(text: string): string {
  return text.startsWith("@") ? text.slice(text.indexOf(":") + 1) : text;
}

// Settings as the room's state has them: JSON, of which the members stand in any order.

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
