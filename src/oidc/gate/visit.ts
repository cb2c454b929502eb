import type { Context } from "koa";
import type { CheckNeeded } from "../../check/index.ts";
import {
  type EntryVoid,
  type HeldClaim,
  rememberRequest,
  type SeenRequest,
  type Ticket,
  type WaitingRoom,
} from "../../room/index.ts";
import type { DeviceNeeded } from "../device/devices.ts";

/** What a visitor came for: a login that a relying party has begun, or a link to follow. */
export interface EntryRequest {
  /** Names it; the same for every reload. */
  readonly hash: string;
  /** What is recorded of it with the admission: the hash, or more (see `loginOf`). */
  readonly login: string;
  /** Whether the same one is answered any number of times, as a link is; a login is answered once. */
  readonly isRepeatable?: boolean;
  /** Of the client that sent the visitor; absent for a link. */
  readonly clientId?: string;
  /** Where it is asked for, path and query, without our own mark. */
  readonly address: string;
  /** Whether one of our pages sent the visitor to join, so that a missing ticket says nothing. */
  readonly isFreshStart: boolean;
  /** How long the sender of the visitor remembers the request, in milliseconds; null for a link, which never expires. */
  readonly rememberedMs: number | null;
  /** Names the series of requests of which the sender remembers only the newest; absent where each is remembered. */
  readonly series?: string;
  /** Where a fresh one is begun, used verbatim. */
  readonly restartUri: string;
}

/** One visit on its way through the gate. */
export interface Visit {
  readonly ctx: Context;
  readonly request: EntryRequest;
  readonly room: WaitingRoom;
  /** A page of this issuer sent the visitor, not to join: they ought to have a ticket by now. */
  readonly isFromOurPage: boolean;
  /** What the visitor's cookie has to become; null while it may stay as it is. */
  newTicket: Ticket | null;
  /** The place was given just now, and stands in a cookie of its own, too: see visitor-tickets.ts. */
  hasSpare: boolean;
  /** The visitor's cookie is signed with a key that this process does not know, and is left alone. */
  isCookieUnreadable: boolean;
  /** Rooms in which the browser has a place that counts, where it can keep no other; else null. */
  places: readonly WaitingRoom[] | null;
}

/**
 * When a request with no recorded time was made: one that comes from a page of this issuer is older than now, by an
 * unknown time.
 */
export function firstSightMs({ request, isFromOurPage }: Visit, nowMs: number): number {
  return request.isFreshStart || isFromOurPage ? 0 : nowMs;
}

/** The requests of a visitor with this one among them, if its age matters. */
export function withRequest(
  requests: readonly SeenRequest[],
  { hash, rememberedMs, series }: EntryRequest,
  firstSeenMs: number,
): readonly SeenRequest[] {
  return rememberedMs === null ? requests : rememberRequest(requests, hash, firstSeenMs, series);
}

/** Why a visitor with a place is kept on the waiting page. `entered`: the prequeue. */
export type ParkedState = "entered" | "waiting" | "held" | "paused" | "recovering" | "store_away";

/** A visitor who has a place and sees the waiting page. */
export interface Parked {
  readonly ticket: Ticket;
  readonly state: ParkedState;
  /** Milliseconds after which the page asks again; null: as it does otherwise. */
  readonly retryMs: number | null;
  /** What holds a visitor whose turn it is (`held`). */
  readonly held: HeldClaim | null;
  /** `Set-Cookie` headers to send with the page. */
  readonly cookies: readonly string[];
  /** The client that the visitor comes with; undefined for a link. */
  readonly clientId: string | undefined;
}

/** A page (or JSON) that is not the waiting page. Its texts belong to the renderer. */
export interface GateNotice {
  readonly status: number;
  readonly code:
    | "check_required"
    | "cookies_blocked"
    | "device_required"
    | "ended"
    | "entry_voided"
    | "entry_voided_late"
    | "hold_on"
    | "invalid_invitation"
    | "invitation_early"
    | "link_preview"
    | "moved"
    | "navigation_required"
    | "network_refused"
    | "not_open"
    | "other_device"
    | "place_expired"
    | "place_left"
    | "provider_unavailable"
    | "room_full"
    | "sign_in_failed"
    | "sold_out"
    | "ticket_unreadable"
    | "too_many_from_address"
    | "in_use"
    | "too_many_logins"
    | "too_many_places"
    | "too_many_restarts"
    | "uninvited"
    | "unknown_room"
    | "unknown_target";
  readonly room: WaitingRoom | null;
  /** Milliseconds after which the page may try again by itself. */
  readonly retryMs?: number;
  /** An authorization request, path and query, that the page's button leads back to. */
  readonly returnTo?: string;
  /** The place that is given up by joining again; null where the ticket could not be read. */
  readonly place?: Pick<Ticket, "edition" | "position" | "entry"> | null;
  /** When the line begins (`not_open`), or the visitor may join it (`invitation_early`); null when nobody has said. */
  readonly opensAtMs?: number | null;
  /** When people are let in, where that is later (`not_open`). */
  readonly entryAtMs?: number | null;
  /** What the visitor has to do first (`check_required`). */
  readonly check?: CheckNeeded;
  /** The proof that the browser has to show first (`device_required`). */
  readonly device?: DeviceNeeded;
  /** A link that starts a fresh login at the relying party. */
  readonly restartUri?: string;
  /** Why the entry, or one from the visitor's block of addresses, is void (`entry_voided`). */
  readonly voided?: Pick<EntryVoid, "reference" | "reason">;
  /** In which the browser has places, of which the visitor can leave one (`too_many_places`). */
  readonly places?: readonly WaitingRoom[];
  /** Where the organiser sends visitors instead (`not_open`, `ended`). */
  readonly redirect?: string;
}

/** Requests that are no visit by a person take no place. */
export const refusals = {
  // A prefetch that fails is repeated as a navigation when the visitor really comes.
  prefetch: { status: 503, code: "navigation_required" },
  embedded: { status: 403, code: "navigation_required" },
  head: { status: 200, code: "link_preview" },
  preview: { status: 200, code: "link_preview" },
} as const;

/** How the gate answers. Implemented where pages live. */
export interface GateResponder {
  parked(ctx: Context, room: WaitingRoom, parked: Parked): void;
  notice(ctx: Context, notice: GateNotice): void;
}
