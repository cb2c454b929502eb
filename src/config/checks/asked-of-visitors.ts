import { type Path, valueAt } from "../raw-document.ts";

/**
 * What a room asks of its visitors before it gives them a place, that a page alone can ask: the setting, as a message names it. Null for nothing.
 *
 * @param raw the document as it was written, of which nothing has been checked @param room where the room stands in it
 */
export function askedOfVisitors(raw: unknown, room: Path): string | null {
  const check = valueAt(raw, [...room, "check"]) ?? null;
  if (check !== null && check !== "off") return "a check";
  if (valueAt(raw, [...room, "identity"]) !== undefined) return "identity";
  if (valueAt(raw, [...room, "entry"]) === "invited") return "entry: invited";
  return valueAt(raw, [...room, "device_binding"]) === "required" ? "device_binding: required" : null;
}
