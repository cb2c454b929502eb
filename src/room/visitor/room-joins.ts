import type { EventEmitter } from "node:events";
import type { AddressBuckets } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import type { JoinRange, JoinRate, RoomStore } from "../../store/contract/room-store.ts";
import type { RoomEvents } from "../events.ts";
import { isInterruption } from "../replica/interruptions.ts";
import type { RoomReplica } from "../replica/room-replica.ts";
import type { RoomSync } from "../replica/room-sync.ts";
import type { Ticket } from "../tickets/ticket.ts";
import { createVisitorId } from "../tickets/visitor.ts";
import { entranceOf } from "./entrance.ts";
import { JoinLimit } from "./join-limit.ts";
import { Joiner } from "./joiner.ts";

/**
 * `full`: so many wait already that no more are taken. `too_many`: so many have joined from the visitor's address just now.
 * `closed`: the phase has no line to join.
 */
export type JoinResult =
  | { result: "joined"; ticket: Ticket }
  | { result: "later"; retryMs: number }
  | { result: "full" }
  | { result: "too_many"; retryMs: number }
  | { result: "closed" };

export interface RoomJoinsParts {
  readonly id: string;
  readonly store: RoomStore;
  readonly replica: RoomReplica;
  readonly addresses: AddressBuckets;
  /** See `JoinLimitParts`. */
  readonly joinRate: () => JoinRate | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: EventEmitter<RoomEvents>;
  readonly sync: RoomSync;
}

const noAddress = () => null;

/** How visitors come to a place in line. */
export class RoomJoins {
  readonly #parts: RoomJoinsParts;
  readonly #joiner: Joiner;
  readonly #limit: JoinLimit;

  constructor(parts: RoomJoinsParts) {
    this.#parts = parts;
    this.#joiner = new Joiner((count) => this.#takePositions(count));
    this.#limit = new JoinLimit(parts);
  }

  /** Reports from time to time how many joins were refused. */
  report(): void {
    this.#limit.report();
  }

  /** See `WaitingRoom.join`. */
  async join(known: Ticket | null, arrivedMs: number, addressOf: () => string | null = noAddress): Promise<JoinResult> {
    const { interruptions } = this.#parts.sync;
    if (interruptions.hasTurnedAway) {
      // Syncs whether it is over before a position is taken: visitors who were turned away go first.
      await this.#parts.sync.catchUp();
      if (interruptions.availability !== "ready") return { result: "later", retryMs: interruptions.retryMs };
    }
    const delayMs = interruptions.delayOfJoinMs(arrivedMs);
    if (delayMs > 0) return { result: "later", retryMs: delayMs };
    if (this.#limit.isOff) return this.#join(known);
    if (entranceOf(this.#parts.replica.state) !== "line") return this.#joinWhatMayBeALine(known);
    const address = addressOf();
    if (address === null) return this.#join(known);
    const retryMs = this.#limit.take(address);
    if (retryMs > 0) return { result: "too_many", retryMs };
    let hasJoined = false;
    try {
      const answer = await this.#join(known);
      hasJoined = answer.result === "joined";
      return answer;
    } finally {
      // Only places count: a visitor without one may retry as often as they like.
      if (!hasJoined) this.#limit.giveBack(address);
    }
  }

  /**
   * For a room that had no line at the last sync: the join is not counted. If there is a line since, this process syncs
   * it now.
   */
  async #joinWhatMayBeALine(known: Ticket | null): Promise<JoinResult> {
    const answer = await this.#join(known);
    if (answer.result === "joined") await this.#parts.sync.catchUp();
    return answer;
  }

  async #join(known: Ticket | null): Promise<JoinResult> {
    const { id: room, random } = this.#parts;
    try {
      if (this.#parts.replica.state === null) await this.#parts.sync.refresh();
      const answer = await this.#joiner.join();
      if (answer === "full") return { result: "full" };
      if (answer === "closed") {
        // The phase differs from the last synced one.
        await this.#parts.sync.catchUp();
        return { result: "closed" };
      }
      const { edition, position, joinedMs } = answer;
      const ticket: Ticket = {
        room,
        sub: known?.sub ?? createVisitorId(room, random),
        edition,
        position,
        joinedMs,
        requests: known?.requests ?? [],
        restarts: 0,
        claim: null,
      };
      return { result: "joined", ticket };
    } catch (error) {
      if (!isInterruption(error)) throw error;
      const { interruptions } = this.#parts.sync;
      interruptions.noteTurnedAway();
      return { result: "later", retryMs: interruptions.retryMs };
    }
  }

  async #takePositions(count: number): Promise<JoinRange> {
    const { id: room, store, replica, events, sync } = this.#parts;
    let givenUnder = "";
    const range = await sync.run((incarnation) => {
      givenUnder = typeof incarnation === "string" ? incarnation : (incarnation?.incarnation ?? "");
      return store.join(room, incarnation, count);
    });
    const joined = range.last - range.first + 1;
    if (joined > 0) {
      // The checkpoints would else say that somebody stands where the incarnation began with a gap.
      if (replica.state?.incarnation !== givenUnder) await this.#parts.sync.catchUp();
      replica.learnRange(range);
      events.emit("tickets.joined", { room, count: joined });
    }
    if (range.refusal !== null) {
      events.emit("join.refused", { room, reason: range.refusal, count: count - joined });
    }
    return range;
  }
}
