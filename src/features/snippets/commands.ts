import type { Command } from "commander";
import { configFileOf } from "../../operate/commands/config-file.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { type GatewayOptions, gatewayOf, withGateway } from "../../operate/commands/installation/gateway-options.ts";
import { CommandError, type Terminal, UsageError } from "../../operate/commands/terminal.ts";
import { chooseClient, valuesFromFile, valuesFromGateway } from "./client-values.ts";
import { FORWARD_AUTH_PROXIES, type ForwardAuthProxy, isForwardAuthProxy, renderForwardAuth } from "./forward-auth.ts";
import { isParty, PARTIES, type Party, renderSnippet } from "./render.ts";

interface SnippetOptions extends GatewayOptions {
  readonly config?: string;
  readonly client?: string;
  readonly room?: string;
  readonly withSecret?: true;
}

/** `usher snippet RELYING-PARTY`: what is set there, for a client of a configuration file or of a running gateway. */
export function addSnippetCommand(program: Command, { env, parts, print }: Terminal): void {
  withGateway(
    program
      .command("snippet <relying-party>")
      .description(
        `print what is set at a relying party (${PARTIES.join(", ")}) or a proxy that asks for each request (${FORWARD_AUTH_PROXIES.join(", ")}); the secret is only named in it`,
      )
      .option("--config <file>", "configuration file (YAML); without it, a running gateway is asked")
      .option("--client <id>", "the client; needed where there are several for this relying party")
      .option("--room <room>", "the room, of a proxy that asks for each request; needed where several have targets")
      .option("--with-secret", "with the client's secret in it, which others must not read (with --config only)"),
  ).action(async (name: string, options: SnippetOptions) => {
    if (isForwardAuthProxy(name)) return print((await ofRoom(name, options)).trimEnd());
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

  /** Its room says where visitors come back to, and that is the site. */
  async function ofRoom(
    proxy: ForwardAuthProxy,
    { room: id, client, withSecret, url, context, ...named }: SnippetOptions,
  ) {
    if ([client, withSecret, url, context].some((option) => option !== undefined)) {
      throw new UsageError(`${proxy} asks for each request, and has no client: give --config and --room alone`);
    }
    const file = configFileOf(named);
    const { loadConfig } = await import("../../config/index.ts");
    const { config } = await loadConfig({ file, env, parts, needsSecrets: false });
    const all = config.issuers.flatMap(({ rooms }) => rooms);
    const [found, ...more] = all.filter((room) => (id === undefined ? room.waysIn.targets.length > 0 : room.id === id));
    if (found === undefined) {
      throw new CommandError(
        id === undefined
          ? `no room of ${file} has targets: docs/forward-auth.md${proxy === "nginx" ? "; NGINX Plus is nginx-plus" : ""}`
          : `${file} has no room ${id}`,
      );
    }
    if (more.length > 0) {
      const ids = [found, ...more].map((room) => room.id).join(", ");
      throw new CommandError(`several rooms have targets: choose with --room: ${ids}`);
    }
    const [target] = found.waysIn.targets;
    if (target === undefined) throw new CommandError(`the room ${found.id} has no targets: docs/forward-auth.md`);
    const gateway = `127.0.0.1:${config.listen.port}`;
    return renderForwardAuth(proxy, { room: found.id, site: new URL(target.replace(/\*$/, "")).origin, gateway });
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
  const listed = `with a snippet: ${[...FORWARD_AUTH_PROXIES, ...PARTIES].join(", ")}`;
  return `there is no snippet for ${name}; ${listed}. More: docs/relying-parties/README.md`;
}
