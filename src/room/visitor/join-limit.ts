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

/** Whoever reads the log is told at most so often. */
const tellMs = 60_000;

/** A room's limit of joins per address, in this process. Whoever is turned away keeps nothing of it. */
export class JoinLimit {
  readonly #parts: JoinLimitParts;
  #untold = 0;
  #toldMs: number | null = null;

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
      this.#untold++;
      this.#parts.events.emit("join.over_address_limit", { room: this.#parts.id });
    }
    return waitMs;
  }

  /** No place was taken after all. */
  giveBack(block: string): void {
    this.#buckets?.giveBack(block);
  }

  /** Called about once a second. */
  tell(): void {
    if (this.#untold === 0) return;
    const { id, clock, events } = this.#parts;
    const nowMs = clock.now();
    const sinceMs = this.#toldMs === null ? tellMs : nowMs - this.#toldMs;
    // Less than nothing: the clock was set back.
    if (sinceMs >= 0 && sinceMs < tellMs) return;
    events.emit("joins.limited", { room: id, count: this.#untold });
    this.#untold = 0;
    this.#toldMs = nowMs;
  }
}
