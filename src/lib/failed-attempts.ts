import { addressBlock } from "./address-block.ts";
import { AddressBuckets } from "./address-buckets.ts";
import type { Clock } from "./clock.ts";

/** Twenty at once, then one every five seconds. */
const rate = { perMinute: 12, burst: 20 };

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
    const waitMs = this.#buckets.of(what, rate).take(addressBlock(address) ?? address);
    return Math.ceil(waitMs / 1_000);
  }
}
