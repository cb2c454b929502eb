/**
 * What the gate takes from others: pages to answer with, and the steps before a visit, a join, a claim and a login. The composition
 * root hands the steps in as lists, so neither the gate nor the public API knows a feature by name. A step lets the visitor pass, or
 * says how to answer.
 */
import type { Context } from "koa";
import type { UsherError } from "../../lib/errors.ts";
import type { AddressRule, DeferredClaim, EntryVoid, JoinResult, Ticket, WaitingRoom } from "../../room/index.ts";
import type { CheckNeeded, Presented } from "../check/checks.ts";

/** Why a visitor with a place is kept on the waiting page. `entered`: the prequeue. */
export type ParkedState = "entered" | "waiting" | "held" | "paused" | "recovering" | "store_away";

/** A visitor in line, for whom the waiting page is rendered. */
export interface Parked {
  readonly ticket: Ticket;
  readonly state: ParkedState;
  /** Milliseconds after which the page asks again; null: as it does otherwise. */
  readonly retryMs: number | null;
  /** The limit that defers a visitor whose turn has come (state `held`). */
  readonly deferred: DeferredClaim | null;
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

/** How the gate answers. Implemented in `web/`, where pages are. */
export interface GateResponder {
  parked(ctx: Context, room: WaitingRoom, parked: Parked): void;
  notice(ctx: Context, notice: GateNotice): void;
}

/** The proof of the browser's key that a visitor has to show first, for this nonce. */
export interface DeviceNeeded {
  readonly nonce: string;
  /** Whether a browser that can show none goes on without. */
  readonly isOptional: boolean;
}

/** Why a step lets a visitor go no further. */
export interface Refusal {
  /**
   * The answer to people: a notice, or an address to which they are sent.
   *
   * @param address what the visitor came for, path and query
   */
  page(address: string): RefusalPage;
  /** The answer to programs. */
  error(): UsherError;
}

export type RefusalPage = (
  | { readonly redirect: string }
  | Pick<GateNotice, "status" | "code" | "check" | "device" | "opensAtMs" | "place" | "returnTo">
) & {
  /** Whether the browser keeps the time of arrival, because the visitor has no place yet. */
  readonly stampsArrival?: boolean;
  /** Whether the ticket that the visitor would get now is withheld. */
  readonly withholdsTicket?: boolean;
};

type Awaitable<T> = T | Promise<T>;

/** A visit, before the browser's ticket is read. */
export interface Arrival {
  readonly ctx: Context;
  readonly room: WaitingRoom;
  /**
   * A parameter of the request; null where it has none of that name. `plain` is the request's address without it, null where it stands in no
   * address (a pushed request).
   */
  parameter(name: string): { readonly value: string; readonly plain: string | null } | null;
}

/** A join, before a place is given. Steps change what may be changed. */
export interface JoinAttempt {
  readonly ctx: Context;
  readonly room: WaitingRoom;
  /** What a program sends with its join for a check; undefined for a browser, which has cookies. */
  readonly readPresented: (() => Promise<Presented>) | undefined;
  /** The room's rule for the network that the request comes from. */
  readonly rule: AddressRule | null;
  /** A ticket of the visitor whose place is void: they stay the same visitor. */
  previous: Ticket | null;
  /** Names of the visitor's key, which has one place; null: a place without a key. */
  names: readonly string[] | null;
  /** Whether later steps ask nothing: of the crowd of a rehearsal. */
  isExempt: boolean;
  /** The address under which the join is counted; null: it is not counted. */
  clientAddress: () => string | null;
  /** What the new ticket says besides; null: nothing. */
  additions: Pick<Ticket, "device"> | null;
  /** Called once it is known whether the visitor has joined. */
  readonly onSettled: ((hasJoined: boolean) => void)[];
}

/** A claim without a login, of a page that stays loaded or of an app. */
export interface ClaimAttempt {
  readonly ctx: Context;
  readonly room: WaitingRoom;
  readonly ticket: Ticket;
  readonly isApp: boolean;
}

/** A claim with a login, or with a token of an app. */
export interface LoginAttempt {
  readonly ctx: Context;
  readonly room: WaitingRoom;
  /** `silent`: a relying party asks in the visitor's name (`prompt=none`), and no page is shown. */
  readonly by: "page" | "silent" | "app";
  /** What the visitor came for, path and query; "" for an app. */
  readonly address: string;
  ticket: Ticket;
  /** What the login's grant carries, for requests of the relying party, which have no cookies. */
  readonly grant: Record<string, string>;
}

/** The lists of steps. Each is run in order; most rooms use none of them, and then a step costs nothing. */
export interface GateSteps {
  /** Undefined: the visit goes on. */
  readonly beforeVisit: readonly ((arrival: Arrival) => Awaitable<"answered" | undefined>)[];
  /** `enough`: no further step is run. */
  readonly beforeJoin: readonly ((join: JoinAttempt) => Awaitable<Refusal | "enough" | null>)[];
  /** Throws the UsherError that answers a claim that may not be made. */
  readonly beforeClaim: readonly ((claim: ClaimAttempt) => Awaitable<void>)[];
  readonly beforeLogin: readonly ((login: LoginAttempt) => Awaitable<Refusal | null>)[];
  /** Identifies a visitor who needs no place, by the name of their key; undefined for a new visitor. */
  readonly identify: (ctx: Context, room: WaitingRoom) => Refusal | { readonly name: string | undefined };
}

/**
 * Gives the visitor of a request the next position, unless a step or a limit refuses it.
 *
 * @param previous a ticket of the visitor whose place is void
 * @param arrivedMs when the visitor came, by the clock of a process
 * @param readPresented reads what a program sends for a check; called only if one is needed
 */
export type JoinOf = (
  ctx: Context,
  room: WaitingRoom,
  previous: Ticket | null,
  arrivedMs: number,
  readPresented?: () => Promise<Presented>,
) => Promise<JoinResult | { readonly result: "step"; readonly refusal: Refusal }>;
