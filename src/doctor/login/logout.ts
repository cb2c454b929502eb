import { randomBytes } from "node:crypto";
import type { ClientConfig } from "../../config/index.ts";
import { placeOf } from "../../lib/openid/login-request.ts";
import type { Trial } from "./admission.ts";
import { answered, Found } from "./found.ts";

/**
 * Logs the visitor out as a relying party does (OpenID Connect RP-Initiated Logout 1.0): with the ID token, and where the client
 * has registered one, its first `post_logout_redirect_uri`.
 *
 * @returns where the visitor gets to
 * @throws Found where that fails; Untried
 */
export async function logOut(trial: Trial, client: ClientConfig, idToken: string, sub: string): Promise<string> {
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
