/**
 * What a rule says of a request, whichever language it was written in: a tree of conditions. Expressions (`expression.ts`) and
 * triggers (`triggers.ts`) are read into it, `evaluate.ts` goes through it.
 */

/** What becomes of a request: it needs an admission; it passes with or without one; it passes, and nothing is read of it. */
export const ruleActions = ["queue", "bypass", "ignore"] as const;
export type RuleAction = (typeof ruleActions)[number];

/** A part of a request that is text. One that is not there is empty. */
export type TextField =
  | { readonly name: "path" | "query" | "uri" | "full_uri" | "host" | "method" | "user_agent" | "cookies" }
  | { readonly name: "cookie"; readonly cookie: string }
  /** In lower case. */
  | { readonly name: "header"; readonly header: string };

/** How text is compared with each of some values: one that fits is enough. `present`: there is any text at all. */
export type TextTest = "equals" | "contains" | "starts" | "ends" | "present";

export type Condition = All | Any | Not | Always | TextCondition | AddressCondition | CrawlerCondition;

interface All {
  readonly kind: "and";
  readonly parts: readonly Condition[];
}

interface Any {
  readonly kind: "or";
  readonly parts: readonly Condition[];
}

interface Not {
  readonly kind: "not";
  readonly part: Condition;
}

/** Of a rule without a condition. */
interface Always {
  readonly kind: "always";
}

interface Leaf {
  /** As it was written, for those who ask why. */
  readonly text: string;
}

export interface TextCondition extends Leaf {
  readonly kind: "text";
  readonly field: TextField;
  readonly test: TextTest;
  readonly values: readonly string[];
  readonly ignoresCase: boolean;
}

export interface AddressCondition extends Leaf {
  readonly kind: "address";
  /** Addresses and CIDR ranges. */
  readonly ranges: readonly string[];
  readonly has: (address: string) => boolean;
}

export interface CrawlerCondition extends Leaf {
  readonly kind: "crawler";
}

/** What is wrong, from the list of rules on. */
export interface RuleFault {
  readonly path: readonly (string | number)[];
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** Bounds of the rules of one room. What is compared with a request is bounded by them, and so is the time that it takes. */
export const ruleBounds = {
  rules: 50,
  /** Conditions and values of all rules together. */
  nodes: 1_000,
  /** Of parentheses and `not`. */
  depth: 16,
  /** Characters of an expression. */
  expression: 4_096,
  /** Characters of a value. */
  value: 1_024,
  /** Triggers of a rule, and parts of a trigger. */
  triggers: 50,
} as const;

/** All conditions of a tree that have no parts. */
export function leavesOf(condition: Condition): (TextCondition | AddressCondition | CrawlerCondition)[] {
  if (condition.kind === "and" || condition.kind === "or") return condition.parts.flatMap(leavesOf);
  if (condition.kind === "not") return leavesOf(condition.part);
  return condition.kind === "always" ? [] : [condition];
}

/** Conditions and values, as `ruleBounds.nodes` counts them. */
export function sizeOf(condition: Condition): number {
  if (condition.kind === "and" || condition.kind === "or")
    return condition.parts.reduce((sum, part) => sum + sizeOf(part), 1);
  if (condition.kind === "not") return 1 + sizeOf(condition.part);
  if (condition.kind === "text") return 1 + condition.values.length;
  return condition.kind === "address" ? 1 + condition.ranges.length : 1;
}
