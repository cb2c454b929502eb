import type { Command } from "commander";
import type { AdminClient } from "../../client/index.ts";
import { type Answered, allPages, askGateway, type Gateway, gatewayAt, usualUrl } from "../gateway.ts";
import { jsonText, type Terminal, UsageError } from "../terminal.ts";
import { keyOf, openContexts, placeOfKey } from "./contexts.ts";

/** Which installation is meant. */
export interface GatewayOptions {
  readonly url?: string;
  readonly context?: string;
}

/** Options of every command that asks a gateway. */
export interface GatewayRequestOptions extends GatewayOptions {
  readonly json?: true;
}

/** Adds the options by which a command knows its gateway. */
export function withGateway(command: Command): Command {
  return command
    .option("--url <url>", "the gateway; its admin key is taken from USHER_ADMIN_API_KEY")
    .option("--context <name>", "the installation of this name (usher context)");
}

/** Those, and `--json`. */
export function withGatewayRequest(command: Command): Command {
  return withGateway(command).option("--json", "print what the gateway answers");
}

/**
 * The gateway that is meant: of `--url`, of `--context`, of `USHER_ADMIN`, of the current context, or one on this machine. A
 * key goes to its own installation only.
 *
 * @param right what the key has to have
 * @throws CommandError where there is no key, or no address
 */
export function gatewayOf({ url, context }: GatewayOptions, env: Terminal["env"], right: string): Gateway {
  if (url !== undefined && context !== undefined)
    throw new UsageError("--url and --context both name a gateway: give one");
  if (url !== undefined) return gatewayAt(url, env, right);
  const contexts = openContexts(env);
  const name = context ?? ((env.USHER_ADMIN ?? "") === "" ? contexts.current() : null);
  if (name === null) return gatewayAt(usualUrl(env), env, right);
  const chosen = contexts.get(name);
  return { url: chosen.url, key: keyOf(chosen, name, env), keyFrom: placeOfKey(chosen, name) };
}

/**
 * What commands do that are one request, and have the options of `withGatewayRequest`: each prints the answer in words, or with `--json` as it came. `describe` gets the first argument,
 * too: what the request is about.
 *
 * @param right what the key has to have
 */
export function requestCommands({ env, print }: Pick<Terminal, "env" | "print">, right: string) {
  return {
    /** @param call gets the command's arguments, and behind them its options */
    one<Args extends unknown[], Answer>(
      command: Command,
      call: (api: AdminClient, ...args: Args) => Promise<Answered<Answer>>,
      describe: (answer: Answer, subject: string) => string,
    ): void {
      add(command, (gateway, args) => askGateway(gateway, (api) => call(api, ...(args as Args))), describe);
    },

    /** All pages of a list. @param itemsOf one of them */
    list<Options, Page extends { readonly next_cursor: string | null }, Item>(
      command: Command,
      call: (api: AdminClient, cursor: { cursor?: string }, options: Options) => Promise<Answered<Page>>,
      itemsOf: (page: Page) => readonly Item[],
      describe: (items: readonly Item[]) => string,
    ): void {
      const all = (gateway: Gateway, args: readonly unknown[]) =>
        allPages(gateway, (api, cursor) => call(api, cursor, args.at(-1) as Options));
      add(command, async (gateway, args) => (await all(gateway, args)).flatMap(itemsOf), describe);
    },
  };

  function add<Answer>(
    command: Command,
    ask: (gateway: Gateway, args: readonly unknown[]) => Promise<Answer>,
    describe: (answer: Answer, subject: string) => string,
  ): void {
    command.action(async (...given: unknown[]) => {
      // The last is the command itself.
      const args = given.slice(0, -1);
      const options = args.at(-1) as GatewayRequestOptions;
      const answer = await ask(gatewayOf(options, env, right), args);
      print(options.json ? jsonText(answer ?? {}) : describe(answer, String(args[0])));
    });
  }
}
