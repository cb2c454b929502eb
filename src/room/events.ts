import type {
  AdaptiveState,
  AdmissionEnd,
  AdmittedVia,
  ClaimResult,
  Draw,
  Phase,
  PhaseReason,
  RoomEvent,
  RoomSettings,
  StoredSettings,
} from "../store/contract/room-store.ts";
import type { OverLimit } from "./visitor/join-limits.ts";

interface Details {
  "tickets.joined": { count: number };
  "admission.granted": {
    sub: string;
    position: number;
    edition: number;
    via: AdmittedVia;
    isNew: boolean;
    isLogin: boolean;
  };
  /** A visitor was let in without the store, which is away. */
  "admission.away": { sub: string; position: number };
  /** An operator's key made a link that admits a visitor ahead of the line; `note` is the operator's. */
  "bypass.created": { link: string; admin: string; note: string | null; expires_at: string };
  /** The link was used up. */
  "bypass.used": { link: string; sub: string };
  "admission.ended": { sub: string; end: AdmissionEnd };
  /** A site was notified that an admission has ended (back-channel logout). */
  "backchannel_logout.sent": { client: string; sub: string };
  /** It could not be sent; unless `isOver`, it is tried again later. */
  "backchannel_logout.failed": { client: string; sub: string; attempt: number; isOver: boolean; reason: string };
  "claim.refused": { reason: Exclude<ClaimResult["result"], "admitted"> | "recovering" };
  /** A refresh of tokens under a live admission. */
  "admission.renewed": { sub: string };
  "join.refused": { reason: "full" | "closed" | "voided"; count: number };
  /** So many have taken a place from one address that this one has to come again. */
  "join.over_address_limit": { why: OverLimit["why"] };
  /** A visitor was led to the provider at which they sign in, or came back from it. */
  "visitor.sign_in": { outcome: "begun" | "signed_in" | "failed" | "provider_away" | "busy" };
  /** A visitor was asked for the proof of the browser's key that a place is bound to, or showed something for one. */
  "visitor.device": { outcome: "asked" | "proven" | "without" | "stale" | "forged" | "other" };
  /** A visitor was asked for a check, or showed what they did for one. */
  "join.checked": {
    outcome:
      | "asked"
      | "passed"
      | "waited"
      | "unreadable"
      | "forged"
      | "elsewhere"
      | "expired"
      | "wrong"
      | "used"
      | "too_easy"
      | "too_many_waits"
      | "refused"
      | "wrong_host"
      | "let_in"
      | "provider_away"
      | "provider_busy";
  };
  /** A provider of challenges did not answer, or not so that it could be read; at most one report a minute of each. */
  "check.provider_failed": { challenge: string; reason: string; count: number };
  /** Joins over the limit since the last report; at most one report a minute. */
  "joins.limited": { count: number; rate: number; entries: number };
  /** Nobody from the visitor's network may join, by a rule of `address_rules`. `request`: the request's id, which the visitor may quote. */
  "join.network_refused": { rule: string; request: string };
  "place.left": { sub: string };
  /** Carried from one visitor to another. Reported again where the answer was lost and the link is used once more. */
  "place.moved": { from: string; sub: string };
  /** Somebody was asked about a visitor, by an operator's key; never the ticket that was shown. */
  "visitor.looked_up": {
    by: "ticket" | "sub" | "position" | "entry" | "number";
    sub: string | null;
    position: number | null;
    state: string;
    admin: string;
  };
  "room.recovering": { remainingMs: number };
  /** Positions and admissions are given again, whether or not there was anything to bring back. */
  "room.recovery_over": { durationMs: number };
  "room.recovered": { phase: Phase; queued: number; serving: number; holdMs: number };
  /** As synced by this process; every process reports it. */
  "room.phase_changed": { phase: Phase; reason: PhaseReason; before: Phase };
  /** The room is sold out, or no more. As synced by this process; every process reports it. */
  "room.sold_out": { isSoldOut: boolean; remaining: number | null };
  /** A decision of an `adaptive` inlet that changed the rate, as synced by this process; every process reports it. */
  "inlet.adapted": { before: number; adaptive: AdaptiveState };
  /** As synced by this process; every process reports it. */
  "draw.changed": { edition: number; draw: Draw };
  /** Nobody can draw it but a process that has this draw key. */
  "draw.key_unknown": { edition: number; draw: number; key: string };
  "room.admin_step": { step: string; detail: Readonly<Record<string, unknown>>; admin: string };
  "room.settings_changed": { version: number; admin: string };
  /** The head of the admission log, as synced by this process; every process reports it. */
  "log.sealed": { seq: number; hash: string };
  /** Events that this process has seen, oldest first. `line`: the name of the room's line. */
  "events.published": { line: string; events: readonly RoomEvent[] };
  "store.away": { error: unknown };
  "store.back": { awayMs: number };
  /** The file settings in the store became, or are no longer, different from those of this process's file. */
  "settings.drift": { isDrifting: boolean; configured: RoomSettings; stored: RoomSettings };
  /** This process synced the room for the first time, and live changes are in force over the file's values. */
  "settings.live": { settings: StoredSettings };
  /** A refresh failed in a way that is no outage: a fault of the program or of the store. */
  "room.failed": { error: unknown };
}

/** What happens in waiting rooms, each time with the room's id. Listeners log, count and publish; nothing here waits for them. */
export type RoomEvents = { [Name in keyof Details]: [{ readonly room: string } & Details[Name]] };

/** Emits an event of one room. */
export type EmitOfRoom = <Name extends keyof Details>(name: Name, detail: Details[Name]) => void;
