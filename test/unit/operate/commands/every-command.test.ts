/** What holds for every command of `usher`, made from the commands themselves: help, exit codes, `--json`, and what is said where no gateway is. */
import { Command } from "commander";
import { expect, test } from "vitest";
import { featureCommands } from "../../../../src/features/commands.ts";
import { addCommands, type StoreTools, type Terminal } from "../../../../src/operate/commands/index.ts";
import { freePort } from "../../../support/ports.ts";
import { runUsher } from "../../../support/usher-command.ts";

const program = new Command("usher");
addCommands(program, {} as Terminal, {} as StoreTools, featureCommands);

interface Leaf {
  readonly words: readonly string[];
  readonly command: Command;
}
/** Those that do something, and do not only have others below them. */
function leavesOf(command: Command, words: readonly string[]): Leaf[] {
  return command.commands.flatMap((each) => {
    const named = [...words, each.name()];
    return each.commands.length === 0 ? [{ words: named, command: each }] : leavesOf(each, named);
  });
}
const leaves = leavesOf(program, []);
const has = ({ command }: Leaf, option: string) => command.options.some(({ long }) => long === option);
/** A context only notes an address. */
const asking = leaves.filter((leaf) => has(leaf, "--url") && has(leaf, "--context"));

/** What makes sense for arguments and options that a command cannot do without. */
const values: Readonly<Record<string, string>> = {
  visitors: "5",
  number: "5",
  rate: "5",
  row: "5",
  reference: "5",
  "--out": "/nowhere/that/is",
  "--purpose": "draw",
  "--arrivals": "5",
  "--outflow": "5",
  "--role": "viewer",
  "relying-party": "alb",
};
const more: Readonly<Record<string, readonly string[]>> = {
  rate: ["5"],
  message: ["hello"],
  stock: ["5"],
  "webhooks dead-letters replay": ["shop.1"],
  "webhooks change": ["--enable"],
  export: ["--out", "/nowhere/that/is"],
};
function argumentsOf({ words, command }: Leaf): string[] {
  const given = command.registeredArguments.filter(({ required }) => required);
  const wanted = command.options.filter(({ mandatory }) => mandatory);
  return [
    ...words,
    ...given.map((argument) => values[argument.name()] ?? "tickets"),
    ...(more[words.join(" ")] ?? []),
    ...wanted.flatMap(({ long }) => [String(long), values[String(long)] ?? "tickets"]),
    ...(command.options.some(({ long }) => long === "--yes") ? ["--yes"] : []),
  ];
}

test("there is a command for each step of the day of a sale", () => {
  const names = program.commands.map((command) => command.name());
  const steps = ["open", "prequeue", "pause", "resume", "end", "passthrough", "reset"];
  const others = ["check", "status", "watch", "rate", "call", "message", "stock", "bypass", "clients", "visitor"];
  expect(names).toEqual(expect.arrayContaining([...steps, ...others, "completion", "context"]));
  expect(leaves.length).toBeGreaterThan(25);
});

test.each(leaves.map((leaf) => [leaf.words.join(" "), leaf] as const))(
  "usher %s explains itself, and ends with 2 at an option that it has not",
  async (_, leaf) => {
    const { words, command } = leaf;
    const help = await runUsher([...words, "--help"]);
    expect([help.code, help.printed.replace(/\s+/g, " ")]).toEqual([0, expect.stringContaining(command.description())]);
    expect(command.description()).not.toBe("");
    expect(await runUsher([...argumentsOf(leaf), "--shout"])).toMatchObject({
      code: 2,
      failure: expect.stringMatching(/--shout/),
    });
  },
);

test("all that ask a gateway take --json, --context and --url, but those whose answer is a file", () => {
  const named = (all: readonly Leaf[]) => all.map(({ words }) => words.join(" "));
  const withFile = ["audit export", "export", "report", "snippet"];
  const there = named(leaves);
  expect(named(asking.filter((leaf) => !has(leaf, "--json"))).sort()).toEqual(
    withFile.filter((each) => there.includes(each)),
  );
  expect(named(leaves.filter((leaf) => has(leaf, "--url") && !has(leaf, "--context")))).toEqual(["context add"]);
});

// The doctor and the rehearsal look at more than a gateway, and have tests of their own; a watch and a stream of events go on.
const once = asking.filter(
  ({ words }) => !["doctor", "rehearse", "watch", "events", "report"].includes(words[0] ?? ""),
);

test.each(once.map((leaf) => [argumentsOf(leaf).join(" "), leaf] as const))(
  "usher %s ends with 1, and says what to name, where no gateway answers and where there is no key",
  async (_, leaf) => {
    const args = argumentsOf(leaf);
    const url = `http://127.0.0.1:${await freePort()}`;
    const env = { USHER_ADMIN_API_KEY: "an-admin-key-0123456789abcdef", XDG_CONFIG_HOME: "/nowhere/that/is" };
    expect(await runUsher([...args, "--url", url], { env })).toMatchObject({
      code: 1,
      failure: expect.stringMatching(/no gateway answers at http:\/\/127\.0\.0\.1:\d+ \(ECONNREFUSED\).*--context/),
      printed: "",
    });
    const keyless = await runUsher([...args, "--url", url], { env: { ...env, USHER_ADMIN_API_KEY: "" } });
    expect(keyless).toMatchObject({ code: 1, failure: expect.stringContaining("USHER_ADMIN_API_KEY"), printed: "" });
  },
);
