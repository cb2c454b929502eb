import { addressBlock } from "./address-block.ts";
import { AddressBuckets } from "./address-buckets.ts";
import type { Clock } from "./clock.ts";

/** Twenty at once, then one every five seconds. */
const rate = { perMinute: 12, burst: 20 };

/**
 * Counts failed authentications by what was tried and from where, in this process, in memory of bounded size. Whoever shows the
 * right key or secret is not asked: strangers behind the same address, or a flood of wrong ones, lock nobody out. What keeps
 * keys from being guessed is their length; this keeps attempts from filling log and time.
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
    const waitMs = this.#buckets.of(what, rate).take(addressBlock(address) ?? address);
    return Math.ceil(waitMs / 1_000);
  }
}
