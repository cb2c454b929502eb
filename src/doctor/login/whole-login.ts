import type { ClientConfig } from "../../config/index.ts";
import { type Finding, ok, warning } from "../../lib/finding.ts";
import { type LoginRequest, loginRequest, placeOf } from "../../lib/openid/login-request.ts";
import type { TokenRequest } from "../../lib/openid/token-request.ts";
import { type Insider, Untried } from "../insider.ts";
import { type Trial, whileIn } from "./admission.ts";
import { createBrowser } from "./browser.ts";
import { about, answered, Found } from "./found.ts";
import { logOut } from "./logout.ts";
import { startOf } from "./pushed-request.ts";
import { redeem } from "./tokens.ts";

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

/** All that a trial found, whatever ends it. Errors that are no finding are thrown on. */
export async function findingsOf(what: string, trial: (findings: Finding[]) => Promise<void>): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    await trial(findings);
  } catch (error) {
    findings.push(findingOf(error, `${what} could not be tried`));
  }
  return findings;
}

/** Of an admission that could not be ended. */
export function leftBehind(error: unknown, sub: string): Finding {
  return findingOf(error, `The admission ${sub} of the trial could not be ended, and ends by its time`);
}

function findingOf(error: unknown, what: string): Finding {
  if (error instanceof Found) return error.finding;
  if (error instanceof Untried) return warning(about, `${what}: ${error.message}`);
  throw error;
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
