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
export type KnownIncarnation = Seen | string | null;

export function seenOf(known: KnownIncarnation): Seen {
  if (known !== null && typeof known === "object") return known;
  return { incarnation: known ?? "", flowMs: 0, edition: 0, queued: 0 };
}
