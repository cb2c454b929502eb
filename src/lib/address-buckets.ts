import type { Clock } from "./clock.ts";

/** A bucket of `burst` tokens, which is filled with `perMinute`. */
export interface BucketRate {
  readonly perMinute: number;
  readonly burst: number;
}

/** The buckets of one room. */
export interface RoomBuckets {
  /** Takes a token. Milliseconds until there is one where there is none now; 0 where it was taken. */
  take(block: string): number;
  /** Puts it back: it was not needed. */
  giveBack(block: string): void;
}

/** So many addresses are remembered, of all rooms together. With room and address, each takes about 150 bytes. */
export const maxAddresses = 100_000;

/**
 * Token buckets by room and address. Of a bucket only the moment is kept at which it will be full again (the virtual scheduling of
 * GCRA, ITU-T I.371); a full bucket need not be remembered at all. So there are two halves: what was asked for lately, and what
 * was before that. When the first half has become old enough that all buckets of the second are full again, or holds as
 * many as it may, it becomes the second, and the old second is forgotten. Under so many addresses that it comes to that before
 * they are full, whoever was not seen for the longest time gets a full bucket: too many addresses never cost anybody a place.
 */
export class AddressBuckets {
  readonly #clock: Clock;
  readonly #maxInHalf: number;
  #recent = new Map<string, number>();
  #earlier = new Map<string, number>();
  #longestFillMs = 0;
  #turnedMs = 0;
  /** A time of its own, which never goes back: a clock that is set back leaves nobody waiting for it to catch up. */
  #nowMs = 0;
  #heardMs: number;

  constructor(clock: Clock, max = maxAddresses) {
    this.#clock = clock;
    this.#maxInHalf = Math.max(1, Math.floor(max / 2));
    this.#heardMs = clock.now();
  }

  /** How many are remembered. */
  get size(): number {
    return this.#recent.size + this.#earlier.size;
  }

  of(room: string, { perMinute, burst }: BucketRate): RoomBuckets {
    const tokenMs = 60_000 / perMinute;
    const fillMs = burst * tokenMs;
    this.#longestFillMs = Math.max(this.#longestFillMs, fillMs);
    return {
      take: (block) => this.#take(`${room} ${block}`, tokenMs, fillMs),
      giveBack: (block) => this.#giveBack(`${room} ${block}`, tokenMs),
    };
  }

  #take(key: string, tokenMs: number, fillMs: number): number {
    const nowMs = this.#passTime();
    const fullMs = Math.max(nowMs, this.#find(key) ?? 0);
    const missingMs = fullMs + tokenMs - nowMs - fillMs;
    // Sums of fractions may be off by less than any of them.
    const isThere = missingMs < tokenMs / 1_000;
    this.#recent.set(key, isThere ? fullMs + tokenMs : fullMs);
    return isThere ? 0 : missingMs;
  }

  #giveBack(key: string, tokenMs: number): void {
    const fullMs = this.#find(key);
    if (fullMs !== undefined) this.#recent.set(key, fullMs - tokenMs);
  }

  #find(key: string): number | undefined {
    return this.#recent.get(key) ?? this.#earlier.get(key);
  }

  #passTime(): number {
    const heardMs = this.#clock.now();
    this.#nowMs += Math.max(0, heardMs - this.#heardMs);
    this.#heardMs = heardMs;
    const isOld = this.#nowMs - this.#turnedMs >= this.#longestFillMs;
    if (isOld || this.#recent.size >= this.#maxInHalf) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
      this.#turnedMs = this.#nowMs;
    }
    return this.#nowMs;
  }
}
