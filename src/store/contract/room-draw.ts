/**
 * The draw of a room (docs/draw.md). Types only; part of the contract in room-store.ts.
 *
 * A ticket keeps the *number* that its join took of the queue counter. In a prequeue that is an entry number: the draw permutes
 * those among themselves, and makes the ticket's *position* of it. A number in no draw is the position. The store permutes nothing:
 * it fixes the record by which every process, and everybody else, computes the same positions.
 */
import type { Gap } from "./room-facts.ts";

/**
 * `committed`: before and in the prequeue. `closing`: since the opening, while entries are still taken. `closed`: the last number is
 * fixed. `drawn`: so is the order. `cancelled`: the phase went to passthrough or ended before; the numbers are the positions.
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
  /** The draw key that the seed is made of, and what was published of the seed; both "" until a process has committed to one. */
  readonly keyId: string;
  readonly commitment: string;
  /** Whose rounds count, as the commitment said: the configured one may change. Null until then. */
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

/** What is published of the seed of a draw that has none yet: of the one that waits for it, or else of the next one. */
export interface DrawCommitment extends Pick<Draw, "id" | "keyId" | "commitment"> {
  readonly edition: number;
  readonly chain: DrawChain;
}

/** Fixes the order of a closed draw. The caller has checked the seed against the commitment. */
export interface DrawOutcome extends Pick<Draw, "id" | "seed" | "beacon"> {
  readonly edition: number;
}

/** From what a position was drawn. */
export interface DrawnEntry {
  /** The entry number, which the ticket names. */
  readonly number: number;
  /** The id of the draw. */
  readonly draw: number;
}

/** A place as the caller knows it. Without `entry` it knows of no draw with it: the position is the ticket's number. */
export interface PlaceClaimed {
  readonly position: number;
  readonly entry?: DrawnEntry | null;
}
