import { resolve } from "node:path";
import type { Command } from "commander";
import { isGatewayUrl } from "../gateway.ts";
import { addExamples } from "../help.ts";
import { CommandError, jsonText, type Terminal, tableOf, UsageError } from "../terminal.ts";
import { type Context, type KeySource, openContexts } from "./contexts.ts";

interface AddOptions {
  readonly url: string;
  readonly keyEnv?: string;
  readonly keyFile?: string;
  readonly keyStdin?: true;
  readonly replace?: true;
}

const keyLengthMax = 1_024;

/** `usher context …`: names for installations, so that a command needs neither address nor key. */
export function addContextCommand(program: Command, { env, print, readInput }: Terminal): void {
  const context = program
    .command("context")
    .description("names for installations: their address, and where the admin key is");

  context
    .command("add <name>")
    .description("name an installation; the first one becomes the current one")
    .requiredOption("--url <url>", "address of a gateway's operators' listener, without a path")
    .option("--key-env <variable>", "take the admin key from this variable (default: USHER_ADMIN_API_KEY)")
    .option("--key-file <file>", "take the admin key from this file")
    .option("--key-stdin", "read the admin key from standard input, and keep it in the context's file (mode 0600)")
    .option("--replace", "also where there is one of this name")
    .action(async (name: string, options: AddOptions) => {
      const contexts = openContexts(env);
      if (contexts.has(name) && !options.replace) {
        throw new CommandError(`there is a context ${name}: --replace puts this one in its place`);
      }
      contexts.put(name, { url: originOf(options.url), key: await keySource(options) });
      const isFirst = contexts.current() === null;
      if (isFirst) contexts.use(name);
      print(`${name} is ${originOf(options.url)}${isFirst ? ", and the current one" : ""}.`);
    });

  context
    .command("use <name>")
    .description("make it the current one, which is asked where none is named")
    .action((name: string) => {
      const contexts = openContexts(env);
      const { url } = contexts.get(name);
      contexts.use(name);
      print(`${name} (${url}) is the current one.`);
    });

  context
    .command("list")
    .description("all of them, without their keys")
    .option("--json", "print them as JSON")
    .action(({ json }: { json?: true }) => {
      const contexts = openContexts(env);
      const current = contexts.current();
      const all = contexts
        .names()
        .map((name) => ({ name, ...printableContext(contexts.get(name)), current: name === current }));
      if (json) print(jsonText(all));
      else if (all.length === 0) print("There is none yet: usher context add NAME --url URL makes one.");
      else {
        const rows = all.map((each) => [each.current ? "*" : "", each.name, each.url, each.key]);
        print(tableOf([["", "NAME", "URL", "KEY"], ...rows]));
      }
    });

  context
    .command("remove <name>")
    .description("forget an installation; nothing changes there")
    .action((name: string) => {
      openContexts(env).remove(name);
      print(`${name} is forgotten.`);
    });

  /** A key on the command line would be seen by others, so there is no option for it. @throws CommandError */
  async function keySource({ keyEnv, keyFile, keyStdin }: AddOptions): Promise<KeySource> {
    if ([keyEnv, keyFile, keyStdin].filter((given) => given !== undefined).length > 1) {
      throw new UsageError("--key-env, --key-file and --key-stdin exclude each other: give one");
    }
    if (keyFile !== undefined) return { from: "file", path: resolve(keyFile) };
    if (!keyStdin) return { from: "env", name: variableName(keyEnv ?? "USHER_ADMIN_API_KEY") };
    const value = (await readInput()).trim();
    if (value === "" || value.length > keyLengthMax || /[^\x21-\x7e]/.test(value)) {
      throw new CommandError(`standard input: expected a key, 1 to ${keyLengthMax} characters without blanks`);
    }
    return { from: "context", value };
  }
  addExamples(
    program,
    "usher context add production --url https://usher.internal:3100 --key-file /etc/usher/admin.key",
    "usher context use production",
    "usher context list",
    "usher context remove staging",
  );
}

function printableContext({ url, key }: Context): { url: string; key: string } {
  if (key.from === "env") return { url, key: `variable ${key.name}` };
  return { url, key: key.from === "file" ? `file ${key.path}` : "in the context's file" };
}

/** @throws UsageError */
function originOf(url: string): string {
  const { origin, href, username } = isGatewayUrl(url) ? new URL(url) : { origin: "", href: "", username: "" };
  if (origin !== "" && username === "" && href === `${origin}/`) return origin;
  throw new UsageError("--url: expected the address of a gateway without a path, such as https://usher.internal:3100");
}

/** @throws UsageError */
function variableName(name: string): string {
  if (/^[A-Za-z_]\w{0,127}$/.test(name)) return name;
  throw new UsageError("--key-env: expected the name of a variable of the environment, not a key");
}
