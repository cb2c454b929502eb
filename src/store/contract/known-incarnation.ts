/** What a caller knows of a room's incarnation: by it the store finds out that its data was put back in place. */

/** A incarnation, and the latest that the caller has seen of it. In one incarnation the flow clock, the edition and in it the queue counter only grow. */
export interface Seen {
  readonly incarnation: string;
  readonly flowMs: number;
  readonly edition: number;
  readonly queued: number;
}

/** Null: none. A text: a incarnation of which no state was seen yet. */
export type KnownIncarnation = Seen | string | null;

export function seenOf(known: KnownIncarnation): Seen {
  if (known !== null && typeof known === "object") return known;
  return { incarnation: known ?? "", flowMs: 0, edition: 0, queued: 0 };
}
