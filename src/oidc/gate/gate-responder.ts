import type { Context } from "koa";
import type { HeldClaim, Ticket, WaitingRoom } from "../../room/index.ts";

/** Why a visitor with a place is kept on the waiting page. `entered`: the prequeue. */
export type ParkedState = "entered" | "waiting" | "held" | "paused" | "recovering" | "store_away";

/** A page (or JSON) that is not the waiting page. Its texts belong to the renderer. */
export interface GateNotice {
  readonly status: number;
  readonly code:
    | "cookies_blocked"
    | "ended"
    | "hold_on"
    | "link_preview"
    | "moved"
    | "navigation_required"
    | "not_open"
    | "place_expired"
    | "place_left"
    | "room_full"
    | "ticket_unreadable"
    | "too_many_from_address"
    | "in_use"
    | "too_many_logins"
    | "too_many_restarts"
    | "unknown_room"
    | "unknown_target";
  readonly room: WaitingRoom | null;
  /** Milliseconds after which the page may try again by itself. */
  readonly retryMs?: number;
  /** An authorization request, path and query, that the page's button leads back to. */
  readonly returnTo?: string;
  /** The place that is given up by joining again; null where the ticket could not be read. */
  readonly place?: Pick<Ticket, "edition" | "position" | "entry"> | null;
  /** When the line begins (`not_open`); null when nobody has said. */
  readonly opensAtMs?: number | null;
  /** When people are let in, where that is later (`not_open`). */
  readonly entryAtMs?: number | null;
  /** A link that starts a fresh login at the relying party. */
  readonly restartUri?: string;
}

/** Requests that are no visit by a person take no place. */
export const refusals = {
  // A prefetch that fails is repeated as a navigation when the visitor really comes.
  prefetch: { status: 503, code: "navigation_required" },
  embedded: { status: 403, code: "navigation_required" },
  head: { status: 200, code: "link_preview" },
  preview: { status: 200, code: "link_preview" },
} as const;

/** A visitor with a place who is kept on the waiting page. */
export interface Parked {
  readonly ticket: Ticket;
  readonly state: ParkedState;
  /** Milliseconds after which the page asks again; null: as it does otherwise. */
  readonly retryMs: number | null;
  /** What holds a visitor whose turn it is (`held`). */
  readonly held: HeldClaim | null;
  /** A `Set-Cookie` header to send with the page; null for none. */
  readonly cookie: string | null;
  /** The client that the visitor comes with; undefined for a link. */
  readonly clientId: string | undefined;
}

/** How the gate answers. Implemented where pages live. */
export interface GateResponder {
  parked(ctx: Context, room: WaitingRoom, parked: Parked): void;
  notice(ctx: Context, notice: GateNotice): void;
}
