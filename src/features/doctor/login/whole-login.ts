import { randomBytes } from "node:crypto";
import type { ClientConfig } from "../../../config/index.ts";
import { type Finding, ok, warning } from "../../../lib/finding.ts";
import { type LoginRequest, loginRequest, placeOf } from "../../../lib/openid/login-request.ts";
import type { TokenRequest } from "../../../lib/openid/token-request.ts";
import { whileIn } from "./admission.ts";
import { createBrowser } from "./browser.ts";
import { startOf } from "./login-start.ts";
import { redeem } from "./tokens.ts";
import { about, answered, Found, findingsOf, type Insider, leftBehind, type Trial } from "./trial.ts";

/**
 * Plays a login from the entry to the user's claims and the logout, as a visitor and a relying party do.
 *
 * @param tokenRequest what shows the client to the token endpoint; null where the doctor cannot
 */
export async function checkWholeLogin(
  issuer: string,
  client: ClientConfig,
  insider: Insider,
  tokenRequest: TokenRequest | null,
): Promise<Finding[]> {
  const { clientId, rooms, redirectUris } = client;
  const [room, redirectUri] = [rooms[0], redirectUris[0]];
  const reason = untriedReason(client, tokenRequest);
  if (reason !== null || tokenRequest === null || room === undefined || redirectUri === undefined) {
    return [warning(about, `A whole login of ${clientId} is not tried, as ${reason}: log in at the site yourself.`)];
  }
  const trial = { browser: createBrowser([issuer]), issuer, room, insider };
  return findingsOf(`A whole login of ${clientId}`, async (findings) => {
    const play = async (sub: string) => {
      const request = loginRequest(issuer, clientId, redirectUri, { room });
      const start = await startOf(issuer, client, request, tokenRequest);
      const idToken = await redeem(
        issuer,
        clientId,
        tokenRequest,
        request,
        await codeFor(trial, clientId, request, start),
      );
      findings.push(ok(about, `A whole login of ${clientId} in ${room} goes well.`));
      const to = await logOut(trial, client, idToken, sub);
      findings.push(ok("logout", `A logout of ${clientId} ends the admission, and leads to ${to}.`));
    };
    await whileIn(trial, play, (error, sub) => findings.push(leftBehind(error, sub)));
  });
}

function untriedReason(client: ClientConfig, tokenRequest: TokenRequest | null): string | null {
  if (client.rooms.length === 0) return "it has no room";
  if (tokenRequest === null && client.tokenEndpointAuthMethod !== "private_key_jwt")
    return "the site alone has its secret";
  if (tokenRequest === null) return `its key for ${client.tokenEndpointAuthMethod} is not given (--client-key)`;
  if (client.dpopBoundAccessTokens) return "its tokens are bound to a key of the site (DPoP)";
  return null;
}

async function codeFor(
  { browser, issuer }: Trial,
  clientId: string,
  request: LoginRequest,
  start: string,
): Promise<string> {
  const way = await browser.follow(start);
  const { status, headers } = answered(typeof way === "string" ? way : way.answer, "/authorize");
  const location = headers.get("location");
  if (status === 429) throw new Found("warning", `A login of ${clientId} was refused (429): try again in a minute.`);
  if (location === null || !URL.canParse(location)) {
    const wayOut = "let the proxy send Set-Cookie, Cookie and the query on, and the CDN cache nothing";
    throw new Found(
      "fault",
      `A visitor who is in stays at a page of Usher (${status}) in a login of ${clientId}: ${wayOut}.`,
    );
  }
  if (placeOf(location) !== placeOf(request.redirectUri)) {
    const wayOut = "let the proxy send the header Location on as it is (nginx: proxy_redirect off)";
    throw new Found("fault", `A login of ${clientId} is sent to ${location.split("?")[0]}: ${wayOut}.`);
  }
  const { searchParams } = new URL(location);
  const iss = searchParams.get("iss");
  // RFC 9207: relying parties that know it compare.
  if (iss !== issuer) {
    const wayOut = "let the proxy rewrite no query, and set issuer or USHER_ISSUER to the address that sites have";
    throw new Found("fault", `A login of ${clientId} came back as one of ${iss ?? "no issuer"}: ${wayOut}.`);
  }
  const [code, state] = [searchParams.get("code"), searchParams.get("state")];
  if (code !== null && state === request.state) return code;
  const outcome = state === request.state ? (searchParams.get("error") ?? "no code") : "another state, or none";
  const wayOut = "let the proxy send the query on unchanged, and compare the client in this file with the gateway's";
  throw new Found("fault", `A login of ${clientId} came back with ${outcome}: ${wayOut}.`);
}

/**
 * Logs the visitor out as a relying party does (OpenID Connect RP-Initiated Logout 1.0): with the ID token, and where the client
 * has registered one, its first `post_logout_redirect_uri`.
 *
 * @returns where the visitor gets to
 * @throws Found where that fails; Untried
 */
async function logOut(trial: Trial, client: ClientConfig, idToken: string, sub: string): Promise<string> {
  const { browser, insider, issuer, room } = trial;
  const { clientId, postLogoutRedirectUris } = client;
  const [returnTo] = postLogoutRedirectUris;
  const state = randomBytes(16).toString("base64url");
  const query = new URLSearchParams({
    id_token_hint: idToken,
    client_id: clientId,
    ...(returnTo !== undefined && { post_logout_redirect_uri: returnTo, state }),
  });
  const { status, headers } = answered(await browser.open(`${issuer}/logout?${query}`), "/logout");
  const location = headers.get("location") ?? "";
  if (status < 300 || status >= 400 || !URL.canParse(location)) {
    const text = `/logout answered ${status} to a logout of ${clientId}, and leads nowhere`;
    throw new Found("fault", `${text}: ${wayOutOf(status, returnTo)}.`, "logout");
  }
  const expected = returnTo ?? location;
  if (placeOf(location) !== placeOf(expected)) {
    const wayOut = "let the proxy send the header Location on as it is (nginx: proxy_redirect off)";
    throw new Found("fault", `A logout of ${clientId} leads to ${location.split("?")[0]}: ${wayOut}.`, "logout");
  }
  if (returnTo !== undefined && new URL(location).searchParams.get("state") !== state) {
    const wayOut = "let the proxy send the query on unchanged, and the CDN cache nothing of /logout";
    throw new Found("fault", `A logout of ${clientId} comes back with another state or none: ${wayOut}.`, "logout");
  }
  if (await insider.isLive(room, sub)) {
    const wayOut = "let the proxy send the header Cookie on to /logout, and the CDN cache nothing there";
    throw new Found("fault", `A logout of ${clientId} does not end the visitor's admission: ${wayOut}.`, "logout");
  }
  return returnTo ?? "a page of Usher, as the client registers no post_logout_redirect_uris";
}

function wayOutOf(status: number, returnTo: string | undefined): string {
  // The logout came without the ticket and the session that its ID token is for: a page asks the visitor before it does anything.
  if (status === 200) return "let the proxy send the query and the header Cookie on, and the CDN cache nothing there";
  if (status === 400 && returnTo !== undefined) {
    return `register exactly ${returnTo} as one of post_logout_redirect_uris at the running gateway`;
  }
  return "let the proxy lead /logout with its long query to Usher (nginx: large_client_header_buffers)";
}
