import type { ClientConfig } from "../../../config/index.ts";
import { type Finding, fault, ok, warning } from "../../../lib/finding.ts";
import { type LoginRequest, loginRequest, placeOf } from "../../../lib/openid/login-request.ts";
import type { TokenRequest } from "../../../lib/openid/token-request.ts";
import { type Answer, ask, objectOf } from "../ask.ts";
import { answered, Found } from "./trial.ts";

/**
 * Begins a login at each redirect URI of the file, as a site does that asks for no interaction (`prompt=none`, OpenID Connect Core,
 * section 3.1.2.1): the refusal goes to the redirect URI with the `state` that was sent, and nobody takes a place or is logged in.
 */
export async function checkLoginStart(
  issuer: string,
  client: ClientConfig,
  tokenRequest: TokenRequest | null,
): Promise<Finding[]> {
  const { clientId, redirectUris, requirePushedAuthorizationRequests: isPushed } = client;
  if (isPushed && tokenRequest === null) {
    return [
      warning("login", `A login of ${clientId} is not tried, as only its key can push one: give it by --client-key.`),
    ];
  }
  const findings: Finding[] = [];
  // One after the other: a crowd from one address would be refused.
  for (const redirectUri of redirectUris) findings.push(await checkRedirect(issuer, client, redirectUri, tokenRequest));
  return findings;
}

/** Characters. Any relying party and browser may send so much. */
const usual = { state: 1_500, cookie: 3_000 } as const;
/** Some relying parties keep much in the state, and visitors carry cookies of each room and of a parent domain. */
const long = { state: 4_000, cookie: 7_000 } as const;

/** Whether the proxy takes long headers, and gives them back. @param client whose login comes back */
export async function checkLongHeaders(issuer: string, client: ClientConfig): Promise<Finding> {
  for (const length of [usual, long]) {
    const refusal = await refusalOfLength(issuer, client, length);
    if (refusal !== null) return (length === usual ? fault : warning)("headers", refusal);
  }
  return ok("headers", "The proxy lets long headers through.");
}

/** What the proxy answers instead, and the way out; null where it lets them through. */
async function refusalOfLength(
  issuer: string,
  { clientId, redirectUris: [redirectUri = ""] }: ClientConfig,
  length: typeof usual | typeof long,
): Promise<string | null> {
  const { url, state } = loginRequest(issuer, clientId, redirectUri, {
    prompt: "none",
    state: "s".repeat(length.state),
  });
  const answer = await ask(url, { headers: { cookie: `usher_doctor=${"c".repeat(length.cookie)}` } });
  const status = typeof answer === "string" ? answer : answer.status;
  // Too much was asked, of which another finding tells.
  if (typeof answer !== "string" && (answer.status === 429 || answer.headers.get("location")?.includes(state))) {
    return null;
  }
  const isAnswers = status === 502 || status === 500;
  const wayOut = isAnswers
    ? "let the proxy take longer headers of answers (nginx: proxy_buffer_size 32k; proxy_buffers 8 32k)"
    : "let the proxy take longer headers of requests (nginx: large_client_header_buffers 8 16k)";
  const sent = `a state of ${length.state} characters and cookies of ${length.cookie}`;
  return `A login with ${sent} is answered ${status}: ${wayOut}, as in docs/tls.md.`;
}

async function checkRedirect(
  issuer: string,
  client: ClientConfig,
  redirectUri: string,
  tokenRequest: TokenRequest | null,
): Promise<Finding> {
  const { clientId } = client;
  const request = loginRequest(issuer, clientId, redirectUri, { prompt: "none" });
  try {
    const answer = await ask(await startOf(issuer, client, request, tokenRequest));
    if (typeof answer !== "string") return judge(answer, { clientId, redirectUri, state: request.state });
    return fault("login", `/authorize does not answer (${answer}): let the proxy lead it to Usher.`);
  } catch (error) {
    if (error instanceof Found) return error.finding;
    throw error;
  }
}

interface Sent {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
}

function judge({ status, headers }: Answer, { clientId, redirectUri, state }: Sent): Finding {
  if (status === 429)
    return warning("login", `A login of ${clientId} could not be tried (429): try again in a minute.`);
  const location = headers.get("location");
  if (status < 300 || status >= 400 || location === null) {
    const wayOut = `start the gateway with this file, register exactly ${redirectUri}, and let the proxy send the query on unchanged`;
    return fault("login", `/authorize answered ${status} to a login of ${clientId} for ${redirectUri}: ${wayOut}.`);
  }
  if (!URL.canParse(location) || placeOf(location) !== placeOf(redirectUri)) {
    const wayOut = "let the proxy send the header Location on as it is (nginx: proxy_redirect off)";
    const to = location.split("?")[0];
    return fault("login", `A login of ${clientId} for ${redirectUri} is sent to ${to} instead: ${wayOut}.`);
  }
  const { searchParams } = new URL(location);
  if (searchParams.get("state") !== state) {
    const wayOut = "let the proxy send the query on unchanged in both directions, and let the CDN cache nothing there";
    return fault(
      "login",
      `A login of ${clientId} for ${redirectUri} comes back with another state or none: ${wayOut}.`,
    );
  }
  const error = searchParams.get("error");
  if (error === "login_required") return ok("login", `A login of ${clientId} comes back to ${redirectUri}.`);
  const wayOut = "compare the client in this file with the running gateway's";
  return fault("login", `A login of ${clientId} is answered with ${error ?? "no error"} at ${redirectUri}: ${wayOut}.`);
}

/**
 * Where the browser begins the login. The request is pushed before where the client has to (RFC 9126).
 *
 * @param tokenRequest is used for that alone
 * @throws Found where it is refused
 */
export async function startOf(
  issuer: string,
  { clientId, requirePushedAuthorizationRequests: isPushed }: ClientConfig,
  { url }: LoginRequest,
  tokenRequest: TokenRequest | null,
): Promise<string> {
  if (!isPushed || tokenRequest === null) return url;
  const init = await tokenRequest(Object.fromEntries(new URL(url).searchParams));
  init.body.delete("grant_type");
  const { status, text } = answered(await ask(`${issuer}/par`, init), "/par");
  const { request_uri, error } = objectOf(text);
  if (typeof request_uri === "string") {
    return `${issuer}/authorize?${new URLSearchParams({ client_id: clientId, request_uri })}`;
  }
  if (status === 429) throw new Found("warning", `/par refused ${clientId} (429): try again in a minute.`, "login");
  const reason = typeof error === "string" ? error : "and not as Usher does";
  const wayOut =
    "let the proxy send POST requests with their body on, and compare the client in this file with the gateway's";
  throw new Found("fault", `/par answered ${status} ${reason} to a login of ${clientId}: ${wayOut}.`, "login");
}
