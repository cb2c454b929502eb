import type { Command } from "commander";
import { type Gateway, gatewayAt, usualUrl } from "../gateway.ts";
import { type Terminal, UsageError } from "../terminal.ts";
import { keyOf, openContexts } from "./contexts.ts";

/** Which installation is meant. */
export interface GatewayOptions {
  readonly url?: string;
  readonly context?: string;
}

/** Options of every command that asks a gateway. */
export interface AskingOptions extends GatewayOptions {
  readonly json?: true;
}

/** Adds the options by which a command knows its gateway. */
export function withGateway(command: Command): Command {
  return command
    .option("--url <url>", "the gateway; its admin key is taken from USHER_ADMIN_API_KEY")
    .option("--context <name>", "the installation of this name (usher context)");
}

/** Those, and `--json`. */
export function withAsking(command: Command): Command {
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
  return { url: chosen.url, key: keyOf(chosen, name, env) };
}
