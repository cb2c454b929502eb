import type { AdapterFactory, AdapterPayload, ClientMetadata, JWKS, Provider } from "oidc-provider";
import { secretlessReason } from "../../config/index.ts";
import type { ClientConfig, SigningAlg } from "../../config/resolve/config.ts";
import type { ClientDirectory } from "../../registry/index.ts";

/** Stands where oidc-provider wants a secret. Nobody authenticates with it: see `acceptSecretsOf`. */
const secretElsewhere = "kept by the directory";

/**
 * A relying party as oidc-provider's client metadata, which must not name an algorithm that there is no key for: none of the
 * client's requests would be answered. The key for an algorithm that is wanted anew comes a second later.
 */
function clientMetadata(client: ClientConfig, algs: readonly SigningAlg[]): ClientMetadata {
  const { idTokenSigningAlg, backchannelLogout, clientKeys } = client;
  return {
    client_id: client.clientId,
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    response_types: ["code"],
    grant_types: client.refreshTokens ? ["authorization_code", "refresh_token"] : ["authorization_code"],
    id_token_signed_response_alg: algs.find((alg) => alg === idTokenSigningAlg) ?? "RS256",
    // A secret is accepted in the header and in the body, whichever of the two is registered.
    token_endpoint_auth_method: client.tokenAuthentication,
    ...(backchannelLogout && {
      backchannel_logout_uri: backchannelLogout.uri,
      backchannel_logout_session_required: backchannelLogout.needsSession,
    }),
    ...(clientKeys && ("jwks" in clientKeys ? { jwks: clientKeys.jwks as JWKS } : { jwks_uri: clientKeys.jwksUri })),
    ...(client.requirePushedRequests && { require_pushed_authorization_requests: true }),
    ...(client.dpopBoundTokens && { dpop_bound_access_tokens: true }),
    ...(client.responseModes && { response_modes: [...client.responseModes] }),
    ...(secretlessReason(client.tokenAuthentication) === null && { client_secret: secretElsewhere }),
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

/** Lets a client authenticate with any of the secrets that the directory accepts of it just now. */
export function acceptSecretsOf(directory: ClientDirectory, provider: Provider): void {
  const client = provider.Client.prototype as { clientId: string; compareClientSecret(presented: string): boolean };
  client.compareClientSecret = function compareClientSecret(presented) {
    return directory.acceptsSecret(this.clientId, presented);
  };
}

/**
 * oidc-provider would notify the clients of the session that is logged out of. Usher notifies them once, when the
 * admission ends, in whatever way (backchannel-logout.ts).
 */
export function leaveLogoutsToAdmissions(provider: Provider): void {
  const client = provider.Client.prototype as unknown as { backchannelLogout(): Promise<void> };
  client.backchannelLogout = async () => undefined;
}
