import type { Context } from "koa";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import type {
  AdmissionTokens,
  Checks,
  CookieBound,
  Devices,
  GateEntry,
  GateSteps,
  Identities,
  JoinOf,
  KeyedEntries,
  VisitorCookies,
} from "../../oidc/index.ts";
import * as tickets from "../../oidc/index.ts";
import {
  type Admission,
  type AwayAdmission,
  type BypassLinks,
  type MoveLinks,
  type Ticket,
  type WaitingRoom,
  type WaitingRooms,
  withoutPlace,
} from "../../room/index.ts";
import type { RoomSitesOf } from "../room-sites.ts";
import type { JoinAddress } from "./joining.ts";
import type { PageResponder } from "./pages/page-responder.ts";
import type { Programs } from "./programs.ts";

/** What the routes of one issuer's visitors are made of. */
export interface VisitorParts {
  readonly issuer: string;
  /** The issuer's own. */
  readonly rooms: WaitingRooms;
  readonly sitesOf: RoomSitesOf;
  readonly cookies: VisitorCookies;
  readonly cookieBound: CookieBound;
  readonly entry: GateEntry;
  readonly tokens: AdmissionTokens;
  readonly bypassLinks: BypassLinks;
  readonly moveLinks: MoveLinks;
  readonly join: JoinOf;
  readonly steps: GateSteps;
  readonly keyedEntries: KeyedEntries;
  readonly identities: Identities;
  readonly devices: Devices;
  readonly joinAddressOf: JoinAddress;
  readonly checks: Checks;
  readonly responder: PageResponder;
  /** Ways from a link to a site beside the admission token, by their names: features add theirs before the first request. */
  readonly handOvers: Map<string, HandOver>;
  /** What features have for programs that wait in a room, by its id: they add theirs before the first request. */
  readonly programs: Programs;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * A way to hand visitors over to a site at the end of a link, which names it: `hand_over=NAME.KEY`.
 *
 * @param key what the link says behind the name: letters of `a` to `z`, digits and hyphens
 * @returns null where this key leads from no such room
 */
export type HandOver = (key: string, room: WaitingRoom) => ((arrived: HandedOver) => void) | null;

/** A visitor who has been let in, and is to be sent to a site. */
export interface HandedOver {
  readonly ctx: Context;
  readonly room: WaitingRoom;
  readonly admission: Admission | AwayAdmission;
  /** One of the room's targets. */
  readonly target: string;
  /** Of the link itself, path and query: it leads here again. */
  readonly address: string;
}

/** The ticket in the visitor's cookie. */
export function readTicket({ req }: Context, room: WaitingRoom, cookies: VisitorCookies) {
  return tickets.readTicket(cookies, room, req);
}

export function keepTicket({ res }: Context, room: WaitingRoom, cookies: VisitorCookies, ticket: Ticket): void {
  tickets.keepTicket(cookies, room, res, ticket);
}

/** Instead of whatever place this browser has. */
export function keepAlone({ req, res }: Context, room: WaitingRoom, cookies: VisitorCookies, ticket: Ticket) {
  tickets.keepTicket(cookies, room, res, ticket);
  tickets.forgetSpares(cookies, room, { req, res });
}

/** Gives up all that the browser with this ticket has in the room: its places, and the admission. */
export async function leaveRoom(ctx: Context, room: WaitingRoom, cookies: VisitorCookies, ticket: Ticket) {
  const { surplus } = tickets.readTickets(cookies, room, ctx.req);
  await room.leave(ticket);
  await Promise.all(surplus.map((each) => room.leavePlace(each)));
  keepAlone(ctx, room, cookies, withoutPlace(ticket));
}
