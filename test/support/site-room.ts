import type { RoomConfig } from "../../src/config/config.ts";

/** A room as far as its sites go. */
export function makeSiteRoom(
  id: string,
  waysIn: Partial<RoomConfig["waysIn"]> = {},
): Pick<RoomConfig, "id" | "waysIn"> {
  const none = { targets: [], admissionToken: { validityMs: 1 }, verify: { exempt: [] }, allowedOrigins: [] };
  return { id, waysIn: { ...none, ...waysIn } };
}
