/** By what way a visitor came into a room, and where it is met again. */
import type { CameBy } from "../../room/index.ts";
import type { RoomSitesOf } from "../room-sites.ts";

export type WaysBack = ReturnType<typeof createWaysBack>;

export function createWaysBack(sitesOf: RoomSitesOf) {
  return {
    /** @param address path and query; undefined where nobody says */
    cameBy(room: string, address: string | undefined): CameBy {
      if (address === undefined) return null;
      const query = new URLSearchParams(address.slice(address.indexOf("?") + 1));
      const client = query.get("client_id");
      if (address.startsWith("/authorize?")) return client === null ? null : { client };
      const { usualTarget, findTarget } = sitesOf(room);
      const named = query.get("target");
      const target = named === null ? usualTarget : findTarget(named);
      return target === null ? null : { target };
    },

    /** An address at which the gate of the room is met by the same way, or that leads there; null where there is none. */
    address(room: string, cameBy: CameBy): string | null {
      const sites = sitesOf(room);
      const linkTo = (target: string) => `/rooms/${room}/enter?target=${encodeURIComponent(target)}`;
      // The lists may have changed since; then it leads where visitors go otherwise.
      if (cameBy !== null && "target" in cameBy) {
        const target = sites.findTarget(cameBy.target);
        if (target !== null) return linkTo(target);
      }
      const login = cameBy !== null && "client" in cameBy ? sites.loginAt(cameBy.client) : null;
      if (login !== null) return login;
      const usual = sites.continueTo(undefined);
      return usual === null || usual.by === "login" ? (usual?.address ?? null) : linkTo(usual.address);
    },
  };
}
