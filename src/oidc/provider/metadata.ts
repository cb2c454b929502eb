const secretMethods = ["client_secret_basic", "client_secret_post"] as const;
const provingMethods = [...secretMethods, "private_key_jwt"] as const;
export const clientAuthMethods = [...provingMethods, "none"] as const;
/** What clients that authenticate by a key may sign with. */
export const clientAuthAlgs = ["RS256", "PS256", "ES256", "EdDSA"] as const;

/**
 * What oidc-provider leaves out of its metadata (OpenID Connect Discovery 1.0 §3, RFC 8414 §2). Without a word about an
 * endpoint's methods, revocation would take the header only, and introspection whatever a client guesses.
 *
 * @param languages tags of those that the pages speak
 */
export function furtherMetadata(languages: readonly string[]) {
  return {
    introspection_endpoint_auth_methods_supported: [...provingMethods],
    introspection_endpoint_auth_signing_alg_values_supported: [...clientAuthAlgs],
    request_parameter_supported: false,
    revocation_endpoint_auth_methods_supported: [...clientAuthMethods],
    revocation_endpoint_auth_signing_alg_values_supported: [...clientAuthAlgs],
    ui_locales_supported: [...languages],
  };
}
