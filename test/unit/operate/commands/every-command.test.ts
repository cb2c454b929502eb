/** What holds for every command of `usher`, made from the commands themselves: help, examples, exit codes, `--json`, and what is said where no gateway is. */
import { Command } from "commander";
import { describe, expect, test } from "vitest";
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

/** The commands with their arguments and options, which do nothing but say which of them was called. */
async function calledBy(line: string): Promise<Command | undefined> {
  let called: Command | undefined;
  const idle = new Command("usher").exitOverride().configureOutput({ writeErr: () => {} });
  addCommands(idle, {} as Terminal, {} as StoreTools, featureCommands);
  for (const { command } of leavesOf(idle, [])) {
    command.action(() => {
      called = command;
    });
  }
  const words = line.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  await idle.parseAsync(
    words.slice(1).map((word) => word.replaceAll('"', "")),
    { from: "user" },
  );
  return called;
}

test.each(leaves.map((leaf) => [leaf.words.join(" "), leaf] as const))(
  "usher %s explains itself, with an example, and ends with 2 at an option that it has not",
  async (_, leaf) => {
    const { words, command } = leaf;
    const help = await runUsher([...words, "--help"]);
    expect([help.code, help.printed.replace(/\s+/g, " ")]).toEqual([0, expect.stringContaining(command.description())]);
    expect(command.description()).not.toBe("");
    const [, example = ""] = /\nExample:\n {2}(usher .*)\n*$/.exec(help.printed) ?? [];
    expect((await calledBy(example))?.description(), example).toBe(command.description());
    expect(await runUsher([...argumentsOf(leaf), "--shout"])).toMatchObject({
      code: 2,
      failure: expect.stringMatching(new RegExp(`--shout[\\s\\S]*\nusage: usher ${words.join(" ")} `)),
    });
  },
);

test("the help has its commands in groups, each with an example, and a line for each where there is room", async () => {
  const { printed } = await runUsher(["--help"]);
  const headings = [...printed.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(["Options", "Start", "Run a room", "Set up", "Check"]);
  expect(printed.match(/^ {2}Example: usher /gm)).toHaveLength(4);
  for (const each of ["pause tickets", "clients list --url http://127.0.0.1:3100", "check usher.yaml"]) {
    expect(printed).toContain(`  Example: usher ${each}\n`);
    expect(await calledBy(`usher ${each}`)).toBeDefined();
  }
  expect(printed.split("\n").length).toBeLessThan(90);
});

describe("a configuration file", () => {
  const readers = leaves.filter((leaf) => has(leaf, "--config"));

  test("is an argument, too, of commands that have no other", () => {
    const alone = readers.filter(({ command }) => command.registeredArguments.some((each) => each.name() === "file"));
    const named = alone.map(({ words }) => words.join(" "));
    expect(named).toEqual(expect.arrayContaining(["adopt", "check"]));
    expect(named.every((each) => ["adopt", "check", "doctor", "preview", "invite"].includes(each))).toBe(true);
  });

  // The others do without one.
  const needing = readers.filter(({ words }) => !["preview", "export", "snippet"].includes(words[0] ?? ""));
  test.each(needing.map((leaf) => [leaf.words.join(" "), leaf] as const))(
    "usher %s says where it looked for one that nobody named, and what to do",
    async (_, leaf) => {
      const refused = await runUsher(argumentsOf(leaf));
      // A file of its own is read first.
      if (refused.code === 1) return expect(refused.failure).toMatch(/tickets/);
      expect(refused).toMatchObject({ code: 2, printed: "" });
      expect(refused.failure).toMatch(/neither .*usher\.yaml nor \/etc\/usher\/usher\.yaml.*--config FILE.*usher init/);
    },
  );

  test("is one", async () => {
    const two = await runUsher(["check", "a.yaml", "--config", "b.yaml"]);
    expect(two).toMatchObject({ code: 2, failure: expect.stringContaining("two configuration files") });
  });
});

test.each([
  [["stauts"], /unknown command 'stauts'\n\(Did you mean status\?\)/],
  [["pause"], /missing required argument 'room'\nusage: usher pause \[options\] <room>\nusher pause --help/],
  [["pause", "tickets", "--ulr", "x"], /unknown option '--ulr'\n\(Did you mean --url\?\)/],
  [["webhooks", "lst"], /unknown command 'lst'\n\(Did you mean list\?\)/],
  [["status", "a", "b"], /too many arguments/],
  [["plan"], /required option '--arrivals <number>' not specified\nusage: usher plan/],
])("usher %j ends with 2, and says what was meant or how it is called", async (args, said) => {
  expect(await runUsher(args)).toMatchObject({ code: 2, failure: expect.stringMatching(said) });
});

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
