/** Which requests to the sites of a room queue. What a rule may say is checked by lib/rules, which evaluates it. */
import { z } from "zod";
import { readRules, ruleActions, ruleBounds, type WrittenRule } from "../../lib/rules/index.ts";
import { list, mapping, oneOf, text } from "./fields.ts";
import { withKind } from "./settings-codec.ts";

/** For the reference alone: all faults come from `readRules`, which knows where in an expression they are. */
const rule = mapping({
  name: text("a name of lower-case letters, digits and hyphens", 32, /^[a-z0-9][a-z0-9-]*$/),
  action: oneOf("action", ruleActions),
  when: text("an expression", ruleBounds.expression).nullish(),
  triggers: list(
    withKind(z.unknown(), { json: { type: "object", $comment: "a trigger" } }),
    ruleBounds.triggers,
    1,
  ).nullish(),
});

export const siteRules = withKind(
  z.custom<readonly WrittenRule[]>().superRefine((written, context) => {
    const read = readRules(written);
    if ("set" in read) return;
    for (const { path, message } of read.faults) context.addIssue({ code: "custom", path: [...path], message });
  }),
  { items: rule, json: { type: "array", minItems: 1, maxItems: ruleBounds.rules } },
);
