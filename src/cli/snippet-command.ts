import type { Command } from "commander";
import type { ClientConfig, UsherConfig } from "../config/index.ts";
import { isParty, PARTIES, type Party, renderSnippet, type SnippetValues } from "./snippets/index.ts";
import { CommandError, type Terminal, UsageError } from "./terminal.ts";

/** `usher snippet RELYING-PARTY`: what is set there, for a client of a configuration file. */
export function addSnippetCommand(program: Command, { env, print }: Terminal): void {
  program
    .command("snippet <relying-party>")
    .description(`print what is set at a relying party (${PARTIES.join(", ")}); the secret is only named in it`)
    .requiredOption("--config <file>", "configuration file (YAML); no secret of it is read")
    .option("--client <id>", "the client; needed where the file has several for this relying party")
    .action(async (name: string, { config: file, client: id }: { config: string; client?: string }) => {
      if (!isParty(name)) throw new UsageError(noSnippet(name));
      const { loadConfig } = await import("../config/index.ts");
      const { config } = await loadConfig({ file, env, needsSecrets: false });
      print(renderSnippet(name, valuesOf(config, name, id)).trimEnd());
    });
}

function noSnippet(name: string): string {
  const known = `relying parties with a snippet: ${PARTIES.join(", ")}`;
  return `there is no snippet for ${name}; ${known}. The settings of the others: docs/relying-parties/README.md`;
}

function valuesOf(config: UsherConfig, party: Party, id: string | undefined): SnippetValues {
  const all = config.issuers.flatMap((issuer) => issuer.clients.map((client) => ({ issuer, client })));
  const fitting = all.filter(({ client }) => (id === undefined ? client.profile === party : client.clientId === id));
  const [found, ...more] = fitting;
  if (found === undefined) throw new CommandError(nobody(party, id));
  if (more.length > 0) {
    const ids = fitting.map(({ client }) => client.clientId).join(", ");
    throw new CommandError(`${fitting.length} clients have the profile ${party}: choose with --client: ${ids}`);
  }
  const { client, issuer } = found;
  if (client.profile !== party)
    throw new CommandError(
      `${client.clientId} has the profile ${client.profile}, and not ${party}: change one of them`,
    );
  const durations = issuer.rooms
    .filter((room) => client.rooms.includes(room.id))
    .map((room) => room.settings.admission.durationMs);
  return { issuer: issuer.issuer, ...valuesOfClient(client), admissionMs: Math.max(...durations) };
}

function nobody(party: Party, id: string | undefined): string {
  if (id !== undefined) return `no client of the file has the id ${id}`;
  return `no client of the file has the profile ${party}: add one, as in docs/relying-parties/${party}.md`;
}

function valuesOfClient(client: ClientConfig): Omit<SnippetValues, "issuer" | "admissionMs"> {
  const { clientId, redirectUris, initiateLoginUri, rooms, refreshTokens } = client;
  const [redirectUri = ""] = redirectUris;
  return { clientId, redirectUri, site: new URL(initiateLoginUri).origin, rooms, refreshTokens };
}
