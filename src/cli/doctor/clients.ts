import type { ClientConfig } from "../../config/index.ts";
import { ask, type Finding, fault, objectOf, ok, warning } from "./finding.ts";
import { checkLoginStart } from "./login-start.ts";

/**
 * Shows each client's secret of the file to the running gateway, with a code that there is not: the refusal tells whether the
 * secret is right (RFC 6749, section 5.2), and nobody takes a place or is logged in. Then begins a login of each.
 */
export async function checkClients(issuer: string, clients: readonly ClientConfig[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  // One after the other: many wrong ones at once would be refused unread.
  for (const client of clients) {
    findings.push(await checkClient(issuer, client), ...(await checkLoginStart(issuer, client)));
  }
  return findings;
}

async function checkClient(issuer: string, client: ClientConfig): Promise<Finding> {
  const { clientId, clientSecret, redirectUris, tokenEndpointAuthMethod } = client;
  if (clientSecret === null) return ok("client", `${clientId} has no secret (${tokenEndpointAuthMethod}).`);
  const [redirect_uri = ""] = redirectUris;
  const form = new URLSearchParams({ grant_type: "authorization_code", code: "usher-doctor", redirect_uri });
  const headers: Record<string, string> = {};
  if (tokenEndpointAuthMethod === "client_secret_post") {
    form.set("client_id", clientId);
    form.set("client_secret", clientSecret);
  } else {
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  }
  const answer = await ask(`${issuer}/token`, { method: "POST", headers, body: form });
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
