import type { EventEmitter } from "node:events";
import type { AddressBuckets, RoomBuckets } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock.ts";
import type { JoinRate } from "../../store/contract/room-store.ts";
import type { RoomEvents } from "../events.ts";

export interface JoinLimitParts {
  readonly id: string;
  readonly addresses: AddressBuckets;
  /** In force by now; null: joins are not limited. */
  readonly joinRate: () => JoinRate | null;
  readonly clock: Clock;
  readonly events: EventEmitter<RoomEvents>;
}

/** Milliseconds between two reports in the log. */
const reportEveryMs = 60_000;

/** A room's limit of joins per address, in this process. A refused visitor keeps no trace of it. */
export class JoinLimit {
  readonly #parts: JoinLimitParts;
  #unreported = 0;
  #reportedMs: number | null = null;

  constructor(parts: JoinLimitParts) {
    this.#parts = parts;
  }

  get isOff(): boolean {
    return this.#parts.joinRate() === null;
  }

  get #buckets(): RoomBuckets | null {
    const { id, addresses, joinRate } = this.#parts;
    const rate = joinRate();
    return rate && addresses.of(id, rate);
  }

  /** @returns milliseconds after which the address may join; 0: now, and that was counted */
  take(block: string): number {
    const waitMs = this.#buckets?.take(block) ?? 0;
    if (waitMs > 0) {
      this.#unreported++;
      this.#parts.events.emit("join.over_address_limit", { room: this.#parts.id });
    }
    return waitMs;
  }

  /** No place was taken after all. */
  giveBack(block: string): void {
    this.#buckets?.giveBack(block);
  }

  /** Called about once a second. */
  report(): void {
    if (this.#unreported === 0) return;
    const { id, clock, events } = this.#parts;
    const nowMs = clock.now();
    const sinceMs = this.#reportedMs === null ? reportEveryMs : nowMs - this.#reportedMs;
    // Less than nothing: the clock was set back.
    if (sinceMs >= 0 && sinceMs < reportEveryMs) return;
    events.emit("joins.limited", { room: id, count: this.#unreported });
    this.#unreported = 0;
    this.#reportedMs = nowMs;
  }
}
