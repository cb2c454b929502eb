import type { EventEmitter } from "node:events";
import type { Clock } from "../../lib/clock.ts";
import type { KnownIncarnation, Outcome, RoomSettings, RoomStore } from "../../store/contract/room-store.ts";
import { DrawKeeper } from "../draw/draw-keeper.ts";
import type { DrawSource } from "../draw/draw-source.ts";
import type { RoomEvents } from "../events.ts";
import type { Ticket } from "../tickets/ticket.ts";
import { AdvanceLog } from "./advance-log.ts";
import { type Availability, Interruptions, isInterruption } from "./interruptions.ts";
import { RecoveryClient } from "./recovery-client.ts";
import type { RoomReplica } from "./room-replica.ts";
import { SharedRefresh } from "./shared-refresh.ts";
import { StateFeed } from "./state-feed.ts";

export interface RoomSyncParts {
  readonly id: string;
  readonly store: RoomStore;
  readonly replica: RoomReplica;
  readonly drawSource: DrawSource | null;
  readonly fileSettings: RoomSettings;
  /** No ticket of this room can exist yet. */
  readonly isNewRoom: boolean;
  readonly clock: Clock;
  readonly events: EventEmitter<RoomEvents>;
}

/** Pages of changed admissions and moves that one refresh fetches at most. */
const maxChangePages = 20;

/** The connection of one room's replica to the store: runs operations, syncs the state, joins recoveries. */
export class RoomSync {
  readonly interruptions: Interruptions;
  readonly advances = new AdvanceLog();
  readonly #parts: RoomSyncParts;
  readonly #recovery: RecoveryClient;
  readonly #feed: StateFeed;
  readonly #draws: DrawKeeper | null;
  readonly #shared = new SharedRefresh(() => this.#refreshQuietly());

  constructor(parts: RoomSyncParts) {
    const { id, store, replica, fileSettings, isNewRoom, clock, events, drawSource: source } = parts;
    this.#parts = parts;
    this.#recovery = new RecoveryClient(id, store, replica, fileSettings, isNewRoom);
    this.interruptions = new Interruptions(id, clock, events);
    this.#feed = new StateFeed(id, parts, this.advances);
    this.#draws = source && new DrawKeeper({ ...parts, source, run: (operation) => this.run(operation) });
  }

  /** After a recovery the room stays `recovering` until its new state is synced: the known one is from before the loss. */
  get availability(): Availability {
    const { availability } = this.interruptions;
    const { state } = this.#parts.replica;
    const isOld = availability === "ready" && state !== null && state.incarnation !== this.#recovery.incarnation;
    return isOld ? "recovering" : availability;
  }

  /** When the state was synced last, by this process's clock, in milliseconds. */
  get syncedMs(): number {
    return this.#feed.syncedMs;
  }

  /**
   * Runs an operation of the store with the incarnation that this process knows.
   *
   * @throws StoreUnavailableError the store does not answer; whether the operation took place is unknown
   * @throws RoomRecoveringError
   */
  run<T>(operation: (incarnation: KnownIncarnation) => Promise<Outcome<T>>): Promise<T> {
    return this.interruptions.watch(this.#recovery.run(operation));
  }

  /**
   * Advances the room, syncs its state, and draws what is due.
   *
   * @throws StoreUnavailableError
   * @throws RoomRecoveringError
   */
  async refresh(): Promise<void> {
    await this.#sync();
    if (await this.#draws?.keep()) await this.#sync();
  }

  /**
   * A refresh that begins after this call, shared by all concurrent callers: after an operation, or for a state that this
   * process does not know. An unavailable store is no error.
   */
  catchUp(): Promise<void> {
    return this.#shared.run();
  }

  /** See `WaitingRoom.verifyAhead`. */
  async verifyAhead(ticket: Ticket): Promise<void> {
    try {
      await this.refresh();
      if (!this.#parts.replica.isNews(ticket)) return;
      await this.reportLoss(ticket);
      await this.refresh();
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }

  /** Offers the store what a ticket proves about the room, which starts a recovery. */
  async reportLoss(ticket: Ticket): Promise<void> {
    const memory = this.#parts.replica.recallFromTicket(ticket);
    if (memory !== null) await this.#recovery.offer(memory);
  }

  async #sync(): Promise<void> {
    const { id, store } = this.#parts;
    for (let page = 0; page < maxChangePages; page++) {
      const changes = await this.run((incarnation) => store.tick(id, incarnation, this.#feed.cursor));
      if (!this.#feed.sync(changes)) return;
    }
  }

  async #refreshQuietly(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }
}
