import type { ClientConfig } from "../../config/index.ts";
import { askGateway, type Gateway, Refusal } from "../gateway.ts";
import { CommandError } from "../terminal.ts";
import { type Browser, createBrowser } from "./browser.ts";
import { type Finding, ok, warning } from "./finding.ts";
import { about, answered, Found } from "./found.ts";
import { placeOf } from "./login-start.ts";
import { type LoginRequest, loginRequest } from "./requests.ts";
import { redeem } from "./tokens.ts";

/**
 * Plays a login from the entry to the user's claims, as a visitor and a relying party do. A bypass link of the admin API lets the
 * doctor in, so nobody's place is taken; it counts as one admission within the room's limits, and is ended again.
 *
 * @param gateway the admin API, with a key that makes bypass links and ends admissions
 */
export async function checkWholeLogin(issuer: string, client: ClientConfig, gateway: Gateway): Promise<Finding[]> {
  const { clientId, clientSecret, tokenEndpointAuthMethod, rooms, redirectUris } = client;
  const [room, redirectUri] = [rooms[0], redirectUris[0]];
  const hasProof = clientSecret !== null || tokenEndpointAuthMethod === "none";
  if (!hasProof || room === undefined || redirectUri === undefined) {
    const reason = hasProof ? "it has no room" : `its key for ${tokenEndpointAuthMethod} is the site's alone`;
    return [warning(about, `A whole login of ${clientId} is not tried, as ${reason}: log in at the site yourself.`)];
  }
  const browser = createBrowser(issuer);
  const findings: Finding[] = [];
  let sub: string | null = null;
  try {
    const link = await makeLink(gateway, room);
    await openLink(browser, link);
    sub = await visitorOf(browser, gateway, room);
    await enter(browser, issuer, room, link);
    const request = loginRequest(issuer, clientId, redirectUri, { room });
    await redeem(issuer, client, request, await codeFor(browser, issuer, clientId, request));
    findings.push(ok(about, `A whole login of ${clientId} in ${room} goes well.`));
  } catch (error) {
    findings.push(findingOf(error, `A whole login of ${clientId} could not be tried`));
  } finally {
    if (sub !== null) {
      const left = `The admission ${sub} of the trial could not be ended, and ends by its time`;
      await endAdmission(gateway, room, sub).catch((error) => findings.push(findingOf(error, left)));
    }
  }
  return findings;
}

function findingOf(error: unknown, what: string): Finding {
  if (error instanceof Found) return error.finding;
  if (error instanceof CommandError) return warning(about, `${what}: ${error.message}`);
  throw error;
}

async function makeLink(gateway: Gateway, room: string): Promise<string> {
  const body = { note: "usher doctor" };
  const params = { path: { room } };
  const { url } = await askGateway(gateway, (api) => api.POST("/admin/rooms/{room}/bypass", { params, body }));
  return url;
}

/** Opens the link twice, which uses nothing up: the first gives a ticket, and the second has to know it. */
async function openLink(browser: Browser, link: string): Promise<void> {
  const first = answered(await browser.open(link), "A bypass link");
  if (first.status !== 200) {
    const wayOut = "let the proxy send /rooms with its query on to Usher, and the CDN cache nothing there";
    throw new Found("fault", `The page of a new bypass link answered ${first.status}: ${wayOut}.`);
  }
  const ticket = browser.ticket();
  if (ticket === undefined) {
    const wayOut = "let the proxy and the CDN send this header on, or no visitor keeps a place";
    throw new Found("fault", `The page of a bypass link arrives without its ticket in Set-Cookie: ${wayOut}.`);
  }
  answered(await browser.open(link), "A bypass link");
  if (browser.ticket() === ticket) return;
  const wayOut = "let the proxy and the CDN send the header Cookie on, or no visitor keeps a place";
  throw new Found("fault", `Usher does not get the ticket that it has just set: ${wayOut}.`);
}

async function visitorOf(browser: Browser, gateway: Gateway, room: string): Promise<string> {
  const params = { path: { room } };
  const body = { ticket: browser.ticket() ?? "" };
  const { sub } = await askGateway(gateway, (api) => api.POST("/admin/rooms/{room}/visitors/find", { params, body }));
  if (sub !== null) return sub;
  throw new Found("fault", "The gateway of the admin key does not know the ticket: give both the same keys and store.");
}

async function enter(browser: Browser, issuer: string, room: string, link: string): Promise<void> {
  const body = new URLSearchParams({ link: new URL(link).searchParams.get("link") ?? "" });
  const init = { method: "POST", body, headers: { origin: issuer } };
  const { status } = answered(await browser.open(`${issuer}/rooms/${room}/bypass`, init), "The entry");
  if (status === 200 || status === 303) return;
  if (status === 503 || status === 429) {
    const wayOut = "its limit, a full site or the store holds it. Try again when it moves";
    throw new Found(
      "warning",
      `A whole login could not be tried, as ${room} lets nobody in now (${status}): ${wayOut}.`,
    );
  }
  const wayOut = "let the proxy send POST requests with their body and the headers Origin and Cookie on";
  throw new Found("fault", `The entry to ${room} answered ${status}: ${wayOut}.`);
}

async function codeFor(browser: Browser, issuer: string, clientId: string, request: LoginRequest): Promise<string> {
  const { status, headers } = answered(await browser.follow(request.url), "/authorize");
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
  const told = state === request.state ? (searchParams.get("error") ?? "no code") : "another state, or none";
  const wayOut = "let the proxy send the query on unchanged, and compare the client in this file with the gateway's";
  throw new Found("fault", `A login of ${clientId} came back with ${told}: ${wayOut}.`);
}

/** There is none where the entry was refused. @throws CommandError */
async function endAdmission(gateway: Gateway, room: string, sub: string): Promise<void> {
  const params = { path: { room, sub } };
  const body = { status: "completed" as const };
  try {
    await askGateway(gateway, (api) => api.PATCH("/admin/rooms/{room}/admissions/{sub}", { params, body }));
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error;
  }
}
