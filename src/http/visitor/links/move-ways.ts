import type { CameBy, WaitingRoom } from "../../../room/index.ts";
import type { BypassServiceOf } from "../bypass-service.ts";
import type { Targets } from "../targets.ts";

export interface MoveWaysOptions {
  readonly bypassServiceOf: BypassServiceOf;
  /** Where links to the room may lead. */
  readonly targetsOf: (room: string) => Targets;
}

/** Whence the holder of a place came to the room, and how the browser that takes it over gets into the room by the same way. */
export interface MoveWays {
  /** @param address of a way into the room, path and query; undefined where nobody says */
  read(room: WaitingRoom, address: string | undefined): CameBy;
  /** An address at which the gate of the room is met, or that leads there; null where there is none. */
  addressOf(room: WaitingRoom, cameBy: CameBy): string | null;
}

export function createMoveWays({ bypassServiceOf, targetsOf }: MoveWaysOptions): MoveWays {
  const linkTo = ({ id }: WaitingRoom, target: string) => `/rooms/${id}/enter?target=${encodeURIComponent(target)}`;

  return {
    read(room, address) {
      if (address === undefined) return null;
      const query = new URLSearchParams(address.slice(address.indexOf("?") + 1));
      const client = query.get("client_id");
      if (address.startsWith("/authorize?")) return client === null ? null : { client };
      const { usual, find } = targetsOf(room.id);
      const named = query.get("target");
      const target = named === null ? usual : find(named);
      return target === null ? null : { target };
    },

    addressOf(room, cameBy) {
      const { continuations } = bypassServiceOf(room.id);
      // The lists may have changed since the link was made; then it leads where visitors go otherwise.
      if (cameBy !== null && "target" in cameBy) {
        const target = targetsOf(room.id).find(cameBy.target);
        if (target !== null) return linkTo(room, target);
      }
      const way =
        (cameBy !== null && "client" in cameBy ? continuations.ofClient(room.id, cameBy.client) : null) ??
        continuations.usual(room.id);
      if (way === null) return null;
      return way.by === "login" ? way.address : linkTo(room, way.address);
    },
  };
}
