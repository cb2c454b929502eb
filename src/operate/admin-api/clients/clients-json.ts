import { z } from "zod";
import {
  type ClientConfig,
  RESPONSE_MODES,
  SIGNING_ALGS,
  secretlessReason,
  writeClientSettings,
} from "../../../config/index.ts";
import { type ClientView, faultLines, type IssuerRegistry } from "../../../registry/index.ts";
import { timeOrNone, timeOrNull } from "../bodies.ts";

/** In the words of the configuration file, with what follows from its profile. */
const clientSettings = z
  .object({
    token_endpoint_auth_method: z.enum(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]),
    jwks: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).nullable(),
    jwks_uri: z.string().nullable(),
    require_pkce: z.boolean(),
    require_pushed_authorization_requests: z.boolean(),
    dpop_bound_access_tokens: z.boolean(),
    response_modes: z.array(z.enum(RESPONSE_MODES)),
    id_token_signed_response_alg: z.enum(SIGNING_ALGS),
    redirect_uris: z.array(z.string()),
    post_logout_redirect_uris: z.array(z.string()),
    backchannel_logout_uri: z.string().nullable(),
    backchannel_logout_session_required: z.boolean().nullable(),
    rooms: z.array(z.string()),
    profile: z.string(),
    login_timeout: z.string(),
    initiate_login_uri: z.string(),
    initiate_login_uris: z.record(z.string(), z.string()),
    target_link_uris: z.array(z.string()),
    third_party_login: z.boolean(),
    remembered_logins: z.enum(["one", "many"]),
    refresh_tokens: z.boolean(),
    claims: z.array(z.enum(["email", "email_verified"])),
  })
  .meta({ id: "ClientSettings" });

export const clientAnswer = z
  .object({
    client_id: z.string(),
    source: z.enum(["file", "admin_api"]),
    status: z.enum(["active", "shadowed", "unusable"]),
    issuer: z.string(),
    /** Null where it is unusable. */
    settings: clientSettings.nullable(),
    /** As it was given; null for a client of the file. */
    document: z.record(z.string(), z.unknown()).nullable(),
    secrets: z.array(z.object({ created_at: timeOrNone, expires_at: timeOrNone })),
    created_at: timeOrNone,
    updated_at: timeOrNone,
    faults: z.array(z.string()),
    warnings: z.array(z.string()),
  })
  .meta({ id: "Client" });

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
  const createdView = view.source === "admin_api" ? view : undefined;
  const registered = createdView?.registered;
  const client = clientOf(view);
  // Nothing is known of the times of those in the file.
  const secrets =
    registered?.secrets ?? home.clients.secretsOf(view.id).map(() => ({ created_ms: null, expires_ms: null }));
  return {
    client_id: view.id,
    source: view.source,
    status: createdView?.status ?? ("active" as const),
    issuer: home.issuer,
    settings: client && settingsJson(client),
    document: registered?.document ?? null,
    secrets: secrets.map(({ created_ms, expires_ms }) => ({
      created_at: timeOrNull(created_ms),
      expires_at: timeOrNull(expires_ms),
    })),
    created_at: timeOrNull(registered?.created_ms),
    updated_at: timeOrNull(registered?.updated_ms),
    faults: createdView === undefined ? [] : faultLines(createdView.reading),
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
  if (secretlessReason(reading.client.tokenEndpointAuthMethod) !== null || registered.secrets.length > 0) {
    return reading.warnings;
  }
  // It was a public one before.
  const noSecret = `client_secret: there is none, so this client cannot log anybody in: POST /admin/clients/${encodeURIComponent(id)}/secret makes one`;
  return [...reading.warnings, noSecret];
}

function settingsJson(client: ClientConfig) {
  const unwritten = {
    jwks: null,
    jwks_uri: null,
    require_pushed_authorization_requests: false,
    dpop_bound_access_tokens: false,
    response_modes: RESPONSE_MODES,
    id_token_signed_response_alg: "RS256",
    backchannel_logout_uri: null,
    backchannel_logout_session_required: null,
  };
  return clientSettings.parse({ ...unwritten, ...writeClientSettings(client) });
}
