import { TARGET_PLACEHOLDER } from "../checks/urls.ts";
import { secretlessReason } from "../schema/choices.ts";
import { PROFILES } from "../schema/profiles.ts";
import { type ClientDocument, clientSettings } from "../schema/schema.ts";
import { readSettings } from "../schema/settings-codec.ts";
import type { ClientConfig } from "./config.ts";

/**
 * Builds a client out of its checked document; what that leaves out, its profile says.
 *
 * @param readSecrets the values of one of its keys, that in force first
 */
export function assembleClient(
  client: ClientDocument,
  readSecrets: (key: "client_secret" | "previous_client_secret") => readonly string[],
): ClientConfig {
  const { restart: _, tokenEndpointAuthMethod, requirePkce, ...usual } = PROFILES[client.profile];
  const { room, ...settings } = readSettings(clientSettings, client);
  const older = client.previous_client_secret === undefined ? [] : readSecrets("previous_client_secret");
  const [clientSecret = null, ...olderClientSecrets] = secretlessReason(client.token_endpoint_auth_method)
    ? []
    : new Set([...readSecrets("client_secret"), ...older]);
  return {
    ...usual,
    ...startOfLogins(client),
    rooms: room === undefined ? [] : [room],
    tokenEndpointAuthMethod: tokenEndpointAuthMethod ?? "client_secret_basic",
    requirePkce: requirePkce || client.token_endpoint_auth_method === "none",
    ...(client.backchannel_logout_uri !== undefined && { backchannelLogoutSessionRequired: true }),
    ...settings,
    clientSecret,
    ...(olderClientSecrets.length > 0 && { olderClientSecrets }),
  };
}

/**
 * How Usher starts a fresh login at the site. A client with targets keeps them by the means of its profile, unless the
 * configuration names another address. Without targets the start is the profile's path.
 */
function startOfLogins(client: ClientDocument): Pick<ClientConfig, "initiateLoginUri" | "thirdPartyLogin"> {
  const { path, targetParameter, takesThirdPartyLogin } = PROFILES[client.profile].restart;
  const { initiate_login_uri: given, third_party_login: wanted, target_link_uris: targets } = client;
  const [redirectUri = ""] = client.redirect_uris;
  if (given !== undefined) return { initiateLoginUri: given, thirdPartyLogin: wanted ?? false };
  if (takesThirdPartyLogin && (wanted ?? targets.length > 0)) {
    return { initiateLoginUri: redirectUri, thirdPartyLogin: true };
  }
  const start = `${new URL(redirectUri).origin}${path ?? "/"}`;
  const target = `${start.includes("?") ? "&" : "?"}${targetParameter}=${TARGET_PLACEHOLDER}`;
  const initiateLoginUri = targetParameter !== null && targets.length > 0 ? start + target : start;
  return { initiateLoginUri, thirdPartyLogin: wanted ?? false };
}
