/**
 * Rules of a room as triggers of integrations. Connectors know neither beginnings nor ends of a text, nor the visitor's address, nor the
 * method. What they cannot compare must let nobody pass whom the rule does not: a rule that queues goes out wider then, and one that lets
 * pass narrower, or not at all.
 */
import {
  type Condition,
  type RuleSet,
  readRules,
  ruleBounds,
  type TextCondition,
  type WrittenRule,
} from "../../lib/rules/index.ts";

export interface TriggerPart {
  readonly ValidatorType: string;
  readonly UrlPart: string;
  readonly Operator: string;
  readonly ValueToCompare: string;
  readonly ValuesToCompare: readonly string[] | null;
  readonly IsNegative: boolean;
  readonly IsIgnoreCase: boolean;
  readonly CookieName: string;
  readonly HttpHeaderName: string;
}

/** True where one of its parts is (`Or`), or all are (`And`). */
export interface Trigger {
  readonly LogicalOperator: "And" | "Or";
  readonly TriggerParts: readonly TriggerPart[];
}

export interface SentRule {
  readonly name: string;
  readonly actionType: "Queue" | "Ignore";
  readonly triggers: readonly Trigger[];
}

export interface SentRules {
  readonly rules: readonly SentRule[];
  /** Whether some rule decides about every request, so that nothing has to follow. */
  readonly isComplete: boolean;
  /** What connectors do in another way, by the index of the rule. */
  readonly differences: readonly { readonly at: number; readonly message: string }[];
}

/** Where rules stand: the addresses of their room, and those of the rooms whose integrations come later. */
export interface RulesScope {
  readonly targets: readonly string[];
  readonly later: readonly string[];
}

/** One of these conjunctions of parts is true. `[[]]` is always true, and none is never. */
type Clauses = readonly (readonly TriggerPart[])[];

interface Conversion {
  /** Whether what cannot be said is taken for true, or for false. */
  readonly isWide: boolean;
  /** A host as connectors may see it: some leave the port with it. */
  readonly hostsOf: (host: string) => readonly string[];
  /** Values as Usher compares them. */
  readonly spellings: RuleSet["spellings"];
  /** What cannot be said. */
  readonly lost: Set<string>;
  /** By what it says, so that the same part is the same object. */
  readonly parts: Map<string, TriggerPart>;
}

/** By what values are spelled. */
type Known = Pick<Conversion, "hostsOf" | "spellings">;

const always: Clauses = [[]];
const never: Clauses = [];
/** Conjunctions that are looked at before those are left out that say nothing new. */
const productMax = 200;
/** Each of them doubles the combinations that a rule has. */
const dividedHostsMax = 5;
const tooMany = `more than ${ruleBounds.triggers} combinations of its conditions`;

/**
 * The rules in their order, as connectors can compare them. Where other rooms come later, a rule that lets pass does not for their
 * addresses, and one that queues does so for the room's own alone: to a connector all rooms of a site are one list.
 *
 * @param written rules that `readRules` takes
 */
export function sendRules(written: readonly WrittenRule[], scope: RulesScope): SentRules {
  const read = readRules(written);
  if ("faults" in read) throw new TypeError("rules with faults cannot be sent");
  const common = { hostsOf: createHosts([...scope.targets, ...scope.later]), spellings: read.set.spellings };
  const parts = new Map<string, TriggerPart>();
  const limits = createLimits(scope, { ...common, parts });
  const rules: SentRule[] = [];
  const differences: { at: number; message: string }[] = [];
  for (const [at, { name, action, condition }] of read.set.rules.entries()) {
    const isQueue = action === "queue";
    const conversion: Conversion = { ...common, isWide: isQueue, lost: new Set(), parts };
    const compared = clausesOf(condition, false, conversion);
    const triggers = scope.later.length === 0 ? written[at]?.triggers : null;
    if (triggers != null) {
      rules.push({ name, actionType: actionTypeOf(isQueue), triggers: triggers.map(completeTrigger) });
      continue;
    }
    const clauses = allOf([compared, limits(isQueue)], conversion);
    if (conversion.lost.size > 0) differences.push({ at, message: describe(conversion, isQueue, clauses) });
    if (clauses.length > 0) rules.push({ name, actionType: actionTypeOf(isQueue), triggers: clauses.map(triggerOf) });
    if (isAlways(compared)) return { rules, isComplete: true, differences };
  }
  return { rules, isComplete: false, differences };
}

function actionTypeOf(isQueue: boolean): SentRule["actionType"] {
  return isQueue ? "Queue" : "Ignore";
}

/** A part with the members that every connector reads. */
export function urlPart(
  part: string,
  operator: "Equals" | "Contains",
  value: string,
  ignoresCase = false,
): TriggerPart {
  return completePart({
    ValidatorType: "Url",
    UrlPart: part,
    Operator: operator,
    ValueToCompare: value,
    IsIgnoreCase: ignoresCase,
  });
}

/** What holds for all rules of a room that queue, and for all that let pass. */
function createLimits({ targets, later }: RulesScope, common: Omit<Conversion, "isWide" | "lost">) {
  const limits = new Map<boolean, Clauses>();
  return (isWide: boolean): Clauses => {
    if (later.length === 0) return always;
    // A beginning that goes out wider or narrower here is no matter of the rules.
    const conversion = { ...common, isWide, lost: new Set<string>() };
    const made = limits.get(isWide) ?? clausesOf(isTarget(isWide ? targets : later), !isWide, conversion);
    limits.set(isWide, made);
    return made;
  };
}

/** Whether a request is for one of some addresses. Of more than a few hosts their paths are left out, and all of them count. */
function isTarget(targets: readonly string[]): Condition {
  const byHost = new Map<string, { readonly pathname: string; readonly isPrefix: boolean }[]>();
  for (const target of targets) {
    const isPrefix = target.endsWith("/*");
    const { hostname, pathname } = new URL(isPrefix ? target.slice(0, -1) : target);
    const paths = byHost.get(hostname) ?? [];
    paths.push({ pathname, isPrefix });
    byHost.set(hostname, paths);
  }
  const hosts = [...byHost.keys()];
  const pathsAt = (host: string) => byHost.get(host) ?? [];
  const isWhole = (host: string) => pathsAt(host).some(({ isPrefix, pathname }) => isPrefix && pathname === "/");
  const divided = hosts.filter((host) => !isWhole(host));
  const ofPaths = divided.length > dividedHostsMax ? [] : divided;
  const whole = hosts.filter((host) => !ofPaths.includes(host));
  const conditions = ofPaths.map((host): Condition => {
    const paths = pathsAt(host);
    const exact = paths.filter(({ isPrefix }) => !isPrefix).map(({ pathname }) => pathname);
    const begun = paths.filter(({ isPrefix }) => isPrefix).map(({ pathname }) => pathname);
    const oneOf: Condition = {
      kind: "or",
      parts: [...textIs("path", "equals", exact), ...textIs("path", "starts", begun)],
    };
    return { kind: "and", parts: [...textIs("host", "equals", [host]), oneOf] };
  });
  return { kind: "or", parts: [...textIs("host", "equals", whole), ...conditions] };
}

function textIs(name: "host" | "path", test: "equals" | "starts", values: readonly string[]): Condition[] {
  return values.length === 0 ? [] : [{ kind: "text", text: name, field: { name }, test, values, ignoresCase: false }];
}

function createHosts(targets: readonly string[]): (host: string) => readonly string[] {
  const urls = targets.map((target) => new URL(target.replace(/\*$/, ""))).filter(({ port }) => port !== "");
  return (host) => {
    const withPort = urls.filter(({ hostname }) => hostname === host.toLowerCase()).map((url) => url.host);
    return [host, ...new Set(withPort)];
  };
}

/** The condition, or its opposite, in disjunctive normal form. */
function clausesOf(condition: Condition, isNegated: boolean, conversion: Conversion): Clauses {
  switch (condition.kind) {
    case "always":
      return isNegated ? never : always;
    case "not":
      return clausesOf(condition.part, !isNegated, conversion);
    case "and":
    case "or": {
      const parts = condition.parts.map((part) => clausesOf(part, isNegated, conversion));
      return (condition.kind === "or") === isNegated ? allOf(parts, conversion) : anyOf(parts, conversion);
    }
    case "text":
      return clausesOfText(condition, isNegated, conversion);
    default:
      conversion.lost.add(condition.text);
      return conversion.isWide ? always : never;
  }
}

function clausesOfText(condition: TextCondition, isNegated: boolean, conversion: Conversion): Clauses {
  const [wide, narrow] = [true, false].map((isWide) => partOf(condition, isWide, conversion));
  if (JSON.stringify(wide) !== JSON.stringify(narrow)) conversion.lost.add(condition.text);
  // The opposite is as wide as what it is the opposite of is narrow.
  const part = (conversion.isWide === isNegated ? narrow : wide) ?? false;
  if (typeof part === "boolean") return part === isNegated ? never : always;
  const said = isNegated ? oppositeOf(part) : part;
  const key = JSON.stringify(said);
  const known = conversion.parts.get(key) ?? said;
  conversion.parts.set(key, known);
  return [[known]];
}

/** The condition as one part; true or false where all or nothing of it can be said. */
function partOf(condition: TextCondition, isWide: boolean, known: Known): TriggerPart | boolean {
  const { field, test, ignoresCase } = condition;
  const compared = comparedOf(field);
  if (compared === null) return isWide;
  const part = (operator: "Equals" | "Contains", values: readonly string[]) => {
    const [only = ""] = values;
    const several = { Operator: `${operator}Any`, ValuesToCompare: values };
    const rest = values.length === 1 ? { Operator: operator, ValueToCompare: only } : several;
    return completePart({ ...compared.of, ...rest, IsIgnoreCase: ignoresCase || field.name === "host" });
  };
  if (test === "present") return part("Contains", ["*"]);
  if (test !== "equals" && condition.values.includes("")) return true;
  const isExact = compared.isExact && (test === "equals" || test === "contains");
  if (!isExact && !isWide) return false;
  const values = spellingsOf(condition, isWide, known);
  if (isExact && test === "equals") return values.length === 0 ? false : part("Equals", values);
  if (values.includes("")) return true;
  // To a connector a star is any text.
  if (isWide && values.includes("*")) return part("Contains", ["*"]);
  const plain = values.filter((value) => value !== "*");
  return plain.length === 0 ? false : part("Contains", plain);
}

/** Of a request, what a connector compares for a field; wider where it has no such part. Null: nothing. */
function comparedOf(field: TextCondition["field"]): { readonly of: object; readonly isExact: boolean } | null {
  const ofUrl = (UrlPart: string, isExact = true) => ({ of: { ValidatorType: "Url", UrlPart }, isExact });
  switch (field.name) {
    case "path":
      return ofUrl("PagePath");
    case "host":
      return ofUrl("HostName");
    case "full_uri":
      return ofUrl("PageUrl");
    case "uri":
    case "query":
      return ofUrl("PageUrl", false);
    case "user_agent":
      return { of: { ValidatorType: "UserAgent" }, isExact: true };
    case "cookie":
      return { of: { ValidatorType: "Cookie", CookieName: field.cookie }, isExact: true };
    case "cookies":
      return { of: { ValidatorType: "HttpHeader", HttpHeaderName: "cookie" }, isExact: true };
    case "header":
      return { of: { ValidatorType: "HttpHeader", HttpHeaderName: field.header }, isExact: true };
    case "method":
      return null;
  }
}

/** The values as connectors see them: addresses as browsers send them, cookies decoded by some. */
function spellingsOf(condition: TextCondition, isWide: boolean, { hostsOf, spellings }: Known): readonly string[] {
  const { field, test, values } = condition;
  switch (field.name) {
    case "host":
      return test === "equals" ? values.flatMap(hostsOf) : values;
    case "cookie":
      return isWide
        ? [...new Set(values.flatMap((value) => [value, decoded(value)]))]
        : values.filter((value) => !value.includes("%"));
    case "path":
    case "uri":
    case "query":
    case "full_uri": {
      const encoded = field.name === "path" ? encodedInPath : encodedInAddress;
      const compared = spellings.get(condition)?.sent ?? values;
      return compared.map((value) => value.replace(encoded, encodeURIComponent));
    }
    default:
      return values;
  }
}

/** What browsers encode (URL Standard, section 1.3). */
const encodedInPath = /(?:[^\x21-\x7e]|["<>`{}])+/gu;
const encodedInAddress = /(?:[^\x21-\x7e]|["<>])+/gu;

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function oppositeOf(part: TriggerPart): TriggerPart {
  // A star fits in a negative part, too.
  if (part.Operator === "Contains" && part.ValueToCompare === "*")
    return { ...part, Operator: "Equals", ValueToCompare: "" };
  return { ...part, IsNegative: !part.IsNegative };
}

function isAlways(clauses: Clauses): boolean {
  return clauses.some((clause) => clause.length === 0);
}

function anyOf(all: readonly Clauses[], conversion: Conversion): Clauses {
  return boundedOf(all.flat(), conversion);
}

function allOf(all: readonly Clauses[], conversion: Conversion): Clauses {
  return all.reduce((some, others) => {
    if (isAlways(some)) return others;
    if (isAlways(others)) return some;
    if (some.length * others.length > productMax) {
      conversion.lost.add(tooMany);
      // Without one of two conditions that both have to be true, it is wider.
      if (conversion.isWide) return some.length < others.length ? some : others;
    }
    const joined = some.flatMap((clause) => others.map((other) => [...new Set([...clause, ...other])]));
    return boundedOf(joined, conversion);
  }, always);
}

/** As many as a rule may have, without those that are true only where another one is. */
function boundedOf(clauses: Clauses, conversion: Conversion): Clauses {
  if (isAlways(clauses)) return always;
  const max = ruleBounds.triggers;
  const some = conversion.isWide ? clauses : clauses.slice(0, productMax);
  const kept: (readonly TriggerPart[])[] = [];
  for (const clause of some.toSorted((one, other) => one.length - other.length))
    if (!kept.some((shorter) => shorter.every((part) => clause.includes(part)))) kept.push(clause);
  const isCut = kept.length > max || some.length < clauses.length || kept.some((clause) => clause.length > max);
  if (!isCut) return kept;
  conversion.lost.add(tooMany);
  if (conversion.isWide) return kept.length > max ? always : kept.map((clause) => clause.slice(0, max));
  return kept.filter((clause) => clause.length <= max).slice(0, max);
}

function triggerOf(parts: readonly TriggerPart[]): Trigger {
  return { LogicalOperator: "And", TriggerParts: parts.length > 0 ? parts : [urlPart("PageUrl", "Contains", "*")] };
}

function completeTrigger(written: unknown): Trigger {
  const { LogicalOperator = "And", TriggerParts } = written as Partial<Trigger>;
  return { LogicalOperator, TriggerParts: (TriggerParts ?? []).map(completePart) };
}

function completePart(part: Partial<TriggerPart>): TriggerPart {
  return {
    ValidatorType: `${String(part.ValidatorType).replace(/Validator$/, "")}Validator`,
    UrlPart: part.UrlPart ?? "",
    Operator: part.Operator ?? "Equals",
    ValueToCompare: part.ValueToCompare ?? "",
    ValuesToCompare: part.ValuesToCompare ?? null,
    IsNegative: part.IsNegative ?? false,
    IsIgnoreCase: part.IsIgnoreCase ?? false,
    CookieName: part.CookieName ?? "",
    HttpHeaderName: part.HttpHeaderName ?? "",
  };
}

const shownMax = 5;

function describe({ lost }: Conversion, isQueue: boolean, clauses: Clauses): string {
  const shown = [...lost].slice(0, shownMax).join(", ") + (lost.size > shownMax ? ", …" : "");
  const cannot = `connectors of Queue-it cannot compare ${shown}`;
  if (isQueue)
    return isAlways(clauses)
      ? `${cannot}: there every request queues that no rule before this one has let pass`
      : `${cannot}: there more requests queue than by this rule`;
  return clauses.length === 0
    ? `${cannot}: the rule is not sent to them, and the next ones decide about what it lets pass`
    : `${cannot}: there fewer requests pass by this rule`;
}
