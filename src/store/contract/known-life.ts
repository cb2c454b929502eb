/** What a caller knows of a room's life: by it the store finds out that its data was put back in place. */

/** A life, and the latest that the caller has seen of it. In one life the flow clock, the edition and in it the queue counter only grow. */
export interface Seen {
  readonly life: string;
  readonly flowMs: number;
  readonly edition: number;
  readonly queued: number;
}

/** Null: none. A text: a life of which no state was seen yet. */
export type KnownLife = Seen | string | null;

export function seenOf(known: KnownLife): Seen {
  if (known !== null && typeof known === "object") return known;
  return { life: known ?? "", flowMs: 0, edition: 0, queued: 0 };
}
