/** How the doctor gets in without a place in the line, and out again. */

import { redirectOf } from "../../../lib/openid/login-request.ts";
import { type Answer, isSameAnswer } from "../ask.ts";
import { answered, Found, type Trial } from "./trial.ts";

/**
 * Lets the browser in by a bypass link, so nobody's place is taken; it counts as one admission within the room's limits.
 *
 * @param play gets the `sub` of the visitor; their admission is ended after it, however it ends
 * @param failed hears why it could not be ended
 * @throws Found, Untried
 */
export async function whileIn(
  trial: Trial,
  play: (sub: string) => Promise<void>,
  failed: (error: unknown, sub: string) => void,
): Promise<void> {
  const link = await makeLink(trial);
  await openLink(trial, link);
  const sub = await visitorOf(trial);
  try {
    await enter(trial, link);
    await play(sub);
  } finally {
    await trial.insider.endAdmission(trial.room, sub).catch((error) => failed(error, sub));
  }
}

async function makeLink({ insider, room, issuer }: Trial): Promise<string> {
  const url = await insider.makeLink(room);
  if (URL.canParse(url) && new URL(url).origin === issuer) return url;
  const to = URL.canParse(url) ? new URL(url).origin : "no address";
  const wayOut = "name the admin API of this installation with --url or --context";
  throw new Found("fault", `A bypass link of ${insider.name} leads to ${to}, and not to ${issuer}: ${wayOut}.`);
}

/** Opens the link twice, which uses nothing up: the first gives a ticket, and the second has to know it. */
async function openLink(trial: Trial, link: string): Promise<void> {
  const { browser, issuer } = trial;
  const first = answered(await browser.open(link), "A bypass link");
  await refuseSignIn(trial, first, link);
  if (first.status !== 200) {
    const wayOut = "let the proxy send /rooms with its query on to Usher, and the CDN cache nothing there";
    throw new Found("fault", `The page of a new bypass link answered ${first.status}: ${wayOut}.`);
  }
  const ticket = browser.ticket(issuer);
  if (ticket === undefined) {
    const wayOut = "let the proxy and the CDN send this header on, or no visitor keeps a place";
    throw new Found("fault", `The page of a bypass link arrives without its ticket in Set-Cookie: ${wayOut}.`);
  }
  const second = answered(await browser.open(link), "A bypass link");
  if (isSameAnswer(first, second)) {
    const wayOut = "let the proxy and the CDN cache nothing of it, or visitors get each other's places";
    throw new Found("fault", `The page of a bypass link arrives from a cache when it is opened again: ${wayOut}.`);
  }
  if (browser.ticket(issuer) === ticket) return;
  const wayOut = "let the proxy and the CDN send the header Cookie on, or no visitor keeps a place";
  throw new Found("fault", `Usher does not get the ticket that it has just set: ${wayOut}.`);
}

/** Visitors of a room with `identity` sign in before anything else, which the doctor can't: it sees that they get as far as the provider. */
async function refuseSignIn(
  { browser, issuer, room }: Trial,
  { status, headers }: Answer,
  link: string,
): Promise<void> {
  const start = redirectOf(status, headers.get("location"), link);
  if (start?.origin !== issuer || start.pathname !== `/rooms/${room}/identity/start`) return;
  const opened = answered(await browser.open(start.href), "The sign-in of visitors");
  const provider = redirectOf(opened.status, opened.headers.get("location"), start.href);
  if (provider === null || provider.origin === issuer) {
    const wayOut = "read the gateway's log, and let the proxy send the header Location on as it is";
    throw new Found(
      "fault",
      `The sign-in of visitors of ${room} answers ${opened.status}, and leads to no provider: ${wayOut}.`,
    );
  }
  const reason = `its visitors sign in at ${provider.origin} first, and get there`;
  throw new Found("warning", `A whole login in ${room} is not tried, as ${reason}: log in at the site yourself.`);
}

async function visitorOf({ browser, insider, room, issuer }: Trial): Promise<string> {
  const sub = await insider.visitorOf(room, browser.ticket(issuer) ?? "");
  if (sub !== null) return sub;
  throw new Found("fault", "The gateway of the admin key does not know the ticket: give both the same keys and store.");
}

async function enter({ browser, issuer, room }: Trial, link: string): Promise<void> {
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
