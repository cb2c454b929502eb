/** Entries of a draw that are voided by the block of addresses that they came from. Types only; part of the contract in room-store.ts. */
import type { Gap } from "./room-facts.ts";

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
