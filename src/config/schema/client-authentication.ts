/** How clients authenticate at the token endpoint (OpenID Connect Core 1.0, section 9). */
export const CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"] as const;

const SECRETLESS: Readonly<Record<string, string>> = {
  none: "a public client (token_endpoint_auth_method: none) has no secret",
  private_key_jwt: "a client with a key of its own (token_endpoint_auth_method: private_key_jwt) has no secret",
};

/** Says that a client of this `token_endpoint_auth_method` has no secret; null for one that has. */
export function secretlessReason(method: unknown): string | null {
  return SECRETLESS[String(method)] ?? null;
}
