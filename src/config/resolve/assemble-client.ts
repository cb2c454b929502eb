import { TARGET_PLACEHOLDER } from "../checks/urls.ts";
import { secretlessReason } from "../schema/choices.ts";
import { PROFILES } from "../schema/profiles.ts";
import type { ClientDocument } from "../schema/schema.ts";
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
  const profile = PROFILES[client.profile];
  const isPublic = client.token_endpoint_auth_method === "none";
  const older = client.previous_client_secret === undefined ? [] : readSecrets("previous_client_secret");
  const [clientSecret = null, ...olderClientSecrets] = secretlessReason(client.token_endpoint_auth_method)
    ? []
    : new Set([...readSecrets("client_secret"), ...older]);
  return {
    clientId: client.client_id,
    clientSecret,
    ...(olderClientSecrets.length > 0 && { olderClientSecrets }),
    redirectUris: client.redirect_uris,
    postLogoutRedirectUris: client.post_logout_redirect_uris,
    ...(client.backchannel_logout_uri !== undefined && {
      backchannelLogout: {
        uri: client.backchannel_logout_uri,
        needsSession: client.backchannel_logout_session_required ?? true,
      },
    }),
    rooms: client.rooms ?? (client.room === undefined ? [] : [client.room]),
    profile: client.profile,
    loginTimeoutMs: client.login_timeout ?? profile.loginTimeoutMs,
    ...(client.jwks && { clientKeys: { jwks: client.jwks } }),
    ...(client.jwks_uri !== undefined && { clientKeys: { jwksUri: client.jwks_uri } }),
    tokenAuthentication: client.token_endpoint_auth_method ?? profile.tokenAuthentication ?? "client_secret_basic",
    ...startOfLogins(client),
    initiateLoginUris: client.initiate_login_uris,
    targetLinkUris: client.target_link_uris,
    rememberedLogins: client.remembered_logins ?? profile.rememberedLogins,
    ...(client.require_pushed_authorization_requests && { requirePushedRequests: true }),
    ...(client.dpop_bound_access_tokens && { dpopBoundTokens: true }),
    ...(client.response_modes && { responseModes: client.response_modes }),
    requirePkce: client.require_pkce ?? (isPublic || profile.requirePkce),
    ...(client.id_token_signed_response_alg && { idTokenSigningAlg: client.id_token_signed_response_alg }),
    refreshTokens: client.refresh_tokens ?? profile.refreshTokens,
    claims: client.claims ?? profile.claims,
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
