/**
 * Programs that wait at the address of a site, which they ask for again and again, where a feature has words for them: they take a place with
 * their first request, and keep its ticket in a cookie of the site.
 */
import type { Context } from "koa";
import type { Refusal } from "../../lib/described-route.ts";
import { fetchSiteOf, isPartOfPage, requestKindOf } from "../../lib/request.ts";
import type { WaitingRoom } from "../../room/index.ts";
import { originOf } from "../middleware/cross-origin.ts";
import type { RoomSites } from "../room-sites.ts";
import { entryErrors } from "../visitor/claim.ts";
import { toRetryAfter } from "../visitor/pages/parked-page.ts";
import { placeErrors } from "../visitor/place-for-program.ts";
import type { Programs, SiteAnswer, SiteCookie } from "../visitor/programs.ts";
import type { OriginalRequest } from "./original-request.ts";

/** What a program may be told besides. */
const told = [...placeErrors, ...entryErrors, "ticket_unreadable", "room_recovering"] as const;
export const programErrors: readonly Refusal[] = [
  ...new Set(told.map((refusal) => (typeof refusal === "string" ? refusal : refusal[0]))),
].map((code) => [code, 401]);

interface AtSite {
  readonly room: WaitingRoom;
  readonly original: OriginalRequest;
  readonly sites: RoomSites;
  readonly ticket: SiteCookie;
  readonly enter: string;
}

/** Null for a request that may not wait there, or is of no program that a feature knows. */
export async function askProgramsAtSite(
  programs: Programs,
  ctx: Context,
  { room, original, sites, ticket, enter }: AtSite,
) {
  const ofRoom = programs.get(room.id);
  if (ofRoom === undefined || !mayTakePlace(ctx, original, sites)) return null;
  return ofRoom.atSite({ ctx, room, ticket, enter });
}

/** Not what was made ahead of a person's wish, nor a picture of a page; and no page of another site takes places from its visitors' addresses. */
function mayTakePlace({ headers }: Context, { method, authority }: OriginalRequest, sites: RoomSites): boolean {
  const kind = requestKindOf(method, headers);
  if (kind === "head" || kind === "prefetch" || kind === "preview" || isPartOfPage(headers)) return false;
  if (fetchSiteOf(headers) === "cross-site") return false;
  const origin = originOf(headers);
  if (origin === undefined) return true;
  const isOwn = URL.canParse(origin) && new URL(origin).host === authority;
  return isOwn || sites.allowedOrigins.includes(origin);
}

/** Proxies take any status of 2xx for consent: so it stands in a header, and they are told to send it. */
export function tellProgram(ctx: Context, { id }: WaitingRoom, answer: SiteAnswer, isBodyDropped: boolean): void {
  const json = JSON.stringify(answer.body);
  ctx.status = 401;
  ctx.set("WWW-Authenticate", `Bearer realm="${id}"`);
  ctx.set("X-Usher-Status", String(answer.status));
  if (answer.retryMs !== null) ctx.set("Retry-After", toRetryAfter(answer.retryMs));
  if (isBodyDropped) ctx.set("X-Usher-Body", asciiJson(json));
  ctx.type = "json";
  ctx.body = json;
}

/** As a header can have it (RFC 9110, section 5.5). */
function asciiJson(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
