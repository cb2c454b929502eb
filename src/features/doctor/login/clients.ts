import { type ClientConfig, findOtherSites } from "../../../config/index.ts";
import { type Finding, fault, ok, warning } from "../../../lib/finding.ts";
import { type ClientKeys, type TokenRequest, tokenRequestOf } from "../../../lib/openid/token-request.ts";
import { ask, objectOf } from "../ask.ts";
import { checkLoginStart, checkLongHeaders } from "./login-start.ts";
import type { Insider } from "./trial.ts";
import { checkWholeLogin } from "./whole-login.ts";

/**
 * Shows each client of the file to the running gateway, with a code that there is not: the refusal tells whether its secret or key
 * is right (RFC 6749, section 5.2), and nobody takes a place or is logged in. Then begins a login of each, and where there
 * is an insider plays one to its end.
 *
 * @param insider null where none is at hand
 */
export async function checkClients(
  issuer: string,
  clients: readonly ClientConfig[],
  insider: Insider | null,
  keys: ClientKeys,
): Promise<Finding[]> {
  const sites = clients.map(({ initiateLoginUri }) => initiateLoginUri.replace(/[?{].*$/s, ""));
  const findings = findOtherSites(issuer, sites).map((text) => warning("cookies", `${issuer} ${text}.`));
  let isLengthReported = false;
  // One after the other: many wrong ones at once would be refused unread.
  for (const client of clients) {
    const tokenRequest = tokenRequestOf(issuer, client, keys);
    const finding = tokenRequest === null ? notChecked(client) : await checkClient(issuer, client, tokenRequest);
    const found = [finding, ...(await checkLoginStart(issuer, client, tokenRequest))];
    const isGood = found.every((other) => other.status === "ok" || (other === finding && tokenRequest === null));
    // Of the proxy alone, so one client tells it.
    const tellsLength: boolean = isGood && !isLengthReported && !client.requirePushedAuthorizationRequests;
    if (tellsLength) found.push(await checkLongHeaders(issuer, client));
    isLengthReported ||= tellsLength;
    if (insider !== null && isGood) found.push(...(await checkWholeLogin(issuer, client, insider, tokenRequest)));
    findings.push(...found);
  }
  return findings;
}

function notChecked({ clientId, tokenEndpointAuthMethod: method }: ClientConfig): Finding {
  const isKey = method === "private_key_jwt";
  const wayOut = isKey ? `give its private key by --client-key ${clientId}=FILE, or log in` : "log in";
  const what = isKey ? "key" : "secret";
  return warning(
    "client",
    `The ${what} of ${clientId} (${method}) is not tested, as the site alone has it: ${wayOut} at the site yourself.`,
  );
}

async function checkClient(issuer: string, client: ClientConfig, tokenRequest: TokenRequest): Promise<Finding> {
  const { clientId, clientSecret, redirectUris, tokenEndpointAuthMethod: method } = client;
  if (method === "none") return ok("client", `${clientId} has no secret (none).`);
  const what = clientSecret === null ? "key" : "secret";
  const [redirect_uri = ""] = redirectUris;
  const answer = await ask(`${issuer}/token`, await tokenRequest({ code: "usher-doctor", redirect_uri }));
  if (typeof answer === "string")
    return fault("client", `/token does not answer (${answer}): let the proxy lead it to Usher.`);
  const { error } = objectOf(answer.text);
  if (error === "invalid_grant") return ok("client", `The ${what} of ${clientId} is right.`);
  if (answer.status === 429)
    return warning("client", `The ${what} of ${clientId} could not be tried (429): try again in a minute.`);
  if (error === "invalid_client") {
    const wayOut =
      clientSecret === null
        ? "have its public part in jwks, or at jwks_uri where the gateway can fetch it, and the clocks agree"
        : "start the gateway with this file and its environment, and give the site the same secret";
    return fault("client", `The gateway there does not take the ${what} of ${clientId}: ${wayOut}.`);
  }
  const wayOut = "let the proxy send POST requests with their body and the header Authorization on";
  return fault(
    "client",
    `/token answered ${answer.status} ${String(error ?? "and not as Usher does")} for ${clientId}: ${wayOut}.`,
  );
}
