/** Logins by openid-client at one gateway of several: its answers come from there, whatever the issuer's address. */
import { decodeProtectedHeader } from "jose";
import * as openid from "openid-client";
import type { Visitor } from "../../support/visitor.ts";
import { clientId, clientSecret, redirectUri, type World } from "../world.ts";

export interface Login {
  readonly idToken: string;
  readonly kid: string | undefined;
  readonly alg: string | undefined;
  readonly sub: string;
}

/** @param parameters added to the authorization request */
export async function loginAt(
  world: World,
  index: number,
  room: string,
  visitor: Visitor,
  alg = "RS256",
  parameters: Record<string, string> = {},
): Promise<Login> {
  const { issuer, gateways } = world;
  const there = (address: string | URL) => String(address).replace(issuer, gateways[index]?.origin ?? "");
  const provider = await openid.discovery(
    new URL(issuer),
    clientId(room),
    { client_secret: clientSecret(room), id_token_signed_response_alg: alg },
    undefined,
    {
      execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
      [openid.customFetch]: (url, options) => fetch(there(url), options as RequestInit),
    },
  );
  const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()];
  const request = openid.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri(room),
    scope: "openid",
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...parameters,
  });
  const page = await visitor.navigate(there(request), { stopAt: ({ href }) => href.startsWith(redirectUri(room)) });
  if (page.location === undefined) throw new Error(`no callback: ${page.status} ${page.notice} ${page.position}`);
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
  const tokens = await openid.authorizationCodeGrant(provider, page.location, checks);
  const { kid, alg: signedWith } = decodeProtectedHeader(tokens.id_token ?? "");
  return { idToken: tokens.id_token ?? "", kid, alg: signedWith, sub: tokens.claims()?.sub ?? "" };
}
