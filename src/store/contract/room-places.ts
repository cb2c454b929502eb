/**
 * Places in a room: joins, draws (docs/draw.md), voided entries, and the facts that states and logs share. Types only; part of the contract in
 * room-store.ts.
 */

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

// The draw of a room (docs/draw.md).
//
// A ticket keeps the *number* that its join took of the queue counter. In a prequeue that is an entry number: the draw permutes
// those among themselves, and makes the ticket's *position* of it. A number in no draw is the position. The store permutes nothing:
// it fixes the record by which every process, and everybody else, computes the same positions.

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

// Entries of a draw that are voided by the block of addresses that they came from.

/** Entries that an operator has voided, in public. */
export interface EntryVoid {
  /** Names it; made by the caller, the same when it is asked again. */
  readonly reference: string;
  /** The id of the draw. */
  readonly draw: number;
  /** Public. */
  readonly reason: string;
  /** Keyed hashes of addresses and networks, `blockLength` characters each. */
  readonly blocks: readonly string[];
  readonly atMs: number;
  /** When it was taken back; 0: it was not. */
  readonly restoredMs: number;
  /** The entries that it took out, ascending. Another void may have some of them, too. */
  readonly numbers: readonly Gap[];
}

export interface VoidRequest extends Pick<EntryVoid, "reference" | "draw" | "reason" | "blocks"> {
  readonly edition: number;
  /** What the caller has found of these blocks among the entries up to `through`; the store looks for those behind. */
  readonly numbers: readonly Gap[];
  readonly through: number;
}

/**
 * - `voided`: now, or by an earlier request of this reference.
 * - `conflict`: the reference is that of another void.
 * - `closed`: no entries are taken any more, or of another draw.
 * - `behind`: so many entries came since `through` that the caller has to look for them.
 * - `too_many`: the draw would have more voids, blocks or stretches of numbers than are kept.
 */
export type VoidAnswer =
  | { readonly result: "voided"; readonly void: EntryVoid }
  | { readonly result: "conflict" | "closed" | "behind" | "too_many" };

export interface RestoreRequest {
  readonly edition: number;
  readonly reference: string;
}

/** `restored`: now or before. `closed`: no entries are taken any more: what takes part is fixed. `unknown`: there is no such void. */
export type RestoreAnswer =
  | { readonly result: "restored"; readonly void: EntryVoid }
  | { readonly result: "closed" | "unknown" };

/** Blocks of entries as they are kept. */
export interface EntryBlocksPage {
  /** The id of the draw that they are of; 0: none are kept. */
  readonly draw: number;
  readonly edition: number;
  /** Number of the first row. */
  readonly first: number;
  /** One row for each number: the hash of the address and that of its network; other characters where they are not known. */
  readonly rows: string;
  /** The queue counter. */
  readonly queued: number;
}

// Joins, and places of which each key has one: what processes ask and remember.

export interface JoinRange {
  readonly edition: number;
  /** First and last number of the range. `last - first + 1` is the count that was asked for, unless there is a refusal. */
  readonly first: number;
  readonly last: number;
  /**
   * Why fewer, or none, were handed out: `full` (`maxWaiting` is reached), `closed` (the phase has no line: idle, ended,
   * passthrough; none are handed out), `voided` (some come from a block of addresses whose entries are voided; none are handed out:
   * the caller asks again without them).
   */
  readonly refusal: "full" | "closed" | "voided" | null;
  /** The indexes of those that come from a voided block, among those who join. */
  readonly voided: readonly number[];
  /** The join time of these places, on the claim clock. */
  readonly joinedMs: number;
  readonly serving: number;
}

/** A key that joins. */
export interface KeyedJoin {
  /** What the key may be known by, 22 characters each: by the newest ticket key first. At least one. */
  readonly names: readonly string[];
  /** The key's place as the caller knows it: of one that was drawn, the store does not know the position. Absent: it knows none. */
  readonly place?: PlaceClaimed | null;
}

export interface KeyedJoins {
  /** What a visitor's `sub` is, up to the name of the key. */
  readonly prefix: string;
  /** 1…500, each key once. */
  readonly keys: readonly KeyedJoin[];
}

/** As a join answers it for those that got a new place, and the place of each key. */
export interface KeyedRange extends JoinRange {
  /** In the order of the keys. `number` 0: none was given, and `refusal` says why. */
  readonly places: readonly (KeyedNumber & { readonly joinedMs: number })[];
}

/** The number of a key's place. */
export interface KeyedNumber {
  readonly name: string;
  readonly number: number;
  /** It was given because an earlier one of the edition was over. */
  readonly isAgain: boolean;
}

export interface KeyPage {
  readonly edition: number;
  readonly keys: readonly KeyedNumber[];
}
