/** What a user pool knows and asks of the OIDC provider that it federates with. */
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import type { HttpClient } from "../http-client.ts";

/** The settings of the provider in the pool (idp, "To add an OIDC IdP"), in our notation. */
export interface PoolProvider {
  /** In front of the names of all its users. */
  name: string;
  clientId: string;
  clientSecret: string;
  /** "Should start with https://, and shouldn't end with a slash /" (idp, the same). */
  issuer: string;
  /** "The scope openid is required" (idp, "Step 1"); default `openid`. */
  scopes?: string;
  /** "Attributes request method"; default GET. */
  attributesRequestMethod?: "GET" | "POST";
  /** Attribute of the pool ← claim of the provider. */
  attributeMapping?: Record<string, string>;
}

export interface ProviderMetadata {
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
  jwks_uri: string;
}

/** "Only uses TCP ports 80 and 443 for OIDC endpoints" (idp, "Prerequisites"). */
const PORTS = [443, 80];
/** "If you choose auto fill, the discovery document must use HTTPS" for these (idp, "To add an OIDC IdP"). */
const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] as const;

/** What the provider answered, when that was an error. */
export class ProviderError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * Runs discovery. Throws where the pool could not use the provider.
 *
 * @param otherPorts that a test needs beside 80 and 443, which it cannot listen on
 */
export async function discover(
  http: HttpClient,
  provider: PoolProvider,
  otherPorts: readonly number[],
): Promise<ProviderMetadata> {
  const { issuer, scopes = "openid" } = provider;
  if (!issuer.startsWith("https://") || issuer.endsWith("/"))
    throw new Error(`an issuer that Cognito refuses: ${issuer}`);
  if (!scopes.split(" ").includes("openid")) throw new Error("the scope openid is required");
  const response = await http.get(`${issuer}/.well-known/openid-configuration`);
  const metadata = response.json() as ProviderMetadata;
  for (const endpoint of ENDPOINTS) {
    const { protocol, port } = new URL(metadata[endpoint]);
    if (protocol !== "https:") throw new Error(`${endpoint} is not https`);
    if (![...PORTS, ...otherPorts].includes(Number(port || 443))) throw new Error(`${endpoint} is at port ${port}`);
  }
  return metadata;
}

/** Redeems a code and returns the claims by which the user is known. */
export async function fetchUser(
  http: HttpClient,
  provider: PoolProvider,
  metadata: ProviderMetadata,
  code: string,
  redirectUri: string,
): Promise<Record<string, unknown> & { sub: string }> {
  // "Supports client_secret_post … doesn't support client_secret_basic client authentication" (idp, "Prerequisites").
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
  });
  const response = await http.request(metadata.token_endpoint, { method: "POST", body: form });
  const tokens = response.json() as Record<string, string>;
  if (response.status !== 200) {
    throw new ProviderError(response.status, tokens.error ?? "invalid_request", tokens.error_description ?? "");
  }
  const sub = await verifyIdToken(http, provider, metadata, tokens.id_token ?? "");
  const method = provider.attributesRequestMethod ?? "GET";
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  // "With the resulting access token, your user pool queries the IdP userInfo endpoint" (flow).
  const attributes = await http.request(metadata.userinfo_endpoint, { method, headers });
  const claims = attributes.json() as Record<string, unknown>;
  if (attributes.status !== 200) throw new ProviderError(attributes.status, "invalid_request", "userInfo");
  // OpenID Connect Core 5.3.2.
  if (claims.sub !== sub) throw new ProviderError(400, "invalid_request", "sub of userInfo");
  return { ...claims, sub };
}

/** "Publishes a key ID kid claim at its jwks_uri and includes a kid claim in its tokens" (idp, "Prerequisites"). */
async function verifyIdToken(
  http: HttpClient,
  provider: PoolProvider,
  { jwks_uri }: ProviderMetadata,
  idToken: string,
): Promise<string> {
  if (decodeProtectedHeader(idToken).kid === undefined) throw new ProviderError(400, "invalid_request", "no kid");
  const keys = (await http.get(jwks_uri)).json() as JSONWebKeySet;
  if (keys.keys.some(({ kid }) => kid === undefined))
    throw new ProviderError(400, "invalid_request", "a key without kid");
  const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys), {
    issuer: provider.issuer,
    audience: provider.clientId,
    requiredClaims: ["sub", "iat", "exp"],
  });
  return String(payload.sub);
}
