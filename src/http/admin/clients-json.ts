import { type ClientConfig, formatDuration, formatTime, RESPONSE_MODES, secretlessReason } from "../../config/index.ts";
import { faultLines } from "../../registry/index.ts";
import type { ListedClient } from "./clients-page.ts";

/** Of a client without a secret, though it needs one: it was a public one before. */
const noSecret = (id: string) =>
  `client_secret: there is none, so this client cannot log anybody in: POST /admin/clients/${encodeURIComponent(id)}/secret makes one`;

const shadowing =
  "client_id: the admin API made a client of the same id, which is not in force as long as this one is in the file; DELETE removes that one";

/**
 * A client as an operator sees it: what is in force, in the words of the configuration file, and what was given. Of a secret nothing
 * but when it was made and until when it works; of those in the file neither is known.
 */
export function clientJson({ issuer, view }: ListedClient) {
  if (view.source === "file") {
    const { clientSecret, olderClientSecrets = [] } = view.client;
    const count = clientSecret === null ? 0 : 1 + olderClientSecrets.length;
    return {
      client_id: view.id,
      source: view.source,
      status: "active",
      issuer,
      settings: settingsJson(view.client),
      document: null,
      secrets: Array.from({ length: count }, () => ({ created_at: null, expires_at: null })),
      created_at: null,
      updated_at: null,
      faults: [],
      warnings: view.isShadowing ? [shadowing] : [],
    };
  }
  const { reading, registered } = view;
  const client = "faults" in reading ? null : reading.client;
  const lacksSecret =
    client !== null && secretlessReason(client.tokenAuthentication) === null && registered.secrets.length === 0;
  return {
    client_id: view.id,
    source: view.source,
    status: view.status,
    issuer,
    settings: client && settingsJson(client),
    document: registered.document,
    secrets: registered.secrets.map(({ created_ms, expires_ms }) => ({
      created_at: formatTime(created_ms),
      expires_at: expires_ms === null ? null : formatTime(expires_ms),
    })),
    created_at: formatTime(registered.created_ms),
    updated_at: formatTime(registered.updated_ms),
    faults: faultLines(reading),
    warnings: [...("faults" in reading ? [] : reading.warnings), ...(lacksSecret ? [noSecret(view.id)] : [])],
  };
}

function settingsJson(client: ClientConfig) {
  return {
    token_endpoint_auth_method: client.tokenAuthentication,
    jwks: client.clientKeys && "jwks" in client.clientKeys ? client.clientKeys.jwks : null,
    jwks_uri: client.clientKeys && "jwksUri" in client.clientKeys ? client.clientKeys.jwksUri : null,
    require_pkce: client.requirePkce,
    require_pushed_authorization_requests: client.requirePushedRequests ?? false,
    dpop_bound_access_tokens: client.dpopBoundTokens ?? false,
    response_modes: client.responseModes ?? RESPONSE_MODES,
    id_token_signed_response_alg: client.idTokenSigningAlg ?? "RS256",
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    backchannel_logout_uri: client.backchannelLogout?.uri ?? null,
    backchannel_logout_session_required: client.backchannelLogout?.needsSession ?? null,
    rooms: client.rooms,
    profile: client.profile,
    login_timeout: formatDuration(client.loginTimeoutMs),
    initiate_login_uri: client.initiateLoginUri,
    initiate_login_uris: client.initiateLoginUris,
    target_link_uris: client.targetLinkUris,
    third_party_login: client.thirdPartyLogin,
    remembered_logins: client.rememberedLogins,
    refresh_tokens: client.refreshTokens,
    claims: client.claims,
  };
}
