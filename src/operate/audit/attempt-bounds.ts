import { addressBlock } from "../../lib/address-block.ts";
import { AddressBuckets } from "../../lib/address-buckets.ts";
import type { Clock } from "../../lib/clock-and-random.ts";

export type AttemptBounds = ReturnType<typeof createAttemptBounds>;

/** Twenty at once, then one every five seconds: as many as are answered before an address is told to wait. */
const ofAddress = { perMinute: 12, burst: 20 };
/** Of all strangers together, however many addresses they have: of 50,000 rows they fill less than 300 a day. */
const ofStrangers = { perMinute: 0.2, burst: 50 };
const routine = { perMinute: 1, burst: 1 };
/**
 * Of one principal at one route, carried out and refused apart: so no flood of small changes hides a great one. At all routes that a key
 * of the box office has, they are some 3,000 rows at once, of 50,000, and 14,000 a day.
 */
const ofPrincipal = { perMinute: 1, burst: 300 };

/** Which requests have rows of their own, so that nobody can push the rows of others out of the audit. In this process alone. */
export function createAttemptBounds(clock: Clock) {
  const buckets = new AddressBuckets(clock);
  const strange = buckets.of("strangers", ofStrangers);
  // Apart: no flood of addresses makes a principal's bucket full again.
  const principals = new AddressBuckets(clock).of("principals", ofPrincipal);
  const repeated = buckets.of("routine", routine);
  const take = (what: "failed" | "succeeded", address: string, isStranger: boolean) =>
    buckets.of(what, ofAddress).take(addressBlock(address) ?? address) === 0 &&
    (!isStranger || strange.take(what) === 0);
  return {
    /** Any request of a key or person. @param what by whom, at which route, with which outcome */
    takePrincipals: (what: string): boolean => principals.take(what) === 0,
    /** A request that was refused or failed. */
    takeFailure: (address: string, isStranger: boolean) => take("failed", address, isStranger),
    /** What a stranger does without a fault. Apart from failures, so that no flood of those hides who opened a link. */
    takeStrangersSuccess: (address: string) => take("succeeded", address, true),
    /** What a program reports again and again: one a minute has a row. @param what by whom, about what */
    takeRoutine: (what: string): boolean => repeated.take(what) === 0,
  };
}
