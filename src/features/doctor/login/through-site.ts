import type { ClientConfig } from "../../../config/index.ts";
import { type Finding, fault, ok } from "../../../lib/finding.ts";
import { placeOf } from "../../../lib/openid/login-request.ts";
import { type ClientKeys, tokenRequestOf } from "../../../lib/openid/token-request.ts";
import { followAtHost, type WayEnd } from "../ask.ts";
import { whileIn } from "./admission.ts";
import { createBrowser } from "./browser.ts";
import { isSpent } from "./tokens.ts";
import { Found, findingsOf, type Insider, leftBehind, type Trial } from "./trial.ts";

const about = "site";

/** Clients that begin or end their logins at a site. */
export function clientsAt({ origin }: URL, clients: readonly ClientConfig[]): readonly ClientConfig[] {
  return clients.filter(({ redirectUris, initiateLoginUri }) =>
    [initiateLoginUri, ...redirectUris].some((uri) => URL.canParse(uri) && new URL(uri).origin === origin),
  );
}

/**
 * A page as its site has it: where it leads to, if that is where clients are, such as from http to https or to another of its names.
 * Until then nothing is asked but its own host. A fault where no client is at the site.
 */
export async function pageOfSite(page: URL, clients: readonly ClientConfig[]): Promise<URL | Finding> {
  const isAtClients = (at: URL) => clientsAt(at, clients).length > 0;
  if (isAtClients(page)) return page;
  const end = await followAtHost(page.href, isAtClients);
  const to = typeof end === "string" ? null : end.to;
  if (to !== null && isAtClients(to)) return to;
  const leads = to === null ? "" : `, which leads to ${to.origin}`;
  const wayOut = "name a page of a site whose redirect_uris or initiate_login_uri begin so";
  return fault(about, `No client of the file is at ${page.origin}${leads}: ${wayOut}.`);
}

/**
 * Plays a login from a page of a protected site, by its real relying party, to that page. Nothing is asked but of the issuer, of that
 * site and of the hosts of the clients' redirect URIs.
 *
 * @param clients those at the site
 */
export async function checkThroughSite(
  site: URL,
  issuer: string,
  clients: readonly ClientConfig[],
  insider: Insider,
  keys: ClientKeys,
): Promise<Finding[]> {
  const callbacks = clients.flatMap(({ redirectUris }) => redirectUris.filter((uri) => URL.canParse(uri)));
  const browser = createBrowser([site.origin, issuer, ...callbacks.map((uri) => new URL(uri).origin)]);
  const isLogin = (to: URL) => to.origin === issuer && to.pathname === "/authorize";

  return findingsOf(`A login through ${site.href}`, async (findings) => {
    const request = loginOf(await follow(site.href), site, issuer, clients);
    const trial: Trial = { browser, issuer, room: request.room, insider };
    const play = async () => {
      const callback = callbackOf(await browser.follow(request.url.href, (to) => to.origin !== issuer), request);
      const end = await follow(callback.href);
      if (end.answer.status >= 400 || (end.to !== null && isLogin(end.to))) {
        throw found("fault", await refusalAt(end, callback, request));
      }
      const again = await follow(site.href);
      if (again.to !== null && isLogin(again.to)) throw found("fault", forgets(site));
      findings.push(ok(about, `A login through ${site.href} goes well, as ${request.client.clientId}.`));
    };
    await whileIn(trial, play, (error, sub) => findings.push(leftBehind(error, sub)));
  });

  async function follow(url: string): Promise<WayEnd> {
    const end = await browser.follow(url, isLogin);
    if (typeof end !== "string") return end;
    throw found(
      "fault",
      `${placeOf(url)} does not answer (${end}): start the site and the proxy before it, and see that it goes round in no circle.`,
    );
  }

  /** Why the site refused a login that Usher answered. The code tells it, where PKCE does not bind it to the site. */
  async function refusalAt({ answer, to }: WayEnd, callback: URL, { client, url }: SiteLogin): Promise<string> {
    const { clientId } = client;
    const outcome = to === null ? `answers ${answer.status}` : "begins another login";
    const refusal = `The site ${outcome} to a login of ${clientId} that Usher has answered`;
    const tokenRequest = url.searchParams.has("code_challenge") ? null : tokenRequestOf(issuer, client, keys);
    const code = callback.searchParams.get("code") ?? "";
    const spent = tokenRequest === null ? null : await isSpent(issuer, tokenRequest, code, placeOf(callback.href));
    if (spent === true) {
      return `${refusal}, after it has redeemed the code: compare its issuer and its clock, and read its log.`;
    }
    const giveIt = `give the site the secret or key that this file has for ${clientId}`;
    const reach = `let it reach ${issuer}/token`;
    if (spent === false || /invalid_client/.test(answer.text)) {
      return `${refusal}, as it has the wrong secret or key, or none of Usher's answers: ${giveIt}, and ${reach}.`;
    }
    const log = "the gateway's log says oidc.token_refused where the secret is the cause";
    return `${refusal}: ${giveIt} if it has another (${log}), ${reach}, and read the site's log.`;
  }
}

interface SiteLogin {
  readonly url: URL;
  readonly client: ClientConfig;
  readonly room: string;
}

/** The authorization request that a site sends a visitor with. @throws Found */
function loginOf({ answer, to }: WayEnd, site: URL, issuer: string, clients: readonly ClientConfig[]): SiteLogin {
  if (to === null) {
    const wayOut = "name an address that is protected, and see that the site begins a login there";
    throw found("fault", `${site.href} answers ${answer.status} without a login: ${wayOut}.`);
  }
  if (to.origin !== issuer) {
    const wayOut = `set ${issuer} as the issuer there, or register the host's redirect URI`;
    throw found("fault", `${site.href} sends a visitor to ${to.origin}, and not to ${issuer}: ${wayOut}.`);
  }
  const id = to.searchParams.get("client_id");
  const client = clients.find(({ clientId }) => clientId === id);
  if (client === undefined) {
    const expected = clients.map(({ clientId }) => clientId).join(" or ");
    throw found("fault", `The site logs in as ${id ?? "no client"}: set its client_id to ${expected}.`);
  }
  const redirectUri = to.searchParams.get("redirect_uri");
  if (redirectUri !== null && !client.redirectUris.includes(redirectUri)) {
    throw found("fault", `The site logs in with the redirect URI ${redirectUri}: register exactly that one for ${id}.`);
  }
  if (to.searchParams.get("response_mode") === "form_post") {
    throw found("warning", `A login through ${site.href} is not tried, as its answer is a form: log in yourself.`);
  }
  const room = to.searchParams.get("room") ?? client.rooms[0];
  if (room !== undefined && client.rooms.includes(room)) return { url: to, client, room };
  throw found("fault", `The site logs in to the room ${room ?? "of no name"}: add it to the rooms of ${id}.`);
}

/** Where Usher sends the visitor who is in. @throws Found */
function callbackOf(end: WayEnd | string, { client: { clientId } }: SiteLogin): URL {
  const outcome = typeof end === "string" ? end : String(end.answer.status);
  if (typeof end === "string" || end.to === null) {
    const wayOut = "let the proxy send Set-Cookie, Cookie and the query on, and the CDN cache nothing";
    throw found(
      "fault",
      `A visitor who is in stays at a page of Usher (${outcome}) in a login of ${clientId}: ${wayOut}.`,
    );
  }
  const { searchParams, hash } = end.to;
  if (searchParams.has("code")) return end.to;
  // The answer to a request of another flow is in the fragment.
  const error = searchParams.get("error") ?? new URLSearchParams(hash.slice(1)).get("error") ?? "no code";
  throw found(
    "fault",
    `Usher answers the site's login of ${clientId} with ${error}: compare its settings with the guide.`,
  );
}

function forgets(site: URL): string {
  const wayOut = "see that its session cookie is sent on, fits its address, and is short enough for the proxy";
  return `The site forgets a login at once, and begins another at ${site.href}: ${wayOut}.`;
}

function found(status: "fault" | "warning", text: string): Found {
  return new Found(status, text, about);
}
