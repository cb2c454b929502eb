import { stableText } from "../../lib/json.ts";
import { type RoomSettings, writeRoomSettings } from "./room-settings.ts";

/** The settings that differ, by their path in the words of the file: what that says, and what is in force. Of addresses, nothing behind the `?`. */
export function settingsDifferences(file: RoomSettings, inForce: RoomSettings) {
  const own = flatten(writeRoomSettings(file, inForce.timeZone));
  const other = flatten(writeRoomSettings(inForce, inForce.timeZone));
  const differences: Record<string, { readonly file: unknown; readonly in_force: unknown }> = {};
  for (const path of new Set([...own.keys(), ...other.keys()])) {
    const [a, b] = [own.get(path) ?? null, other.get(path) ?? null];
    if (stableText(a) !== stableText(b))
      differences[path] = { file: shownSetting(path, a), in_force: shownSetting(path, b) };
  }
  return differences;
}

/** A message is one value, however it is written. */
function flatten(value: object, prefix = ""): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] =>
      typeof member === "object" && member !== null && key !== "message"
        ? [...flatten(member, `${prefix}${key}.`)]
        : [[`${prefix}${key}`, member]],
    ),
  );
}

/** A setting for logs, events and the audit: the URL of a gate or a probe may carry a token behind its `?`. */
export function shownSetting(path: string, value: unknown): unknown {
  return /[_./]url$/.test(path) && typeof value === "string" ? value.replace(/\?.*$/s, "?***") : value;
}
