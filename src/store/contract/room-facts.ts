/** What states, draws and the admission log of a room speak of alike. Types only; part of the contract in room-store.ts. */

/** Positions `from`…`to` (both inclusive) that were never handed out and are skipped without cost. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** What has happened in a room since its state was made; they only grow, but `noShows`, which is corrected downwards. */
export interface RoomCounts {
  readonly joined: number;
  /** New admissions by the line, and by phases without one. */
  readonly entered: number;
  readonly passed: number;
  /** New admissions by bypass links. */
  readonly bypassed: number;
  /** Ends of admissions. `loggedOut`: by a logout or by leaving. */
  readonly completed: number;
  readonly abandoned: number;
  readonly loggedOut: number;
  readonly revoked: number;
  readonly expired: number;
  /** Places that were handed out, served, and neither claimed nor left in time. One that comes late after all is taken off. */
  readonly noShows: number;
  /** Places that were given up. */
  readonly left: number;
}

/** `queue`: by the line. `bypass`: by a bypass link. The others: by a phase without a line. */
export type AdmittedVia = "queue" | "bypass" | "passthrough" | "idle" | "ended";

/**
 * An incarnation, and the latest that the caller has seen of it: by that the store finds out that its data was put back in place. Within
 * one incarnation the flow clock, the edition and in it the queue counter only grow.
 */
export interface Seen {
  readonly incarnation: string;
  readonly flowMs: number;
  readonly edition: number;
  readonly queued: number;
}

/** Null: none. A text: one of which no state was seen yet. */
export type SeenIncarnation = Seen | string | null;

/** `revoked`: by an operator. A lapse, and the end of the idle phase, are `expired`. */
export type AdmissionEnd = "expired" | "logout" | "completed" | "abandoned" | "revoked";
