/** How a relying party begins a login, and what it reads from the answers. */
import { createHash, randomBytes } from "node:crypto";

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
  const [nonce, verifier] = [randomText(), randomText()];
  const { state = randomText() } = parameters;
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

/** An address without its query. */
export function placeOf(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/** Where an answer redirects to; null for any other answer. @param at the address that was asked */
export function redirectOf(status: number, location: string | null | undefined, at: string): URL | null {
  const isRedirect = status >= 300 && status < 400 && typeof location === "string" && URL.canParse(location, at);
  return isRedirect ? new URL(location, at) : null;
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}
