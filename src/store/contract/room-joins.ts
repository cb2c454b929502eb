/** Joins, and places of which each key has one: what processes ask and remember. Types only; part of the contract in room-store.ts. */
import type { PlaceClaimed } from "./room-draw.ts";

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
