import { addressBlock } from "./address-block.ts";
import type { Clock } from "./clock-and-random.ts";

/** A bucket of `burst` tokens, which is filled with `perMinute`. */
export interface BucketRate {
  readonly perMinute: number;
  readonly burst: number;
}

/** Where `joins_per_address` is not limited: as that setting is by default. */
export const usualRate: BucketRate = { perMinute: 600, burst: 1_200 };

/** The buckets of one room. */
export type RoomBuckets = Pick<ReturnType<AddressBuckets["of"]>, "take" | "refund">;

/** So many addresses are remembered, of all rooms together. With room and address, each takes about 150 bytes. */
export const maxAddresses = 100_000;

/**
 * Token buckets by room and address. A bucket is stored as the time at which it will be full again (the virtual scheduling of
 * GCRA, ITU-T I.371); a full bucket is not stored at all. There are two generations: the recent buckets, and those before
 * them. When all buckets of the older generation are full again, or the recent one holds as many as it may, the recent one
 * becomes the older, and the old one is dropped. If that happens before its buckets are full, because of very many addresses, a
 * quarter of the memory keeps the emptiest of them; the others are full again. So no visitor loses a place by a flood of addresses, and a
 * flood that is to fill an empty bucket must have taken as much from as many other addresses as that quarter holds.
 */
export class AddressBuckets {
  readonly #clock: Clock;
  readonly #maxInGeneration: number;
  readonly #maxEmptiest: number;
  #recent = new Map<string, number>();
  #earlier = new Map<string, number>();
  #emptiest = new Map<string, number>();
  #longestFillMs = 0;
  #turnedMs = 0;
  /** A time of its own, which never goes back: a clock that is set back leaves nobody waiting for it to catch up. */
  #nowMs = 0;
  #heardMs: number;

  constructor(clock: Clock, max = maxAddresses) {
    this.#clock = clock;
    this.#maxEmptiest = Math.max(1, Math.floor(max / 4));
    this.#maxInGeneration = Math.max(1, Math.floor((max - this.#maxEmptiest) / 2));
    this.#heardMs = clock.now();
  }

  /** How many are remembered. */
  get size(): number {
    return this.#recent.size + this.#earlier.size + this.#emptiest.size;
  }

  of(room: string, { perMinute, burst }: BucketRate) {
    const tokenMs = 60_000 / perMinute;
    const fillMs = burst * tokenMs;
    this.#longestFillMs = Math.max(this.#longestFillMs, fillMs);
    return {
      /** Takes a token. Milliseconds until there is one where there is none now; 0 where it was taken. */
      take: (block: string) => this.#take(`${room} ${block}`, tokenMs, fillMs),
      /** How many tokens are missing now. */
      taken: (block: string) => Math.max(0, (this.#find(`${room} ${block}`) ?? 0) - this.#passTime()) / tokenMs,
      /** Puts it back: it was not needed. */
      refund: (block: string) => this.#refund(`${room} ${block}`, tokenMs),
      /** It is full in no less than this: others have taken of it, too. */
      raise: (block: string, levelMs: number) => this.#raise(`${room} ${block}`, levelMs),
      tokenMs,
      fillMs,
    };
  }

  /** Forgets all buckets of rooms whose name begins so. */
  forget(room: string): void {
    for (const generation of [this.#recent, this.#earlier, this.#emptiest]) {
      for (const key of generation.keys()) if (key.startsWith(`${room} `)) generation.delete(key);
    }
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

  #refund(key: string, tokenMs: number): void {
    const fullMs = this.#find(key);
    if (fullMs !== undefined) this.#recent.set(key, fullMs - tokenMs);
  }

  #raise(key: string, levelMs: number): void {
    const fullMs = this.#passTime() + levelMs;
    this.#longestFillMs = Math.max(this.#longestFillMs, levelMs);
    if (fullMs > (this.#find(key) ?? 0)) this.#recent.set(key, fullMs);
  }

  #find(key: string): number | undefined {
    return this.#recent.get(key) ?? this.#earlier.get(key) ?? this.#emptiest.get(key);
  }

  #passTime(): number {
    const syncedMs = this.#clock.now();
    this.#nowMs += Math.max(0, syncedMs - this.#heardMs);
    this.#heardMs = syncedMs;
    const isOld = this.#nowMs - this.#turnedMs >= this.#longestFillMs;
    if (isOld || this.#recent.size >= this.#maxInGeneration) {
      this.#emptiest = isOld ? new Map() : this.#findEmptiest();
      this.#earlier = this.#recent;
      this.#recent = new Map();
      this.#turnedMs = this.#nowMs;
    }
    return this.#nowMs;
  }

  /** Of the buckets that would be dropped, those that take longest to be full; of equals, those that were seen last. */
  #findEmptiest(): Map<string, number> {
    const dropped: [key: string, fullMs: number][] = [];
    for (const bucket of [...this.#emptiest, ...this.#earlier]) {
      if (bucket[1] > this.#nowMs && !this.#recent.has(bucket[0])) dropped.push(bucket);
    }
    if (dropped.length <= this.#maxEmptiest) return new Map(dropped);
    const least =
      Float64Array.from(dropped, ([, fullMs]) => fullMs)
        .sort()
        .at(-this.#maxEmptiest) ?? 0;
    const emptier = dropped.filter(([, fullMs]) => fullMs > least);
    const even = dropped.filter(([, fullMs]) => fullMs === least);
    return new Map([...emptier, ...even.slice(emptier.length - this.#maxEmptiest)]);
  }
}

/** Takes of all of them or of none. Which has no token, and milliseconds until there may be one; null where they were taken. */
export function takeOfAll(bounds: readonly (readonly [RoomBuckets, string])[]): { at: number; waitMs: number } | null {
  for (const [at, [bound, block]] of bounds.entries()) {
    const waitMs = bound.take(block);
    if (waitMs === 0) continue;
    for (const [other, taken] of bounds.slice(0, at)) other.refund(taken);
    return { at, waitMs };
  }
  return null;
}

/** Twenty at once, then one every five seconds. */
const failureRate = { perMinute: 12, burst: 20 };

/**
 * Counts failed authentications by what was tried and from where, in this process, in memory of bounded size. A right
 * key or secret is never blocked: neither failures from the same address nor a flood of wrong keys lock anybody out.
 * The length of keys keeps them from being guessed; this keeps attempts from filling log and time.
 */
export class FailedAttempts {
  readonly #buckets: AddressBuckets;

  constructor(clock: Clock) {
    this.#buckets = new AddressBuckets(clock);
  }

  /**
   * Counts one.
   *
   * @param what of a bounded number
   * @returns seconds after which the address may try again; 0 where it may at once
   */
  count(what: string, address: string): number {
    const waitMs = this.#buckets.of(what, failureRate).take(addressBlock(address) ?? address);
    return Math.ceil(waitMs / 1_000);
  }

  /** One that was counted before it was known is no failure. */
  refund(what: string, address: string): void {
    this.#buckets.of(what, failureRate).refund(addressBlock(address) ?? address);
  }
}
