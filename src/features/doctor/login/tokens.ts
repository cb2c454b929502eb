import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import type { LoginRequest } from "../../../lib/openid/login-request.ts";
import type { TokenRequest } from "../../../lib/openid/token-request.ts";
import { ask, objectOf } from "../ask.ts";
import { answered, Found } from "./trial.ts";

/** Seconds; relying parties forgive less or more. */
const skewMax = 2;
/** Seconds since an ID token was issued; the way from the token endpoint takes less. */
const ageMax = 60;

const cachedToken = "let the CDN cache nothing of /token";

/**
 * Redeems the code, verifies the ID token by the keys that everybody sees (OpenID Connect Core, section 3.1.3.7), and asks for
 * the user's claims.
 *
 * @returns the ID token
 * @throws Found where a relying party would fail
 */
export async function redeem(
  issuer: string,
  clientId: string,
  tokenRequest: TokenRequest,
  request: LoginRequest,
  code: string,
): Promise<string> {
  const fields = { code, redirect_uri: request.redirectUri, code_verifier: request.verifier };
  const { status, text } = answered(await ask(`${issuer}/token`, await tokenRequest(fields)), "/token");
  if (status === 429) throw new Found("warning", `/token refused ${clientId} (429): try again in a minute.`);
  const { id_token, access_token, error } = objectOf(text);
  if (status !== 200 || typeof id_token !== "string" || typeof access_token !== "string") {
    const reason = typeof error === "string" ? error : "and not as Usher does";
    const wayOut = "let the proxy and the CDN send POST requests and their answers on unchanged, each once";
    throw new Found("fault", `/token answered ${status} ${reason} to a code of ${clientId}: ${wayOut}.`);
  }
  const { sub } = await verify(issuer, clientId, request.nonce, id_token);
  await checkUserinfo(issuer, access_token, sub);
  return id_token;
}

/** Whether a code without PKCE was redeemed before; null where that does not show. */
export async function isSpent(
  issuer: string,
  tokenRequest: TokenRequest,
  code: string,
  redirectUri: string,
): Promise<boolean | null> {
  const answer = await ask(`${issuer}/token`, await tokenRequest({ code, redirect_uri: redirectUri }));
  if (typeof answer === "string") return null;
  if (answer.status === 200) return false;
  return objectOf(answer.text).error === "invalid_grant" ? true : null;
}

async function verify(issuer: string, clientId: string, nonce: string, idToken: string): Promise<JWTPayload> {
  const answer = answered(await ask(`${issuer}/.well-known/jwks.json`), "/.well-known/jwks.json");
  const options = { issuer, audience: clientId, clockTolerance: skewMax, maxTokenAge: ageMax };
  try {
    const keys = createLocalJWKSet(objectOf(answer.text) as unknown as JSONWebKeySet);
    const { payload } = await jwtVerify(idToken, keys, options);
    if (payload.nonce === nonce) return payload;
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw new Found("fault", `The ID token of ${clientId} is not valid (${error.message}): ${wayOutOf(error)}.`);
  }
  throw new Found("fault", `The ID token of ${clientId} has another nonce: ${cachedToken}.`);
}

function wayOutOf(error: errors.JOSEError): string {
  const claim = "claim" in error ? String(error.claim) : "";
  if (["iat", "exp", "nbf"].includes(claim)) return "run chrony or another NTP client there and here";
  if (claim === "iss") return "set issuer or USHER_ISSUER to the address that relying parties have, and restart";
  if (claim === "aud") return cachedToken;
  return "let the CDN cache nothing of /.well-known/jwks.json, and give all processes the same signing keys";
}

async function checkUserinfo(issuer: string, accessToken: string, sub: string | undefined): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const { status, text } = answered(await ask(`${issuer}/userinfo`, { headers }), "/userinfo");
  if (status === 200 && objectOf(text).sub === sub) return;
  const wayOut = "let the proxy send the header Authorization on, and cache nothing there";
  throw new Found("fault", `/userinfo answered ${status}, and not with the claims of the login: ${wayOut}.`);
}
