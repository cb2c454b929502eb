/**
 * The draw of a room (docs/draw.md). Types only; part of the contract in room-store.ts.
 *
 * Every join takes the next *number* of the queue counter, and a ticket keeps it. The numbers handed out in a prequeue are
 * entry numbers: at the opening they are permuted among themselves, and a ticket's *position* is what the draw makes of its
 * number. Of numbers in no draw the position is the number. The store permutes nothing: it fixes the record by which
 * every process, and everybody else, computes the same positions.
 */
import type { Gap } from "./room-facts.ts";

/**
 * `committed`: before and in the prequeue. `closing`: since the opening, while entries are still taken. `closed`: the last
 * number is fixed. `drawn`: so is the order. `cancelled`: everybody was let in, or the event ended, before that; the
 * numbers are the positions.
 */
export type DrawStage = "committed" | "closing" | "closed" | "drawn" | "cancelled";

/** A round of the public beacon; all in lower-case hex but the number. */
export interface BeaconValue {
  readonly round: number;
  readonly signature: string;
  readonly randomness: string;
}

/** The chain of a public beacon: hexadecimal texts, times in seconds. */
export interface DrawChain {
  readonly hash: string;
  readonly publicKey: string;
  readonly genesisSec: number;
  readonly periodSec: number;
}

export interface Draw {
  /** 1, 2, …: the draws of an edition in order. */
  readonly id: number;
  readonly stage: DrawStage;
  /** The draw key of which the seed is made, and what was published of the seed; both "" until a process has committed to one. */
  readonly keyId: string;
  readonly commitment: string;
  /** Whose rounds count, as it was laid down with the commitment: what processes are told to use may change. Null until then. */
  readonly chain: DrawChain | null;
  /** Whether a public beacon is mixed in; as the settings were when the prequeue began. */
  readonly usesBeacon: boolean;
  /** The first entry number; 0 before the prequeue. */
  readonly first: number;
  /** The last one; 0 until closed, and `first` - 1 where nobody has entered. */
  readonly last: number;
  /** Numbers from first to last that nobody holds. Empty until closed. */
  readonly gaps: readonly Gap[];
  /** Now (ms) up to when entries are taken; 0 before the opening. */
  readonly closesMs: number;
  /** In lower-case hex; "" until drawn. */
  readonly seed: string;
  /** Null until drawn; without a beacon; and where it was not to be had in time. */
  readonly beacon: BeaconValue | null;
}

/** Records what is published of the seed of a draw that has none yet. */
export interface DrawCommitment {
  readonly edition: number;
  /** Of the draw that waits for it, or else of the next one. */
  readonly id: number;
  readonly keyId: string;
  readonly commitment: string;
  readonly chain: DrawChain;
}

/** Fixes the order of a closed draw. */
export interface DrawOutcome {
  readonly edition: number;
  readonly id: number;
  /** Lower-case hex; the caller has checked it against the commitment. */
  readonly seed: string;
  /** Null: none is used, or it was not to be had in time. */
  readonly beacon: BeaconValue | null;
}

/** From what a position was drawn. */
export interface DrawnEntry {
  /** The entry number, which the ticket names. */
  readonly number: number;
  /** The id of the draw. */
  readonly draw: number;
}

/** A place as the caller knows it. Without `entry` it knows of no draw with it: the position is the ticket's number. */
export interface KnownPlace {
  readonly position: number;
  readonly entry?: DrawnEntry | null;
}
