/** How many may join a room from one address: rarely more than a mobile carrier's, or a university's, in an opening's first minute. */
import { z } from "zod";
import { mapping, wholeNumber } from "./fields.ts";
import { eitherKind } from "./words-by-language.ts";

type JoinsPerAddress = { readonly perMinute: number; readonly burst: number } | null;

const PER_MINUTE_DEFAULT = 600;
/** A bucket holds two minutes' worth, unless it is told otherwise. */
const BURST_MINUTES = 2;

export const JOINS_PER_ADDRESS: JoinsPerAddress = toRate(PER_MINUTE_DEFAULT);

const limited = mapping({
  per_minute: wholeNumber(1, 1_000_000).default(PER_MINUTE_DEFAULT),
  burst: wholeNumber(1, 10_000_000).optional(),
}).transform(({ per_minute, burst }): JoinsPerAddress => toRate(per_minute, burst));

const off = z
  .literal("off", { error: "expected off, or a mapping such as { per_minute: 600, burst: 1200 }" })
  .transform((): JoinsPerAddress => null);

export const joinsPerAddress = eitherKind(limited, off);

function toRate(perMinute: number, burst = perMinute * BURST_MINUTES): JoinsPerAddress {
  return { perMinute, burst };
}
