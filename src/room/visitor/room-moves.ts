import type { EventEmitter } from "node:events";
import type { RoomStore } from "../../store/contract/room-store.ts";
import type { RoomEvents } from "../events.ts";
import type { RoomReplica } from "../replica/room-replica.ts";
import type { RoomSync } from "../replica/room-sync.ts";
import type { MoveLink } from "../tickets/move-link.ts";
import { type Ticket, ticketWithoutPlace } from "../tickets/ticket.ts";

export interface RoomMovesParts {
  readonly id: string;
  readonly store: RoomStore;
  readonly replica: RoomReplica;
  readonly events: EventEmitter<RoomEvents>;
  readonly sync: RoomSync;
}

/** A copy of a place: whose it would be. */
export type PlaceCopy = Pick<Ticket, "sub" | "edition" | "position" | "entry">;

/** Places that are carried to another browser. */
export class RoomMoves {
  readonly #parts: RoomMovesParts;

  constructor(parts: RoomMovesParts) {
    this.#parts = parts;
  }

  /** Whether the place was moved to another visitor, as last synced. Asks no store. */
  isKnownElsewhere(copy: PlaceCopy): boolean {
    return this.#parts.replica.isElsewhere(copy);
  }

  /** Whether the place was moved to this visitor, as last synced. Asks no store. */
  isKnownToBeOf(copy: PlaceCopy): boolean {
    return this.#parts.replica.holderOf(copy) === copy.sub;
  }

  /** Like `isKnownElsewhere`, but checked again with the store: the place may have been moved back just now. */
  async isElsewhere(copy: PlaceCopy): Promise<boolean> {
    if (!this.isKnownElsewhere(copy)) return false;
    await this.#parts.sync.catchUp();
    return this.isKnownElsewhere(copy);
  }

  /**
   * Carries the place of a link to another visitor. Answers whether it is theirs now, also when this is asked again.
   *
   * @param to `sub` of that visitor
   * @throws StoreUnavailableError whether it is theirs is unknown
   * @throws RoomRecoveringError
   */
  async take(link: MoveLink, to: string): Promise<boolean> {
    const { id: room, store, replica, events, sync } = this.#parts;
    const { from, edition, number, joinedMs } = link;
    const copy: Ticket = { ...ticketWithoutPlace(room, from), edition, position: number, joinedMs };
    if (replica.isAhead(copy)) await sync.verifyAhead(copy);
    const { position, entry } = replica.place(copy);
    const request = { edition, position, ...(entry && { entry }), joinedMs, from, to, link };
    const moved = await sync.run((incarnation) => store.move(room, incarnation, request));
    if (moved === null) return false;
    replica.learnMoves(edition, [moved]);
    events.emit("place.moved", { room, from, sub: to });
    return true;
  }
}
