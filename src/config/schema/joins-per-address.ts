/** How many may join a room from one address: rarely more than a mobile carrier's, or a university's, in an opening's first minute. */
import { mapping, orOff, wholeNumber } from "./fields.ts";
import { withKind } from "./kinds.ts";

/** A bucket holds two minutes' worth by default. */
const BURST_MINUTES = 2;

const written = mapping({
  per_minute: wholeNumber(1, 1_000_000).prefault(600),
  burst: wholeNumber(1, 10_000_000).optional(),
});
const limited = written.transform(({ per_minute, burst = per_minute * BURST_MINUTES }) => ({ per_minute, burst }));

export const joinsPerAddress = orOff(withKind(limited, { like: written }), "{ per_minute: 600, burst: 1200 }");
