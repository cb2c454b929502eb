/**
 * The events of a room, and of the installation, as a store keeps them and hands them to webhooks. Types only; part of the contract in
 * room-store.ts.
 *
 * Each room has a stream of its own, in which a change is told by the operation that makes it. What is of no room is in the stream of
 * the installation. A stream has its last 10,000 events, and 1,000 dead letters of all webhooks together.
 */
import type { AdmissionEnd, AdmittedVia } from "./room-places.ts";
import type { HoldReason, Phase, PhaseReason } from "./room-settings.ts";

/** A row of events as it is kept; core/events/events.ts says how it is written. */
export interface EventText {
  readonly seq: number;
  readonly text: string;
}

/** What processes sync of a room's events with its state, so that a recovery tells nothing anew. */
export interface EventsState {
  /** Number of the last event; 0 for none. */
  readonly last: number;
  /** What was told last of phase, holds and edition; and of draws. */
  readonly told: string;
  readonly toldDraws: string;
}

/** What a process remembers of a room's events, oldest first, at most 200. */
export interface EventsMemory extends EventsState {
  readonly rows: readonly EventText[];
  /** All with a number above this one, up to the last, are in `rows`. Absent: an earlier build does not say. */
  readonly from?: number;
}

interface EventHeader {
  /** The place in the stream. Grows from event to event. */
  readonly seq: number;
  /** The same whenever the event is told; unique in the stream. */
  readonly id: string;
  readonly atMs: number;
}

export type RoomEvent = EventHeader &
  (
    | {
        readonly kind: "phase";
        readonly edition: number;
        readonly phase: Phase;
        readonly reason: PhaseReason;
        /** Null for the first. */
        readonly before: { readonly phase: Phase; readonly reason: PhaseReason } | null;
      }
    | { readonly kind: "hold"; readonly hold: HoldReason; readonly isSet: boolean }
    | { readonly kind: "edition"; readonly edition: number; readonly before: number }
    /** Settings as JSON. */
    | { readonly kind: "settings"; readonly version: number; readonly before: string; readonly after: string }
    | { readonly kind: "sold_out"; readonly isSoldOut: boolean; readonly hasReturns: boolean }
    | { readonly kind: "full"; readonly isFull: boolean }
    /** Whether many were refused a place in the minute that has just ended, and how many. */
    | {
        readonly kind: "refusals";
        readonly isMany: boolean;
        readonly joined: number;
        readonly refused: { readonly rate: number; readonly entries: number; readonly network: number };
      }
    | {
        readonly kind: "draw";
        readonly edition: number;
        readonly draw: number;
        readonly stage: string;
        readonly first: number;
        readonly last: number;
        readonly commitment: string;
        readonly seed: string;
      }
    | { readonly kind: "log_sealed"; readonly head: { readonly seq: number; readonly hash: string } }
    | { readonly kind: "recovered"; readonly queued: number; readonly serving: number }
    | { readonly kind: "figures"; readonly figures: EventFigures }
    | {
        readonly kind: "admission";
        readonly sub: string;
        readonly edition: number;
        readonly position: number;
        readonly via: AdmittedVia;
      }
    | { readonly kind: "admission_ended"; readonly sub: string; readonly end: AdmissionEnd }
    | { readonly kind: "other"; readonly json: string }
  );

/** Once a minute. */
export interface EventFigures {
  readonly edition: number;
  readonly phase: Phase;
  readonly queued: number;
  readonly serving: number;
  readonly waiting: number;
  readonly readyToEnter: number;
  readonly absent: number;
  readonly liveAdmissions: number;
  readonly outflowPerMinute: number;
  readonly limitPerMinute: number | null;
  readonly joined: number;
  readonly entered: number;
  readonly passed: number;
  readonly bypassed: number;
  readonly noShows: number;
  readonly left: number;
}

/** Events behind a number, oldest first. */
export interface EventPage {
  /** Number of the last event there is; 0 for none. */
  readonly last: number;
  readonly events: readonly RoomEvent[];
}

/** A request for what a webhook is to be sent next of a stream. */
export interface DeliveryRequest {
  /** Id of the webhook. */
  readonly webhook: string;
  /** The process that asks. */
  readonly holder: string;
  /** Where a webhook begins that has taken nothing of this stream: a number as events have them. */
  readonly from: number;
  readonly limit: number;
}

/**
 * - `taken`: the caller alone sends these for now, in order, and settles each within 15 s of the store's clock.
 * - `busy`: another process does so. `waiting`: the event in front is not tried again before.
 * - `done`: there is nothing behind `cursor`.
 */
export type Delivery =
  | {
      readonly result: "taken";
      readonly events: readonly RoomEvent[];
      /** How often the first of them was tried. */
      readonly attempts: number;
      /** The stream has forgotten events behind this number, up to the first of these, before they were taken; null: none. */
      readonly missedAfter: number | null;
      readonly nowMs: number;
    }
  | { readonly result: "busy" | "waiting"; readonly waitMs: number }
  | { readonly result: "done"; readonly cursor: number };

/** What became of an event: it was accepted (or is not for the webhook); refused; given up. Or the caller takes no more. */
export type Settlement =
  | { readonly outcome: "delivered"; readonly through: number }
  | { readonly outcome: "failed"; readonly retryMs: number }
  /** `letter`: what is kept of it, as JSON. */
  | { readonly outcome: "given_up"; readonly through: number; readonly letter: string }
  | { readonly outcome: "released" };

/** A dead letter: `text` is the JSON that it was given up with. */
export interface DeadLetter {
  readonly seq: number;
  readonly text: string;
}

/** Of the installation: an event as JSON, and the version of what it tells. */
export interface OtherEvents {
  /** What tells them, such as a registry, whose events each process may tell: those up to the last version that was told count no more. */
  readonly source: string | null;
  readonly events: readonly { readonly version: number; readonly atMs: number; readonly json: string }[];
  /** Of a source that has noted more than it keeps: what was before the first of these may never have been told. */
  readonly isCut?: boolean;
  readonly memory?: OthersMemory;
}

/** What a process knows of the numbers of events of the installation: what is told now gets higher ones than `last`. */
export interface OthersMemory {
  /** It has all above this one, up to `last`. Absent: it brings nothing back. */
  readonly from?: number;
  readonly last: number;
}

/** The events of a store. Each operation is atomic. Each throws `StoreUnavailableError` when the store does not answer. */
export interface EventStore {
  /** The line of what is of no room. No room's has such a name. */
  readonly installation: string;
  /** Events behind `after`, at most `limit` (1…1,000). Changes nothing. */
  read(line: string, after: number, limit: number): Promise<EventPage>;
  /** Events before a number, the latest first, at most `limit` (1…1,000). Changes nothing. */
  readBefore(line: string, before: number, limit: number): Promise<readonly RoomEvent[]>;
  /** Tells events of the installation; one that is there already, with its time and JSON, is not told again. */
  publish(others: OtherEvents): Promise<void>;
  take(line: string, request: DeliveryRequest): Promise<Delivery>;
  /** Answers whether the caller still had the lease; else nothing has changed. */
  settle(line: string, webhook: string, holder: string, settlement: Settlement): Promise<boolean>;
  /** Dead letters of all webhooks behind a number, oldest first. */
  deadLetters(line: string, after: number, limit: number): Promise<readonly DeadLetter[]>;
  /** Answers whether it was there. */
  removeDeadLetter(line: string, seq: number): Promise<boolean>;
  /** The webhook is no more. */
  forgetWebhook(line: string, webhook: string): Promise<void>;
}
