import type { ClientConfig } from "../../config/index.ts";
import type { Gateway } from "../gateway.ts";
import { ask, type Finding, fault, objectOf, ok, warning } from "./finding.ts";
import { checkLoginStart } from "./login-start.ts";
import { tokenRequest } from "./requests.ts";
import { checkWholeLogin } from "./whole-login.ts";

/**
 * Shows each client's secret of the file to the running gateway, with a code that there is not: the refusal tells whether the
 * secret is right (RFC 6749, section 5.2), and nobody takes a place or is logged in. Then begins a login of each, and where an
 * admin key is at hand plays one to its end.
 *
 * @param gateway null where there is no key
 */
export async function checkClients(
  issuer: string,
  clients: readonly ClientConfig[],
  gateway: Gateway | null,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  // One after the other: many wrong ones at once would be refused unread.
  for (const client of clients) {
    const found = [await checkClient(issuer, client), ...(await checkLoginStart(issuer, client))];
    const isGood = found.every(({ status }) => status === "ok");
    if (gateway !== null && isGood) found.push(...(await checkWholeLogin(issuer, client, gateway)));
    findings.push(...found);
  }
  return findings;
}

async function checkClient(issuer: string, client: ClientConfig): Promise<Finding> {
  const { clientId, clientSecret, redirectUris, tokenEndpointAuthMethod } = client;
  if (clientSecret === null) return ok("client", `${clientId} has no secret (${tokenEndpointAuthMethod}).`);
  const [redirect_uri = ""] = redirectUris;
  const answer = await ask(`${issuer}/token`, tokenRequest(client, { code: "usher-doctor", redirect_uri }));
  if (typeof answer === "string")
    return fault("client", `/token does not answer (${answer}): let the proxy lead it to Usher.`);
  const { error } = objectOf(answer.text);
  if (error === "invalid_grant") return ok("client", `The secret of ${clientId} is right.`);
  if (error === "invalid_client") {
    const wayOut = "start the gateway with this file and its environment, and give the site the same secret";
    return fault("client", `The gateway there does not take the secret of ${clientId}: ${wayOut}.`);
  }
  if (answer.status === 429)
    return warning("client", `The secret of ${clientId} could not be tried (429): try again in a minute.`);
  const wayOut = "let the proxy send POST requests with their body and the header Authorization on";
  return fault(
    "client",
    `/token answered ${answer.status} ${String(error ?? "and not as Usher does")} for ${clientId}: ${wayOut}.`,
  );
}
