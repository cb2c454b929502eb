/** Which rule a request meets, and why. */
import { nodeAddress } from "../node-address.ts";
import { decodePath, decodeQuery, type Reading, type ReadingNeeds, readingsOf } from "./readings.ts";
import type { Condition, RuleAction, TextCondition, TextField } from "./syntax-tree.ts";

/** What is known of a request to a site. What a visitor can write into it stands here as it was sent. */
export interface RuleRequest {
  /** In upper case; null where it is not known. */
  readonly method: string | null;
  readonly protocol: "http" | "https";
  /** In lower case, with a port that is not the usual one of the protocol. */
  readonly authority: string;
  /** Path and query. */
  readonly target: string;
  /** The value of a header whose name is in lower case. */
  readonly header: (name: string) => string | undefined;
  /** The visitor's, as a proxy that is trusted says; null where none does. */
  readonly address: string | null;
}

/**
 * Whether a client that says it is a crawler is one. Answers at once; `pending`: that is being looked up, or cannot be for the moment.
 *
 * @param userAgent as it was sent
 */
export type CrawlerCheck = (address: string, userAgent: string) => boolean | "pending";

/** A rule that was read. */
export interface Rule {
  readonly name: string;
  readonly action: RuleAction;
  readonly condition: Condition;
}

/** The rules of a room, as `readRules` makes them. */
export interface RuleSet {
  readonly rules: readonly Rule[];
  /** What of a target they compare. */
  readonly needs: ReadingNeeds;
  /** By condition, its values in the spellings that they are compared in. */
  readonly spellings: ReadonlyMap<TextCondition, Spellings>;
}

/** Values as they are compared: with a query as it was sent or decoded, and without regard to upper and lower case. */
export interface Spellings {
  readonly sent: readonly string[];
  readonly sentFolded: readonly string[];
  readonly decoded: readonly string[];
  readonly decodedFolded: readonly string[];
}

export function spellingsOf({ field, values }: TextCondition): Spellings {
  const isOfTarget = targetFields.has(field.name);
  const spell = (isQueryDecoded: boolean) =>
    isOfTarget ? values.map((value) => valueFor(field.name, value, isQueryDecoded)) : values;
  const folded = (some: readonly string[]) => some.map((value) => value.toLowerCase());
  const [sent, decoded] = [spell(false), spell(true)];
  return { sent, sentFolded: folded(sent), decoded, decodedFolded: folded(decoded) };
}

export interface RuleDecision {
  readonly action: RuleAction;
  /** The rule that decided; null: none matched, or the target can be read in several ways. */
  readonly rule: string | null;
  /** `ambiguous`: it would pass as some sites read its address, and not as others do. `unreadable`: nobody can say how it is read. */
  readonly by: "rule" | "no_rule" | "ambiguous" | "unreadable";
  /** It would pass if the client were the crawler that it says it is, and that is being looked up. Then it queues. */
  readonly isPending: boolean;
}

/** A condition with what came of it: null where that is not known. */
export interface Outcome {
  readonly condition: Condition;
  readonly result: boolean | null;
  readonly parts: readonly Outcome[];
}

/**
 * The first rule that matches decides; where none does, the request queues. A rule lets a request pass only if it does however a site may
 * read the target, and only by what is known: a condition that is not known lets nobody pass, and makes a rule `queue` match.
 */
export function decide(set: RuleSet, request: RuleRequest, isCrawler: CrawlerCheck | null = null): RuleDecision {
  const readings = readingsOf(request.target, set.needs);
  if (readings === null) return { action: "queue", rule: null, by: "unreadable", isPending: false };
  const facts = factsOf(request, isCrawler);
  let first: RuleDecision | undefined;
  for (const reading of readings) {
    const decision = decideReading(set, { ...facts, reading, spellings: set.spellings });
    if (decision.action === "queue" && !decision.isPending) {
      const isAmbiguous = first !== undefined && first.action !== "queue";
      return isAmbiguous ? { action: "queue", rule: null, by: "ambiguous", isPending: false } : decision;
    }
    first ??= decision;
    // Of two ways to pass the one counts that reads less of the request.
    if (decision.isPending || (decision.action === "ignore" && !first.isPending)) first = decision;
  }
  return first ?? { action: "queue", rule: null, by: "unreadable", isPending: false };
}

/** What comes of each part of a rule's condition, by the usual reading of the target; empty for one that cannot be read. */
export function explain(set: RuleSet, request: RuleRequest, isCrawler: CrawlerCheck | null = null): readonly Outcome[] {
  const [reading] = readingsOf(request.target, set.needs) ?? [];
  if (reading === undefined) return [];
  const facts = { ...factsOf(request, isCrawler), reading, spellings: set.spellings };
  return set.rules.map(({ condition }) => outcomeOf(condition, facts));
}

/** The usual reading of a target's path, with which rules are compared first; null where there is none. */
export function usualPath(target: string): string | null {
  return readingsOf(target, { query: false, case: "never" })?.[0]?.path ?? null;
}

/** What does not depend on how the target is read. */
interface Facts {
  readonly request: RuleRequest;
  /** Looked up when a rule wants to know it. Null: nobody can say. */
  readonly crawler: () => boolean | "pending" | null;
}

interface ReadFacts extends Facts {
  readonly reading: Reading;
  readonly spellings: RuleSet["spellings"];
}

function factsOf(request: RuleRequest, isCrawler: CrawlerCheck | null): Facts {
  let cached: boolean | "pending" | null | undefined;
  return {
    request,
    crawler() {
      if (cached === undefined) {
        const { address } = request;
        cached = address === null || isCrawler === null ? null : isCrawler(address, request.header("user-agent") ?? "");
      }
      return cached;
    },
  };
}

function decideReading({ rules }: RuleSet, facts: ReadFacts): RuleDecision {
  let isPending = false;
  for (const { name, action, condition } of rules) {
    const result = test(condition, facts);
    if (result === null) isPending ||= facts.crawler() === "pending";
    if (result === true || (result === null && action === "queue"))
      return { action, rule: name, by: "rule", isPending: action === "queue" && isPending };
  }
  return { action: "queue", rule: null, by: "no_rule", isPending };
}

/** Three-valued, as in Kleene's logic: what follows whatever the unknown is, is known. */
function test(condition: Condition, facts: ReadFacts): boolean | null {
  switch (condition.kind) {
    case "always":
      return true;
    case "not": {
      const result = test(condition.part, facts);
      return result === null ? null : !result;
    }
    case "and":
    case "or": {
      const decisive = condition.kind === "or";
      let result: boolean | null = !decisive;
      for (const part of condition.parts) {
        const of = test(part, facts);
        if (of === decisive) return decisive;
        if (of === null) result = null;
      }
      return result;
    }
    default:
      return testLeaf(condition, facts);
  }
}

function outcomeOf(condition: Condition, facts: ReadFacts): Outcome {
  const ofParts =
    condition.kind === "and" || condition.kind === "or"
      ? condition.parts
      : condition.kind === "not"
        ? [condition.part]
        : [];
  return { condition, result: test(condition, facts), parts: ofParts.map((part) => outcomeOf(part, facts)) };
}

function testLeaf(condition: Exclude<Condition, { kind: "and" | "or" | "not" | "always" }>, facts: ReadFacts) {
  const { request } = facts;
  if (condition.kind === "text") {
    return condition.field.name === "method" && request.method === null ? null : testText(condition, facts);
  }
  if (condition.kind === "address") {
    const address = request.address === null ? null : nodeAddress(request.address);
    return address === null ? null : condition.has(address);
  }
  const crawler = facts.crawler();
  return crawler === "pending" ? null : crawler;
}

function testText(condition: TextCondition, { request, reading, spellings }: ReadFacts): boolean {
  const { field, test: how, ignoresCase } = condition;
  const isFolded = ignoresCase || field.name === "host" || (reading.ignoresCase && targetFields.has(field.name));
  const sent = textOf(field, request, reading);
  const text = isFolded ? sent.toLowerCase() : sent;
  if (how === "present") return text !== "";
  const all = spellings.get(condition) ?? spellingsOf(condition);
  const values = reading.isQueryDecoded
    ? isFolded
      ? all.decodedFolded
      : all.decoded
    : isFolded
      ? all.sentFolded
      : all.sent;
  // A visitor writes a port as they like, and proxies choose the site by its name alone: it counts where a value has one.
  const texts = field.name === "full_uri" ? [text, text.replace(/^(https?:\/\/[^/]*?):\d+(?=\/)/, "$1")] : [text];
  if (how === "equals") return texts.some((each) => values.includes(each));
  if (how === "contains") return texts.some((each) => values.some((value) => each.includes(value)));
  return how === "starts"
    ? texts.some((each) => values.some((value) => each.startsWith(value)))
    : texts.some((each) => values.some((value) => each.endsWith(value)));
}

/** They are read from the target of a request. */
export const targetFields: ReadonlySet<TextField["name"]> = new Set<TextField["name"]>([
  "path",
  "query",
  "uri",
  "full_uri",
]);

/** A value in the spelling that a target is read in. */
function valueFor(field: TextField["name"], value: string, isQueryDecoded: boolean): string {
  if (field === "query") return isQueryDecoded ? decodeQuery(value) : value;
  const at = value.indexOf("?");
  const address = at < 0 ? value : value.slice(0, at);
  const query = at < 0 ? "" : value.slice(at);
  const path = address.replace(/^https?:\/\/[^/]*/i, (origin) => origin.toLowerCase());
  return (decodePath(path) ?? path) + (isQueryDecoded ? decodeQuery(query) : query);
}

function textOf(field: TextField, request: RuleRequest, reading: Reading): string {
  const uri = () => reading.path + (reading.query === "" ? "" : `?${reading.query}`);
  switch (field.name) {
    case "path":
      return reading.path;
    case "query":
      return reading.query;
    case "uri":
      return uri();
    case "full_uri":
      return `${request.protocol}://${request.authority.replace(/\.(?=:|$)/, "")}${uri()}`;
    case "host":
      return hostOf(request.authority);
    case "method":
      return request.method ?? "";
    case "user_agent":
      return request.header("user-agent") ?? "";
    case "cookies":
      return request.header("cookie") ?? "";
    case "cookie":
      return cookieOf(request.header("cookie") ?? "", field.cookie);
    case "header":
      return request.header(field.header) ?? "";
  }
}

/** Without the port, and the dot that ends a name of the DNS. */
function hostOf(authority: string): string {
  return authority.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase();
}

/** As it was sent; of several with one name, the first. */
function cookieOf(header: string, name: string): string {
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (at >= 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return "";
}
