import type {
  AdapterFactory,
  AdapterPayload,
  Client,
  ClientMetadata,
  JWKS,
  KoaContextWithOIDC,
  Provider,
} from "oidc-provider";
import type { ClientConfig, SigningAlg } from "../../config/config.ts";
import { secretlessReason } from "../../config/index.ts";
import type { FailedAttempts } from "../../lib/address-buckets.ts";
import type { ClientDirectory } from "../../registry/index.ts";

const provingMethods = ["client_secret_basic", "client_secret_post", "private_key_jwt"] as const;
export const clientAuthMethods = [...provingMethods, "none"] as const;
/** What clients that authenticate by a key may sign with. */
export const clientAuthAlgs = ["RS256", "PS256", "ES256", "EdDSA"] as const;

/**
 * What oidc-provider leaves out of its metadata of clients' authentication (RFC 8414 §2). Without a word about an endpoint's
 * methods, revocation would take the header only, and introspection whatever a client guesses.
 */
export const clientAuthMetadata = {
  introspection_endpoint_auth_methods_supported: [...provingMethods],
  introspection_endpoint_auth_signing_alg_values_supported: [...clientAuthAlgs],
  revocation_endpoint_auth_methods_supported: [...clientAuthMethods],
  revocation_endpoint_auth_signing_alg_values_supported: [...clientAuthAlgs],
};

/** Stands where oidc-provider wants a secret. Nobody authenticates with it: see `directClients`. */
const secretElsewhere = "kept by the directory";

/**
 * A relying party as oidc-provider's client metadata, which must not name an algorithm that there is no key for: none of the
 * client's requests would be answered. The key for an algorithm that is wanted anew comes a second later.
 */
function clientMetadata(client: ClientConfig, algs: readonly SigningAlg[]): ClientMetadata {
  return {
    client_id: client.clientId,
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    response_types: ["code"],
    grant_types: client.refreshTokens ? ["authorization_code", "refresh_token"] : ["authorization_code"],
    id_token_signed_response_alg: algs.find((alg) => alg === client.idTokenSignedResponseAlg) ?? "RS256",
    // A secret is accepted in the header and in the body, whichever of the two is registered.
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    ...(client.backchannelLogoutUri && {
      backchannel_logout_uri: client.backchannelLogoutUri,
      backchannel_logout_session_required: client.backchannelLogoutSessionRequired ?? true,
    }),
    ...(client.jwks && { jwks: client.jwks as unknown as JWKS }),
    ...(client.jwksUri && { jwks_uri: client.jwksUri }),
    ...(client.requirePushedAuthorizationRequests && { require_pushed_authorization_requests: true }),
    ...(client.dpopBoundAccessTokens && { dpop_bound_access_tokens: true }),
    ...(client.responseModes && { response_modes: [...client.responseModes] }),
    ...(secretlessReason(client.tokenEndpointAuthMethod) === null && { client_secret: secretElsewhere }),
  };
}

/**
 * The directory's clients, as oidc-provider finds them at run time; all other records are the adapter's.
 *
 * @param algs those that there are keys for
 */
export function clientsFrom(
  directory: ClientDirectory,
  algs: readonly SigningAlg[],
  adapterOf: AdapterFactory,
): AdapterFactory {
  const metadata = directory.derive(
    (clients) => new Map(clients.map((client) => [client.clientId, clientMetadata(client, algs) as AdapterPayload])),
  );
  return (model) => {
    const adapter = adapterOf(model);
    return model === "Client" ? { ...adapter, find: async (id) => metadata().get(id) } : adapter;
  };
}

interface ClientPrototype {
  readonly clientId: string;
  compareClientSecret(presented: string): boolean;
  backchannelLogout(): Promise<void>;
}

/** Takes over from oidc-provider which secrets are right, and when clients are notified of a logout. */
export function directClients(directory: ClientDirectory, provider: Provider): void {
  const client = provider.Client.prototype as unknown as ClientPrototype;
  // Any of the secrets that the directory accepts of it just now.
  client.compareClientSecret = function compareClientSecret(presented) {
    return directory.acceptsSecret(this.clientId, presented);
  };
  // It would notify the clients of the session that is logged out of. Usher notifies them once, when the admission ends, in
  // whatever way (backchannel-logout.ts).
  client.backchannelLogout = async () => undefined;
}

/** Scripts of a public client's pages may ask, whose secret is in no page; what holds an access token may ask for its claims. */
export function mayAskFrom({ oidc }: KoaContextWithOIDC, origin: string, client: Client): boolean {
  if (oidc.route !== "userinfo" && client.clientAuthMethod !== "none") return false;
  return client.redirectUris?.some((uri) => URL.canParse(uri) && new URL(uri).origin === origin) ?? false;
}

/** oidc-provider's events of the endpoints at which clients authenticate. */
export const clientErrorEvents = [
  "grant.error",
  "introspection.error",
  "revocation.error",
  "pushed_authorization_request.error",
] as const;

/**
 * Handles a refused client before its answer is sent. A client that fails to authenticate too often from one address gets an
 * answer that asks it to wait; a client with the right secret never does.
 *
 * @returns whether it was too often
 */
export function slowFailedClient(ctx: KoaContextWithOIDC, failures: FailedAttempts, address: string): boolean {
  // Those that nobody knows are counted together: their names are anybody's to choose.
  const retryAfterSec = failures.count(`client ${ctx.oidc.client?.clientId ?? ""}`, address);
  if (retryAfterSec === 0) return false;
  ctx.status = 429;
  ctx.set("Retry-After", String(retryAfterSec));
  ctx.body = {
    error: "invalid_client",
    error_description: "this client failed to authenticate too often from this address: wait, or send the right secret",
  };
  return true;
}
