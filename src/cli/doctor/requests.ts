/** What a relying party sends in a login: the authorization request, and what shows it to the token endpoint. */
import { createHash, randomBytes } from "node:crypto";
import type { ClientConfig } from "../../config/index.ts";

/** An authorization request, and what its answers have to agree with. */
export interface LoginRequest {
  readonly url: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** @param parameters further ones */
export function loginRequest(
  issuer: string,
  clientId: string,
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
): LoginRequest {
  const [state, nonce, verifier] = [randomText(), randomText(), randomText()];
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid",
    state,
    nonce,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...parameters,
  });
  return { url: `${issuer}/authorize?${query}`, redirectUri, state, nonce, verifier };
}

/** A request to the token endpoint, with the client's secret as its method has it (OpenID Connect Core, section 9). */
export function tokenRequest(client: ClientConfig, fields: Readonly<Record<string, string>>): RequestInit {
  const { clientId, clientSecret, tokenEndpointAuthMethod } = client;
  const body = new URLSearchParams({ grant_type: "authorization_code", ...fields });
  const headers: Record<string, string> = {};
  if (clientSecret === null || tokenEndpointAuthMethod === "client_secret_post") body.set("client_id", clientId);
  if (clientSecret !== null && tokenEndpointAuthMethod === "client_secret_post")
    body.set("client_secret", clientSecret);
  if (clientSecret !== null && tokenEndpointAuthMethod !== "client_secret_post") {
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  }
  return { method: "POST", headers, body };
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}
