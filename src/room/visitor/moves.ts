import type { SyncedRoom } from "../replica/synced-room.ts";
import type { MoveLink } from "../tickets/move-link.ts";
import { type Place, type Ticket, ticketWithoutPlace } from "../tickets/ticket.ts";

/** A copy of a place: whose it would be. */
type PlaceCopy = Place & Pick<Ticket, "sub">;

/** Places that are carried to another browser. */
export class Moves {
  readonly #room: SyncedRoom;

  constructor(room: SyncedRoom) {
    this.#room = room;
  }

  /** Whether the place was moved to this visitor, as last synced. Asks no store. */
  belongsTo(copy: PlaceCopy): boolean {
    return this.#room.replica.holderOf(copy) === copy.sub;
  }

  /**
   * Carries the place of a link to another visitor. True if the place is theirs now, also if the call is repeated.
   *
   * @param to `sub` of that visitor
   * @throws StoreUnavailableError whether it is theirs is unknown
   * @throws RoomRecoveringError
   */
  async take(link: MoveLink, to: string): Promise<boolean> {
    const { id: room, replica } = this.#room;
    const { from, edition, number, joinedMs } = link;
    const copy: Ticket = { ...ticketWithoutPlace(room, from), edition, position: number, joinedMs };
    if (replica.isAhead(copy)) await this.#room.verifyAhead(copy);
    const { position, entry = null } = replica.place(copy);
    const moved = await this.#room.run("move", { edition, position, entry, joinedMs, from, to, link });
    if (moved === null) return false;
    replica.learnMoves(edition, [moved]);
    this.#room.emit("place.moved", { from, sub: to });
    return true;
  }
}
