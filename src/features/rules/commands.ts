import { type Command, InvalidArgumentError, Option } from "commander";
import type { RuleAction } from "../../lib/rules/index.ts";
import { configFileOf, withConfig } from "../../operate/commands/config-file.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { CommandError, jsonText, printable, type Terminal, UsageError } from "../../operate/commands/terminal.ts";
import type { RequestOptions, Tested } from "./test-rules.ts";

interface TestOptions extends RequestOptions {
  readonly config?: string;
  readonly expect?: RuleAction;
  readonly json?: true;
}

const pairsMax = 100;
const collect = (text: string, before: readonly string[]) => {
  if (before.length >= pairsMax) throw new InvalidArgumentError(`expected at most ${pairsMax}`);
  return [...before, text];
};

/** `usher rules test ROOM URL`: what the rules of a room say of a request, and why. */
export function addRulesCommand(program: Command, { env, parts, print }: Terminal): void {
  const rules = program.command("rules").description("the rules of sites: which requests queue (docs/rules.md)");
  withConfig(rules.command("test <room> <url>"))
    .description("say what becomes of a request to a site, by which rule, and what each condition made of it")
    .option("--method <method>", "of the request", "GET")
    .option("--header <header>", "'Name: value'; may be repeated", collect, [])
    .option("--cookie <cookie>", "NAME=VALUE; may be repeated", collect, [])
    .option("--user-agent <text>", "what the client says it is")
    .option("--ip <address>", "of the visitor; without it the address is not known")
    .addOption(
      new Option("--crawler <result>", "what the DNS says of the client").choices(["verified", "refuted", "pending"]),
    )
    .addOption(
      new Option("--look-up", "ask the DNS whether the client is a crawler, and wait for it").conflicts("crawler"),
    )
    .addOption(
      new Option("--expect <action>", "end with 1 unless this becomes of it").choices(["queue", "bypass", "ignore"]),
    )
    .option("--json", "as JSON, for programs")
    .action(async (room: string, url: string, options: TestOptions) => {
      const { testRules } = await import("./test-rules.ts");
      const { loadConfig } = await import("../../config/index.ts");
      if (options.lookUp && (options.ip === undefined || options.userAgent === undefined))
        throw new UsageError("--look-up needs --ip and --user-agent: whose address, and which crawler it says it is");
      const { config } = await loadConfig({ file: configFileOf(options), env, parts, needsSecrets: false });
      const tested = await testRules(config, room, url, options);
      print(options.json ? jsonText(tested) : describe(tested));
      if (options.expect !== undefined && options.expect !== tested.action)
        throw new CommandError(`expected ${options.expect}, and it is ${tested.action}`);
    });
  addExamples(program, "usher rules test tickets https://shop.example.com/api/cart --method POST --config usher.yaml");
}

const meanings: Readonly<Record<RuleAction, string>> = {
  queue: "the request needs an admission",
  bypass: "the request passes, with the admission that it may have",
  ignore: "the request passes, and nothing is read of it",
};

function describe({ action, by, rule, pending, compared, rules }: Tested): string {
  const why = {
    rule: `by the rule ${rule}`,
    no_rule: "since no rule matches",
    no_rules: "since the room has no rules",
    exempt: "since the path is one of verify.exempt",
    ambiguous: "since it passes as some sites read its address, and not as others do",
    unreadable: "since nobody can say how a site reads its address",
  }[by];
  const lines = [`${action}: ${meanings[action]}, ${why}.`];
  if (pending) lines.push("It says that it is a crawler: until the DNS has answered, it gets 429 instead.");
  if (compared !== null) lines.push(`The path is compared as ${compared}`);
  for (const each of rules) {
    lines.push("", `${each.matches === true ? "✓" : each.matches === null ? "?" : "✗"} ${each.name} (${each.action})`);
    for (const { depth, text, result } of each.conditions)
      lines.push(`  ${"  ".repeat(depth)}${result === null ? "not known" : result ? "true" : "false"}: ${text}`);
  }
  return lines.map(printable).join("\n");
}
