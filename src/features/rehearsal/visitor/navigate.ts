import { redirectOf } from "../../../lib/openid/login-request.ts";
import type { PaceJson, PollGuidance } from "../../../room/public-status/status.ts";
import type { Lead, StartedEntry } from "./ways.ts";
import type { WebAnswer } from "./web.ts";
import { askAs, noteAdmission, noteJoin, type Visitor, type World } from "./world.ts";

/** More than a login has, with the site's own. */
const redirectsMax = 15;
/** As long as a browser's user has patience. */
const timeoutMs = 30_000;

/** Where a visitor stands after the address bar was used, or a page asked for itself. */
export type Landing =
  | { readonly at: "in" }
  | { readonly at: "waiting"; readonly url: URL; readonly page: WaitingPage }
  | { readonly at: "notice"; readonly url: URL; readonly code: string; readonly retryMs: number | null }
  /** Already recorded in the tally; worth a retry. */
  | { readonly at: "failure" }
  /** A fresh login is to be begun. */
  | { readonly at: "anew" }
  | { readonly at: "nowhere"; readonly reason: string };

/** @param from the page of the waiting room that asks for itself again; null for the address bar */
export async function navigate(
  visitor: Visitor,
  world: World,
  started: StartedEntry,
  to: URL,
  from: URL | null,
): Promise<Landing> {
  const { stage, way, tally } = world;
  let url = to;
  for (let hops = 0; hops < redirectsMax; hops++) {
    const isIssuer = url.origin === stage.issuer;
    const answer = await askAs(visitor, world, url, { headers: headersOf(isIssuer ? from : null), timeoutMs });
    if (typeof answer === "string") {
      if (isIssuer && !visitor.hasJoined) tally.unansweredJoins++;
      tally.fail(isIssuer ? "page" : "site", answer);
      return { at: "failure" };
    }
    const next = redirectOf(answer.status, answer.headers.location, url.href);
    if (next === null) return isIssuer ? landAtUsher(visitor, world, url, answer) : landAtSite(visitor, world, answer);
    const lead = way.lead(next, started);
    noteHop(visitor, world, isIssuer, lead, answer.tookMs);
    if (lead.to === "nowhere") return { at: "nowhere", reason: lead.reason };
    if (lead.to === "anew") return { at: "anew" };
    if (lead.to === "in" && !lead.isFollowed)
      return (await redeem(world, started, lead.code)) ? { at: "in" } : { at: "failure" };
    url = next;
  }
  return { at: "nowhere", reason: `more than ${redirectsMax} redirects` };
}

/** As browsers say it: pages of Usher's own look at it. */
function headersOf(from: URL | null): Record<string, string> {
  return {
    accept: "text/html,application/xhtml+xml",
    "accept-language": "en",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
    "sec-fetch-site": from === null ? "none" : "same-origin",
    ...(from !== null && { referer: from.href }),
  };
}

function noteHop(visitor: Visitor, world: World, isIssuer: boolean, lead: Lead, tookMs: number): void {
  const isNew = !visitor.hasJoined;
  if (lead.to === "in") {
    // In an empty line, the same request takes a place and enters.
    if (world.hasLine()) noteJoin(visitor, world);
    noteAdmission(visitor, world);
  }
  const ofUsher = lead.to === "in" ? (isNew && visitor.hasJoined ? "join" : "enter") : "page";
  world.tally.took(isIssuer ? ofUsher : "site", tookMs);
}

function landAtUsher(visitor: Visitor, world: World, url: URL, { status, text, tookMs }: WebAnswer): Landing {
  const { stage, tally } = world;
  const page = readUsherPage(text);
  const isWaiting = page?.kind === "waiting";
  tally.took(isWaiting && !visitor.hasJoined ? "join" : "page", tookMs);
  if (page === null) {
    if (status >= 500 && !visitor.hasJoined) tally.unansweredJoins++;
    tally.fail("page", status === 200 ? "200 without a page of Usher" : String(status));
    return { at: "failure" };
  }
  if (!isWaiting) return { at: "notice", url, code: page.code, retryMs: page.retryMs };
  if (page.room !== stage.room) return { at: "nowhere", reason: `page of the room ${page.room.slice(0, 32)}` };
  noteJoin(visitor, world);
  notePlace(visitor, world, page);
  return { at: "waiting", url, page };
}

/** A reload, another tab or another process must not change the place; only a draw and a reset do. */
function notePlace(visitor: Visitor, { tally }: World, { edition, position, isUndrawn }: WaitingPage): void {
  const { place } = visitor;
  const isComparable = place !== null && place.edition === edition && place.isUndrawn === isUndrawn;
  if (isComparable && place.position !== position) tally.lostPlaces++;
  visitor.place = { edition, position, isUndrawn };
}

function landAtSite(visitor: Visitor, { tally }: World, { status, tookMs }: WebAnswer): Landing {
  tally.took("site", tookMs);
  if (status < 200 || status >= 300) {
    tally.fail("site", String(status));
    return { at: "failure" };
  }
  if (!visitor.isAdmitted) return { at: "nowhere", reason: "the site shows its page to visitors who are not in" };
  tally.logins++;
  return { at: "in" };
}

/** Redeems a code, as the site would (RFC 6749, section 4.1.3). Without a secret the code is left to lapse. */
async function redeem(world: World, { login }: StartedEntry, code: string | null): Promise<boolean> {
  const { stage, tokenRequest, tally, web } = world;
  if (tokenRequest === null || login === null || code === null) {
    tally.logins++;
    return true;
  }
  const fields = { code, redirect_uri: login.redirectUri, code_verifier: login.verifier };
  const { headers, body } = await tokenRequest(fields);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const answer = await web.ask(new URL(`${stage.issuer}/token`), {
    method: "POST",
    headers: { ...form, ...headers },
    body: body.toString(),
    timeoutMs,
  });
  if (typeof answer === "string") {
    tally.fail("token", answer);
    return false;
  }
  tally.took("token", answer.tookMs);
  const isGood = answer.status === 200 && answer.text.includes('"id_token"');
  if (isGood) tally.logins++;
  else tally.fail("token", String(answer.status));
  return isGood;
}

/** A page of the waiting room, as its own script reads it. */
type UsherPage =
  | ({ readonly kind: "waiting" } & WaitingPage)
  | { readonly kind: "notice"; readonly code: string; readonly retryMs: number | null };

export interface WaitingPage {
  readonly room: string;
  readonly edition: number;
  readonly position: number;
  readonly ahead: number;
  readonly state: string;
  /** The position is an entry number, until the place is drawn. */
  readonly isUndrawn: boolean;
  readonly retryMs: number;
  readonly poll: PollGuidance;
  readonly pace: PaceJson | null;
}

/** Null for anything else. */
export function readUsherPage(html: string): UsherPage | null {
  const data = dataOf(/<main\b([^>]*)>/.exec(html)?.[1] ?? "");
  const { notice, room, position, edition, state } = data;
  if (notice !== undefined) {
    return { kind: "notice", code: notice, retryMs: data["retry-ms"] === undefined ? null : Number(data["retry-ms"]) };
  }
  const live = readLive(/<script\b[^>]*\bid="live"[^>]*>([^<]*)</.exec(html)?.[1] ?? "");
  if (room === undefined || live === null) return null;
  return {
    kind: "waiting",
    room,
    edition: Number(edition),
    position: Number(position),
    ahead: Number(data.ahead) || 0,
    state: state ?? "waiting",
    isUndrawn: data.draw === "undrawn",
    retryMs: Number(data["retry-ms"]) || 1_000,
    poll: live.poll,
    pace: live.pace,
  };
}

function dataOf(attributes: string): Record<string, string | undefined> {
  return Object.fromEntries(
    [...attributes.matchAll(/\bdata-([a-z-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
}

interface LivePart {
  readonly poll: PollGuidance;
  readonly pace: PaceJson | null;
}

function readLive(text: string): LivePart | null {
  try {
    const live = JSON.parse(text) as Partial<LivePart>;
    return live.poll === undefined ? null : { pace: null, ...live, poll: live.poll };
  } catch {
    return null;
  }
}
