/**
 * Which requests to a site queue: rules in two languages, read into one tree, and decided in bounded time. Nothing here knows a room, a
 * proxy or a configuration file. Forward authentication, `usher/verify` and the command `usher rules test` stand on it, and so
 * do the check of a configuration and what connectors of Queue-it are told.
 *
 * `readRules` reads what is written; `decide` says what becomes of a request, `explain` why; `createCrawlerCheck` answers whether a client
 * is the crawler that it says it is.
 */
export { type CrawlerDns, type CrawlerResult, claimedBy, crawlers, createCrawlerCheck } from "./crawlers.ts";
export { createCrawlerDns } from "./dns.ts";
export {
  type CrawlerCheck,
  decide,
  explain,
  type Outcome,
  type Rule,
  type RuleDecision,
  type RuleRequest,
  type RuleSet,
  usualPath,
} from "./evaluate.ts";
export { comparesAddress, readRules, ruleWarnings, type WrittenRule } from "./read-rules.ts";
export {
  type Condition,
  type RuleAction,
  type RuleFault,
  ruleActions,
  ruleBounds,
  type TextCondition,
} from "./syntax-tree.ts";
