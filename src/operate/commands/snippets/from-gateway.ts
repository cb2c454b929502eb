import { allPages, askGateway, type Gateway } from "../gateway.ts";
import { CommandError } from "../terminal.ts";
import { chooseClient } from "./choose.ts";
import type { Party, SnippetValues } from "./index.ts";

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
  const { parseDuration } = await import("../../../config/index.ts");
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
