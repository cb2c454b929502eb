import type { Command } from "commander";
import { addExamples } from "../../operate/commands/help.ts";
import { type GatewayOptions, gatewayOf, withGateway } from "../../operate/commands/installation/gateway-options.ts";
import { CommandError, type Terminal, UsageError } from "../../operate/commands/terminal.ts";
import { chooseClient, valuesFromFile, valuesFromGateway } from "./client-values.ts";
import { isParty, PARTIES, type Party, renderSnippet } from "./render.ts";

interface SnippetOptions extends GatewayOptions {
  readonly config?: string;
  readonly client?: string;
  readonly withSecret?: true;
}

/** `usher snippet RELYING-PARTY`: what is set there, for a client of a configuration file or of a running gateway. */
export function addSnippetCommand(program: Command, { env, parts, print }: Terminal): void {
  withGateway(
    program
      .command("snippet <relying-party>")
      .description(`print what is set at a relying party (${PARTIES.join(", ")}); the secret is only named in it`)
      .option("--config <file>", "configuration file (YAML); without it, a running gateway is asked")
      .option("--client <id>", "the client; needed where there are several for this relying party")
      .option("--with-secret", "with the client's secret in it, which others must not read (with --config only)"),
  ).action(async (name: string, options: SnippetOptions) => {
    if (!isParty(name)) throw new UsageError(noSnippet(name));
    const { values, secret } = await (options.config === undefined
      ? ofGateway(name, options)
      : ofFile(name, options.config, options));
    print(renderSnippet(name, values, secret).trimEnd());
  });

  async function ofFile(party: Party, file: string, { client: id, withSecret, url, context }: SnippetOptions) {
    if (url !== undefined || context !== undefined)
      throw new UsageError("--config reads a file, and --url and --context ask a gateway: give one");
    const { loadConfig } = await import("../../config/index.ts");
    const { config } = await loadConfig({ file, env, parts, needsSecrets: withSecret === true });
    const clients = config.issuers.flatMap((issuer) => issuer.clients.map((client) => ({ ...client, issuer })));
    const { issuer, ...client } = chooseClient(clients, party, id, "the file");
    const values = valuesFromFile(client, issuer);
    if (!withSecret) return { values, secret: null };
    if (client.clientSecret !== null) return { values, secret: client.clientSecret };
    throw new CommandError(
      `${client.clientId} has no secret (${client.tokenEndpointAuthMethod}): leave --with-secret out`,
    );
  }

  async function ofGateway(party: Party, { client: id, withSecret, ...options }: SnippetOptions) {
    if (withSecret) throw new UsageError(secretUnavailable);
    const gateway = gatewayOf(options, env, "has the role admin, for all rooms; or name a file with --config");
    return { values: await valuesFromGateway(gateway, party, id), secret: null };
  }
  addExamples(program, "usher snippet nginx --config usher.yaml");
}

const secretUnavailable = [
  "--with-secret: a gateway shows the secret of a client once, when it is made, and not again.",
  "For a client of the configuration file name the file with --config; for one made at run time",
  "POST /admin/clients/CLIENT/secret makes another (docs/clients.md).",
].join(" ");

function noSnippet(name: string): string {
  const listed = `relying parties with a snippet: ${PARTIES.join(", ")}`;
  return `there is no snippet for ${name}; ${listed}. More: docs/relying-parties/README.md`;
}
