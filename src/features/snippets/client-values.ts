/** The values of a snippet's client, of a configuration file or of a running gateway. */
import type { ClientConfig, UsherConfig } from "../../config/index.ts";
import { allPages, askGateway, type Gateway } from "../../operate/commands/gateway.ts";
import { CommandError } from "../../operate/commands/terminal.ts";
import { guideOf, type Party, profileOf } from "./render.ts";
import type { SnippetValues } from "./written-parties.ts";

/** What a client is chosen by. */
interface Choosable {
  readonly clientId: string;
  readonly profile: string;
}

/**
 * The client that is named, or the only one with the party's profile.
 *
 * @param where they are, such as "the file"
 * @throws CommandError
 */
export function chooseClient<Client extends Choosable>(
  clients: readonly Client[],
  party: Party,
  id: string | undefined,
  where: string,
): Client {
  const profile = profileOf(party);
  const fitting = clients.filter((client) => (id === undefined ? client.profile === profile : client.clientId === id));
  const [found, ...more] = fitting;
  if (found === undefined && id !== undefined) throw new CommandError(`no client of ${where} has the id ${id}`);
  if (found === undefined) {
    const wayOut = `add one, as in ${guideOf(party)}`;
    throw new CommandError(`no client of ${where} has the profile ${profile}: ${wayOut}`);
  }
  if (more.length > 0) {
    const ids = fitting.map(({ clientId }) => clientId).join(", ");
    throw new CommandError(`${fitting.length} clients have the profile ${profile}: choose with --client: ${ids}`);
  }
  if (found.profile === profile) return found;
  throw new CommandError(`${found.clientId} has the profile ${found.profile}, and not ${profile}: change one of them`);
}

type Issuer = UsherConfig["issuers"][number];

export function valuesFromFile(client: ClientConfig, { issuer, rooms: all }: Issuer): SnippetValues {
  const { clientId, redirectUris, initiateLoginUri, rooms, refreshTokens } = client;
  const [redirectUri = ""] = redirectUris;
  const durations = all.filter(({ id }) => rooms.includes(id)).map(({ settings }) => settings.admission.durationMs);
  const site = new URL(initiateLoginUri).origin;
  return { issuer, clientId, redirectUri, site, rooms, refreshTokens, admissionMs: Math.max(...durations) };
}

/**
 * The values of a client of a running gateway.
 *
 * @param id null for the only client with the party's profile
 * @throws CommandError
 */
export async function valuesFromGateway(
  gateway: Gateway,
  party: Party,
  id: string | undefined,
): Promise<SnippetValues> {
  const { parseDuration } = await import("../../config/index.ts");
  const pages = await allPages(gateway, (api, query) => api.GET("/admin/clients", { params: { query } }));
  const usable = pages
    .flatMap(({ clients }) => clients)
    .flatMap(({ client_id: clientId, issuer, status, settings }) =>
      settings === null || status !== "active" ? [] : [{ clientId, issuer, settings, profile: settings.profile }],
    );
  const { clientId, issuer, settings } = chooseClient(usable, party, id, "the gateway");
  const { redirect_uris, initiate_login_uri, rooms, refresh_tokens } = settings;
  const durations = await Promise.all(
    rooms.map(async (room) => {
      const params = { path: { room } };
      const found = await askGateway(gateway, (api) => api.GET("/admin/rooms/{room}", { params }));
      if ("settings" in found) return parseDuration(found.settings.admission?.duration ?? "") ?? 0;
      throw new CommandError(`the settings of the room ${room} are not known at the moment: try again`);
    }),
  );
  return {
    issuer,
    clientId,
    redirectUri: redirect_uris[0] ?? "",
    site: originOf(initiate_login_uri, clientId),
    rooms,
    refreshTokens: refresh_tokens,
    admissionMs: Math.max(...durations),
  };
}

/** @throws CommandError */
function originOf(uri: string, clientId: string): string {
  if (URL.canParse(uri)) return new URL(uri).origin;
  throw new CommandError(`${clientId} has no initiate_login_uri, so its site is not known: set it first`);
}
