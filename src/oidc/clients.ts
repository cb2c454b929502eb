import type { ClientMetadata } from "oidc-provider";
import type { ClientConfig } from "../config/config.ts";

/** A relying party as oidc-provider's client metadata. */
export function clientMetadata(client: ClientConfig): ClientMetadata {
  return {
    client_id: client.clientId,
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    response_types: ["code"],
    grant_types: client.refreshTokens ? ["authorization_code", "refresh_token"] : ["authorization_code"],
    id_token_signed_response_alg: "RS256",
    ...(client.clientSecret === null
      ? { token_endpoint_auth_method: "none" as const }
      : // A secret is accepted in the header and in the body, whichever of the two is registered.
        { token_endpoint_auth_method: client.tokenAuthentication, client_secret: client.clientSecret }),
  };
}
