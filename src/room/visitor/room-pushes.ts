import type {
  DrawnPush,
  PushSettlement,
  PushSubscriptionAnswer,
  TakenPushes,
  UndrawnPush,
} from "../../store/contract/room-store.ts";
import { nearThrough } from "../line.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import { type Ticket, ticketWithoutPlace } from "../tickets/ticket.ts";

/** Visitors who are notified of their turn. All that ask the store throw StoreUnavailableError or RoomRecoveringError. */
export class RoomPushes {
  readonly #room: SyncedRoom;
  #kept = 0;
  /** Entries that are drawn, whose places the store is told with the next call. */
  #placed: readonly DrawnPush[] = [];

  constructor(room: SyncedRoom) {
    this.#room = room;
  }

  /** Whether the room notifies its visitors. */
  get areOffered(): boolean {
    return this.#room.settings.push === true;
  }

  /** Subscriptions and notifications under way, as this process heard last. */
  get subscriptionCount(): number {
    return this.areOffered ? this.#kept : 0;
  }

  /** @param text where and how to notify the visitor */
  async keep(ticket: Ticket, text: string): Promise<PushSubscriptionAnswer> {
    const room = this.#room;
    if (room.isAhead(ticket)) await room.verifyAhead(ticket);
    const { sub, edition, position, entry = null } = room.place(ticket);
    const near = this.#nearThrough(position);
    return room.run("keepPush", { sub, edition, position, entry, nearThrough: near, text });
  }

  async drop(sub: string): Promise<void> {
    await this.#room.run("dropPush", sub);
  }

  /** Notes what became of notifications, and takes those that are due. */
  async take(settled: readonly PushSettlement[], limit: number): Promise<TakenPushes["taken"]> {
    const placed = this.#placed;
    this.#placed = [];
    const answer = await this.#room.run("takePushes", { settled, placed, nearThrough: this.#nearThrough(), limit });
    this.#kept = answer.stored;
    this.#placed = answer.undrawn.flatMap((entry) => this.#place(entry) ?? []);
    return answer.taken;
  }

  /** Null where this process cannot compute the place, or not yet. */
  #place(entry: UndrawnPush): DrawnPush | null {
    const { id, state } = this.#room;
    if (state === null) return null;
    const { sub, number } = entry;
    const ticket = { ...ticketWithoutPlace(id, sub), edition: state.edition, position: number };
    const { position, entry: drawn = null } = this.#room.place(ticket);
    return drawn?.draw === entry.draw ? { ...entry, position } : null;
  }

  /** @param position one that may be handed out since this process heard of the line last */
  #nearThrough(position = 0): number {
    const { state } = this.#room;
    return state?.phase === "open" ? nearThrough(state, Math.max(state.queued, position)) : (state?.serving ?? 0);
  }
}
