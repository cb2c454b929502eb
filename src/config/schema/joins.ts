/**
 * Who may join a room: how many from one address (`joins_per_address`), what becomes of named groups of addresses (`address_rules`), and
 * what is asked of a visitor before a place is given (`check`).
 */
import { z } from "zod";
import { addressRange, duration, list, mapping, number, oneOf, orOff, text, wholeNumber } from "./fields.ts";
import { withKind } from "./settings-codec.ts";
import { MINUTE_MS, SECOND_MS } from "./times.ts";

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

const RULES_MAX = 50;
const RANGES_MAX = 1_000;
/** The settings of a room travel as a whole, once a second to each process. */
const RANGES_OF_ALL_MAX = 2_000;

const rule = mapping({
  name: text(
    "a name of lower-case letters, digits and hyphens, not beginning with a hyphen",
    32,
    /^[a-z0-9][a-z0-9-]*$/,
  ),
  action: oneOf("action", ["pass", "queue", "challenge", "refuse"]),
  ranges: list(addressRange(), RANGES_MAX, 1),
});

/** `pass`: joins without limits and checks. `queue`: as everybody. `challenge`: only after a check. `refuse`: not at all. */
export interface AddressRule {
  readonly name: string;
  readonly action: z.output<typeof rule>["action"];
  readonly ranges: readonly string[];
}

const storedRule = rule.transform((each): AddressRule => each);
const rules = list(storedRule, RULES_MAX, 1).superRefine((all: readonly AddressRule[], context) => {
  for (const [at, { name }] of all.entries()) {
    if (all.findIndex((each) => each.name === name) === at) continue;
    context.addIssue({ code: "custom", path: [at, "name"], message: "another rule of the room has this name" });
  }
  const ranges = all.reduce((sum, each) => sum + each.ranges.length, 0);
  if (ranges <= RANGES_OF_ALL_MAX) return;
  const message = `all rules together have ${ranges} ranges: expected at most ${RANGES_OF_ALL_MAX}`;
  context.addIssue({ code: "custom", message });
});

/** The first that has the address counts. */
export const addressRules = withKind(rules, {
  items: rule,
  offExample: "[{ name: office, action: pass, ranges: [198.51.100.0/24] }]",
  write: (all: readonly AddressRule[]) =>
    all.map(({ name, action, ranges }) => ({ name, action, ranges: [...ranges] })),
});

export const challengeId = () =>
  text("the id of a challenge, of lower-case letters, digits and hyphens", 32, /^[a-z0-9][a-z0-9-]*$/);

const DIFFICULTY_MAX = 1_000;

export const joinCheck = withKind(
  mapping({
    type: oneOf("type", ["proof_of_work", "challenge"]),
    challenge: challengeId().nullish(),
    /** What becomes of visitors while the provider of the challenge does not answer. */
    when_away: oneOf("word", ["hold", "let_in", "proof_of_work"]).default("hold"),
    /** `suspicious`: of those alone from whose address block more have joined than its share of `joins_per_address`. */
    when: oneOf("word", ["always", "suspicious"]).default("always"),
    share: number(0.001, 1).default(0.1),
    /** Multiples of the least work: where nobody has joined from the block, and at most. */
    difficulty: wholeNumber(1, DIFFICULTY_MAX).default(1),
    difficulty_max: wholeNumber(1, DIFFICULTY_MAX).default(16),
    /** Visitors whose browsers run no scripts join not at all, or after the wait. */
    without_scripts: oneOf("word", ["refuse", "wait"]).default("refuse"),
    wait: duration(5 * SECOND_MS, 10 * MINUTE_MS).prefault("30s"),
  }),
  { offExample: "{ type: proof_of_work }" },
);
