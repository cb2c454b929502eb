/** What is found out about a visitor who asks for help: how it stands, and why. */
import type { Admission, AdmissionEnd, AdmittedVia, HoldReason } from "../../store/contract/room-store.ts";
import type { WaitEstimate } from "../line.ts";
import type { PlaceState, PlaceStatus } from "../visitor/place-status.ts";

/**
 * As on the visitor's own page, but that some of what is `expired` there is told apart: `left`, given up or logged out; `moved`, carried
 * to another browser. `unknown`: nothing that this process can ask knows it.
 */
export const visitorStates = [
  "entered",
  "waiting",
  "served",
  "admitted",
  "expired",
  "left",
  "moved",
  "unknown",
] as const satisfies readonly (PlaceState | "left" | "moved" | "unknown")[];
export type VisitorState = (typeof visitorStates)[number];

interface OfAdmission {
  readonly via: AdmittedVia;
  readonly admittedAtMs: number;
}

/**
 * Why. Members end in the unit: `Ms` is a point in time by the store's wall clock, `Sec` a number of seconds.
 *
 * - `in_line`: `lowSec` and `highSec` are null where nothing can be estimated.
 * - `turn`: nothing holds the visitor back. `held_*`: something does, for so long at most.
 * - `passed_by`: of a bare number: its turn has passed. Only the ticket says whether its visitor has entered, left, or was too late.
 * - `beyond_known`: the ticket is of a later edition, or a later number, than the store knows.
 */
export type Reason =
  | ({
      code: "admitted" | "logins_used_up";
      expiresAtMs: number;
      logins: number | null;
      loginsMax: number;
    } & OfAdmission)
  | ({ code: "admission_ended"; end: AdmissionEnd | null; expiresAtMs: number | null } & OfAdmission)
  | { code: "in_line"; ahead: number; lowSec: number | null; highSec: number | null }
  | { code: "turn"; reservedForSec: number | null }
  | { code: "held_by_limit"; ready: number; limitPerMinute: number; waitSec: number; reservedForSec: number | null }
  | { code: "held_by_capacity"; live: number; maxActive: number; reservedForSec: number | null }
  | { code: "held_after_loss"; waitSec: number }
  | { code: "paused"; by: HoldReason; sinceMs: number | null }
  | { code: "recovering" | "store_away" | "room_ended" | "everybody_passes" | "left" | "no_place" | "no_admission" }
  | { code: "draw_to_come" | "not_open"; opensAtMs: number | null }
  | { code: "claim_expired"; expiredAtMs: number | null; claimWithinSec: number }
  | { code: "reset" | "beyond_known"; ticketEdition: number; edition: number }
  | { code: "entry_voided"; reference: string; because: string; voidedAtMs: number }
  | { code: "moved"; movedAtMs: number | null }
  | { code: "not_handed_out"; last: number }
  | { code: "nobodys_place" | "not_drawn" | "not_an_entry" | "passed_by" }
  | { code: "other_room"; otherRoom: string }
  | { code: "unknown_key" };
export type ReasonCode = Reason["code"];

/** In order of time. */
export interface VisitorEvent {
  readonly event: "arrived" | "joined" | "served" | "expired" | "moved" | "admitted" | "ended";
  /** Now, in milliseconds; null where nobody has noted it. */
  readonly atMs: number | null;
  /** Or reckoned from a clock that stands still in a pause: then it was at that time or, if the room was paused since, earlier. */
  readonly isExact: boolean;
  readonly detail: AdmittedVia | AdmissionEnd | null;
}

export interface Finding {
  readonly state: VisitorState;
  /** What it may be as well, since nothing that was asked knows better. */
  readonly mayAlsoBe: readonly VisitorState[];
  readonly reason: Reason;
  readonly sub: string | null;
  /** As the visitor's own page has it; null where no place is known. */
  readonly place: PlaceStatus | null;
  /** Of the place. */
  readonly edition: number | null;
  readonly admission: Admission | null;
  readonly history: readonly VisitorEvent[];
}

/** Nothing but a reason. */
export function nothingFound(reason: Reason, sub: string | null = null): Finding {
  return {
    state: "unknown",
    mayAlsoBe: [],
    reason,
    sub,
    place: null,
    edition: null,
    admission: null,
    history: [],
  };
}

export function waitOf(estimate: WaitEstimate | null) {
  return { lowSec: estimate?.low ?? null, highSec: estimate?.high ?? null };
}
