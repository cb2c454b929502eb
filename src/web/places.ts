import type { UsherConfig } from "../config/index.ts";
import { checkPlace, type ListenerPlace } from "./server.ts";

/** Where a gateway listens: for visitors, and for operators where that is another place. */
export function placesOf({ listen, admin }: UsherConfig): [ListenerPlace, ListenerPlace | null] {
  return [{ setting: "listen", ...listen }, admin.listen && { setting: "admin.listen", ...admin.listen }];
}

/** Listens there for a moment. @throws as listening would */
export async function checkPlaces(config: UsherConfig): Promise<void> {
  for (const place of placesOf(config)) if (place !== null) await checkPlace(place);
}
