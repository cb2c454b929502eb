/** Rules of a room, one after the other: what the reader of rules refuses is left out, with its reason. */
import { readRules, ruleBounds, type WrittenRule } from "../../lib/rules/index.ts";
import { exact, type Line, leftOut, type Note, nearly, notNeeded } from "./document.ts";
import { createNames } from "./values.ts";

/** Refusals of one room that are named one by one. */
const refusedMax = 50;

export function createRuleList() {
  const rules: WrittenRule[] = [];
  const items: Line[][] = [];
  const [refused, skipped]: [Line[], Line[]] = [[], []];
  const nameFor = createNames(24, "rule");
  let refusals = 0;
  let isOpen = false;

  function refuse(about: string, reason: string): void {
    if (++refusals <= refusedMax) refused.push(leftOut(about, reason));
  }

  /** A place is left for the rule at the end. */
  function reasonAgainst(rule: WrittenRule): string | null {
    if (rules.length >= ruleBounds.rules - 1) return `a room has at most ${ruleBounds.rules} rules`;
    for (const list of [[rule], [...rules, rule]]) {
      const read = readRules(list);
      const [fault] = "faults" in read ? read.faults : [];
      if (fault !== undefined) return [...fault.path.slice(2), fault.message].join(": ");
    }
    return null;
  }

  function push(rule: WrittenRule, note: Note): void {
    const { name, action, when, triggers } = rule;
    rules.push(rule);
    items.push([
      { key: "name", value: name, note },
      ...(when === undefined ? [] : [{ key: "when", value: when }]),
      ...(triggers === undefined ? [] : [{ key: "triggers", items: triggers.map((trigger) => membersOf(trigger)) }]),
      { key: "action", value: action },
    ]);
  }

  return {
    /** @param about what the rule was called */
    add(about: string, rule: Omit<WrittenRule, "name">, note: Note): void {
      const reason = reasonAgainst({ ...rule, name: "rule" });
      if (reason === null) push({ name: nameFor(about), ...rule }, note);
      else {
        refuse(about, reason);
        isOpen ||= rule.action === "queue";
      }
    },
    /** What does nothing where it comes from. */
    skip(about: string, reason: string): void {
      if (skipped.length < refusedMax) skipped.push(notNeeded(about, reason));
    },
    /** Without a rule, for a reason of its own. @param mustQueue whether what it was for must not pass now */
    refuse(about: string, reason: string, mustQueue: boolean): void {
      refuse(about, reason);
      isOpen ||= mustQueue;
    },
    /**
     * The whole list. It ends with a rule by which the rest passes, unless one that queues was left out: then all queues that
     * no rule lets pass, so that nothing passes unseen.
     */
    lines(): Line[] {
      const more = refusals > refusedMax ? [leftOut(`${refusals - refusedMax} more rules`, "as above")] : [];
      const queues = rules.some(({ action }) => action === "queue");
      if (queues && !isOpen) push({ name: nameFor("rest"), action: "ignore" }, exact("what nothing matches passes"));
      const note = nearly("what no rule matches queues, since a rule that queues was left out");
      if (items.length === 0) return [...skipped, ...refused, ...more];
      return [...skipped, ...refused, ...more, { key: "rules", items, ...(isOpen && { note }) }];
    },
  };
}

function membersOf(trigger: unknown): Line[] {
  return Object.entries(Object(trigger)).map(([key, value]) => ({ key, value }));
}
