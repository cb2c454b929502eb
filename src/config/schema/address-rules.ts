/** Named groups of addresses, and what becomes of those who come from them to join: `rooms[].address_rules`. */
import type { z } from "zod";
import { addressRange, list, mapping, oneOf, text } from "./fields.ts";
import { withKind } from "./settings-codec.ts";

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

const asKept = rule.transform((each): AddressRule => each);
const rules = list(asKept, RULES_MAX, 1).superRefine((all: readonly AddressRule[], context) => {
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
