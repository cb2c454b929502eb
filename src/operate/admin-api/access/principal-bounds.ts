import { AddressBuckets, type BucketRate } from "../../../lib/address-buckets.ts";
import type { Clock } from "../../../lib/clock-and-random.ts";
import { UsherError } from "../../../lib/errors.ts";
import type { Principal } from "./principal.ts";

/** What each request of a principal leaves in the store for minutes or a day, and how often one may: at once, and then a minute. */
const rates = {
  confirmation: { perMinute: 30, burst: 60 },
  "debug link": { perMinute: 2, burst: 100 },
  "request with an Idempotency-Key": { perMinute: 120, burst: 1_000 },
} as const satisfies Record<string, BucketRate>;

export type PrincipalBounds = ReturnType<typeof createPrincipalBounds>;

/** So that no key, however small its role, fills the store. In this process alone. @param clock the process's */
export function createPrincipalBounds(clock: Clock) {
  const buckets = new AddressBuckets(clock);
  return {
    /** @throws UsherError `too_many_requests` */
    take({ kind, id }: Pick<Principal, "kind" | "id">, what: keyof typeof rates): void {
      const rate = rates[what];
      const waitMs = buckets.of(what, rate).take(`${kind} ${id}`);
      if (waitMs === 0) return;
      const bound = `${rate.burst} at once and ${rate.perMinute} a minute at each process`;
      throw new UsherError(
        "too_many_requests",
        `too many of one kind (${what}) from one key or person: at most ${bound}`,
        {
          retryAfterSec: Math.ceil(waitMs / 1_000),
        },
      );
    },
  };
}
