/** Reads the list of rules as it stands in a configuration, in JSON or in a program, and finds all faults at once. */
import { isObject } from "../json.ts";
import { type Rule, type RuleSet, spellingsOf, targetFields } from "./evaluate.ts";
import { readExpression } from "./expression.ts";
import {
  type Condition,
  leavesOf,
  type RuleAction,
  type RuleFault,
  ruleActions,
  ruleBounds,
  sizeOf,
} from "./syntax-tree.ts";
import { readTriggers } from "./triggers.ts";

/** A rule as it is written. With neither `when` nor `triggers` it matches every request. */
export interface WrittenRule {
  /** Lower-case letters, digits and hyphens, at most 32; each its own. */
  readonly name: string;
  readonly action: RuleAction;
  /** An expression. */
  readonly when?: string;
  /** As `Triggers` of an integration configuration of Queue-it. */
  readonly triggers?: readonly unknown[];
}

const ruleKeys = ["name", "action", "when", "triggers"];
const nameShape = /^[a-z0-9][a-z0-9-]{0,31}$/;
/** Faults of a list that nobody reads to the end. */
const faultsMax = 100;

/** @param written of which nothing has been checked */
export function readRules(written: unknown): { readonly set: RuleSet } | { readonly faults: readonly RuleFault[] } {
  if (!Array.isArray(written) || written.length === 0 || written.length > ruleBounds.rules)
    return { faults: [{ path: [], message: `expected a list of 1 to ${ruleBounds.rules} rules` }] };
  const faults: RuleFault[] = [];
  const names = new Set<unknown>();
  const rules: Rule[] = [];
  for (const [at, each] of written.entries()) {
    const before = faults.length;
    if (!isObject(each)) {
      faults.push({ path: [at], message: `expected a mapping with ${ruleKeys.join(", ")}` });
      continue;
    }
    const { name, action } = each;
    faults.push(...headFaults(each, at, names));
    names.add(name);
    const read = readCondition(each, at);
    if ("faults" in read) faults.push(...read.faults);
    else if (faults.length === before)
      rules.push({ name: String(name), action: action as RuleAction, condition: read.condition });
  }
  const size = rules.reduce((sum, { condition }) => sum + sizeOf(condition), 0);
  if (size > ruleBounds.nodes) {
    const message = `all rules together have ${size} conditions and values: expected at most ${ruleBounds.nodes}`;
    faults.push({ path: [], message });
  }
  return faults.length > 0 ? { faults: faults.slice(0, faultsMax) } : { set: setOf(rules) };
}

function headFaults(
  { name, action, ...rest }: Readonly<Record<string, unknown>>,
  at: number,
  names: ReadonlySet<unknown>,
) {
  const faults: RuleFault[] = [];
  const fault = (key: string, message: string) => void faults.push({ path: [at, key], message });
  if (typeof name !== "string" || !nameShape.test(name))
    fault(
      "name",
      "expected a name of lower-case letters, digits and hyphens, not beginning with a hyphen, at most 32 characters",
    );
  else if (names.has(name)) fault("name", "another rule of the room has this name");
  if (!ruleActions.some((each) => each === action)) fault("action", `expected one of ${ruleActions.join(", ")}`);
  for (const key of Object.keys(rest)
    .filter((each) => !ruleKeys.includes(each))
    .slice(0, 10))
    fault(key, `unknown key: there are ${ruleKeys.join(", ")}`);
  return faults;
}

function readCondition(
  { when = null, triggers = null }: Readonly<Record<string, unknown>>,
  at: number,
): { readonly condition: Condition } | { readonly faults: readonly RuleFault[] } {
  if (when !== null && triggers !== null)
    return { faults: [{ path: [at, "triggers"], message: "given beside when: keep one of them, or make two rules" }] };
  if (triggers !== null) return readTriggers(triggers, [at, "triggers"]);
  if (when === null) return { condition: { kind: "always" } };
  const path = [at, "when"];
  if (typeof when !== "string") return { faults: [{ path, message: "expected an expression, as text" }] };
  const read = readExpression(when);
  if ("condition" in read) return read;
  return { faults: read.faults.map(({ column, message }) => ({ path, message: `column ${column}: ${message}` })) };
}

function setOf(rules: readonly Rule[]): RuleSet {
  const texts = rules
    .flatMap(({ condition }) => leavesOf(condition))
    .flatMap((leaf) => (leaf.kind === "text" ? leaf : []));
  const ofTarget = texts.filter(({ field }) => targetFields.has(field.name));
  const isLower = ofTarget.every(({ values }) => values.every((value) => value === value.toLowerCase()));
  return {
    rules,
    needs: {
      query: ofTarget.some(({ field }) => field.name !== "path"),
      case: ofTarget.length === 0 ? "never" : isLower ? "as_sent" : "always",
    },
    spellings: new Map(texts.map((condition) => [condition, spellingsOf(condition)])),
  };
}

/** Whether an address of a visitor is compared, which some proxy has to say. */
export function comparesAddress({ rules }: RuleSet): boolean {
  return rules.some(({ condition }) =>
    leavesOf(condition).some(({ kind }) => kind === "address" || kind === "crawler"),
  );
}

/** What works and may still surprise, each with the place of the rule in the list. */
export function ruleWarnings({ rules }: RuleSet): readonly RuleFault[] {
  const warnings: RuleFault[] = [];
  if (rules.every(({ action }) => action === "queue")) {
    const message =
      "all of them queue, and so does a request that no rule matches: end the list with { name: rest, action: ignore } to let the rest pass";
    warnings.push({ path: [], message });
  }
  for (const [at, { action, condition }] of rules.entries()) {
    if (condition.kind === "always" && at < rules.length - 1)
      warnings.push({ path: [at], message: "matches every request, so the rules behind it never count: put it last" });
    if (action !== "queue" && isUpToVisitor(condition))
      warnings.push({
        path: [at],
        message:
          "lets pass by what every visitor can write into a request (headers, cookies, the user agent): it keeps out nobody who knows it",
      });
  }
  return warnings;
}

const writableFields: ReadonlySet<string> = new Set(["user_agent", "cookies", "cookie", "header"]);

/** Whether nothing but what a visitor can write has to be so. */
function isUpToVisitor(condition: Condition): boolean {
  if (condition.kind === "and") return condition.parts.every(isUpToVisitor);
  if (condition.kind === "or") return condition.parts.some(isUpToVisitor);
  if (condition.kind === "not") return isUpToVisitor(condition.part);
  return condition.kind === "text" && writableFields.has(condition.field.name);
}
