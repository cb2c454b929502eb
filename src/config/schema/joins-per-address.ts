/** How many may join a room from one address: rarely more than a mobile carrier's, or a university's, in an opening's first minute. */
import { mapping, off, wholeNumber } from "./fields.ts";
import { eitherKind } from "./words-by-language.ts";

export interface JoinRate {
  readonly perMinute: number;
  readonly burst: number;
}

const PER_MINUTE_DEFAULT = 600;
/** A bucket holds two minutes' worth, unless it is told otherwise. */
const BURST_MINUTES = 2;

export const JOINS_PER_ADDRESS = toRate(PER_MINUTE_DEFAULT);

const limited = mapping({
  per_minute: wholeNumber(1, 1_000_000).default(PER_MINUTE_DEFAULT),
  burst: wholeNumber(1, 10_000_000).optional(),
}).transform(({ per_minute, burst }) => toRate(per_minute, burst));

export const joinsPerAddress = eitherKind<JoinRate | "off">(limited, off("{ per_minute: 600, burst: 1200 }"));

/** As a room's settings have it: null for any number. */
export function joinRate(written: JoinRate | "off"): JoinRate | null {
  return written === "off" ? null : written;
}

function toRate(perMinute: number, burst = perMinute * BURST_MINUTES): JoinRate {
  return { perMinute, burst };
}
