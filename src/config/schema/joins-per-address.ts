/** How many may join from one address: `rooms[].joins_per_address`. */
import { z } from "zod";
import { addressRange, list, mapping, orOff, wholeNumber } from "./fields.ts";
import { withKind } from "./settings-codec.ts";

const PREQUEUE_MAX = 1_000_000;
/** IPv6 addresses are counted by their /64. */
const IPV6_BITS_MAX = 64;
const LIMIT_EXAMPLE = "{ prequeue: 500 }";

/** Of the whole prequeue. In the program `off` is `any`, since null would say nothing there. */
function placesOfPrequeue() {
  const expected = `a whole number from 1 to ${PREQUEUE_MAX}, or off`;
  const isAllowed = (value: unknown) =>
    value === "off" || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= PREQUEUE_MAX);
  const allowed = z.custom<number | "off">(isAllowed, { error: `expected ${expected}` });
  return withKind(
    allowed.transform((value): number | "any" => (value === "off" ? "any" : value)),
    { write: writePlaces, anyOf: [wholeNumber(1, PREQUEUE_MAX), z.literal("off")] },
  );
}

function writePlaces(value: number | "any"): number | "off" {
  return value === "any" ? "off" : value;
}

const perMinute = () => wholeNumber(1, 1_000_000);
const burst = () => wholeNumber(1, 10_000_000);

const range = addressRange().refine((text) => !text.includes(":") || bitsOf(text) <= IPV6_BITS_MAX, {
  error: `expected an IPv6 range of at most ${IPV6_BITS_MAX} bits, such as 2001:db8::/${IPV6_BITS_MAX}: what is narrower is counted as one address`,
});

function bitsOf(text: string): number {
  return Number(text.split("/")[1] ?? 128);
}

const limitOfRange = mapping({
  per_minute: perMinute().optional(),
  burst: burst().optional(),
  prequeue: placesOfPrequeue().optional(),
});
const ofRange = mapping({ range, limit: orOff(limitOfRange, LIMIT_EXAMPLE) });

/** Of the addresses in a range. What it does not say is the room's; a range without a limit is not counted. */
export interface LimitOfRange {
  readonly range: string;
  readonly limit: {
    readonly perMinute?: number;
    readonly burst?: number;
    readonly prequeue?: number | "any";
  } | null;
}

const limitsOfRanges = withKind(
  list(
    ofRange.transform(({ range, limit }): LimitOfRange => {
      if (limit === "off") return { range, limit: null };
      const { per_minute, burst = per_minute && 2 * per_minute, prequeue } = limit;
      return {
        range,
        limit: {
          ...(per_minute !== undefined && { perMinute: per_minute }),
          ...(burst !== undefined && { burst }),
          ...(prequeue !== undefined && { prequeue }),
        },
      };
    }),
    100,
    1,
  ),
  { items: ofRange, write: (ranges: readonly LimitOfRange[]) => ranges.map(writeRange) },
);

function writeRange({ range, limit }: LimitOfRange) {
  if (limit === null) return { range, limit: "off" };
  const { perMinute, burst, prequeue } = limit;
  return {
    range,
    limit: {
      ...(perMinute !== undefined && { per_minute: perMinute }),
      ...(burst !== undefined && { burst }),
      ...(prequeue !== undefined && { prequeue: writePlaces(prequeue) }),
    },
  };
}

const limitOfJoins = mapping({
  per_minute: perMinute().prefault(600),
  burst: burst().optional(),
  prequeue: placesOfPrequeue().nullish(),
  ranges: limitsOfRanges.nullish(),
});

/** Rarely more than a mobile carrier's in an opening's first minute. A bucket holds two minutes' worth. */
export const joinsPerAddress = orOff(
  withKind(
    limitOfJoins.transform(({ per_minute, burst = 2 * per_minute, prequeue, ranges }) => ({
      per_minute,
      burst,
      ...(prequeue !== undefined && { prequeue }),
      ...(ranges !== undefined && { ranges }),
    })),
    { like: limitOfJoins },
  ),
  "{ per_minute: 600, burst: 1200 }",
);
