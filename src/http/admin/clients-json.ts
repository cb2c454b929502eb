import { type ClientConfig, formatDuration, RESPONSE_MODES, secretlessReason } from "../../config/index.ts";
import { type ClientView, faultLines, type IssuerRegistry } from "../../registry/index.ts";
import { timeOrNull } from "./bodies.ts";

/** A view, and the issuer whose it is. */
export interface ListedClient {
  readonly home: IssuerRegistry;
  readonly view: ClientView;
}

/**
 * A client as an operator sees it: what is in force, in the words of the configuration file, and what was given. Of a secret nothing
 * but when it was made and until when it works.
 */
export function clientJson({ home, view }: ListedClient) {
  const made = view.source === "admin_api" ? view : undefined;
  const registered = made?.registered;
  const client = clientOf(view);
  // Nothing is known of the times of those in the file.
  const secrets =
    registered?.secrets ?? home.clients.secretsOf(view.id).map(() => ({ created_ms: null, expires_ms: null }));
  return {
    client_id: view.id,
    source: view.source,
    status: made?.status ?? "active",
    issuer: home.issuer,
    settings: client && settingsJson(client),
    document: registered?.document ?? null,
    secrets: secrets.map(({ created_ms, expires_ms }) => ({
      created_at: timeOrNull(created_ms),
      expires_at: timeOrNull(expires_ms),
    })),
    created_at: timeOrNull(registered?.created_ms),
    updated_at: timeOrNull(registered?.updated_ms),
    faults: made === undefined ? [] : faultLines(made.reading),
    warnings: warningsOf(view),
  };
}

function clientOf(view: ClientView): ClientConfig | null {
  if (view.source === "file") return view.client;
  return "faults" in view.reading ? null : view.reading.client;
}

function warningsOf(view: ClientView): readonly string[] {
  if (view.source === "file") {
    const shadowing =
      "client_id: the admin API made a client of the same id, which is not in force as long as this one is in the file; DELETE removes that one";
    return view.isShadowing ? [shadowing] : [];
  }
  const { id, reading, registered } = view;
  if ("faults" in reading) return [];
  if (secretlessReason(reading.client.tokenAuthentication) !== null || registered.secrets.length > 0) {
    return reading.warnings;
  }
  // It was a public one before.
  const noSecret = `client_secret: there is none, so this client cannot log anybody in: POST /admin/clients/${encodeURIComponent(id)}/secret makes one`;
  return [...reading.warnings, noSecret];
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
