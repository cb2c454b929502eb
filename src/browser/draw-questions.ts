/** What the page of a draw asks its checker, and what it answers. */

/** The record is what the server answered, of whatever shape. */
export type Question =
  | { kind: "place"; record: unknown; draw: number; number: number }
  | { kind: "all"; record: unknown; draw: number; receipt: string };

/** Keys of `draw.checks` in the locale. */
export type CheckedThing = "record" | "seal" | "numbers" | "beacon" | "order" | "receipt";

export type Answer =
  /** Null: the number is not in the draw. */
  | { kind: "place"; place: number | null }
  /** The details are in English, sentence by sentence, of what is not simply right. */
  | { kind: "check"; thing: CheckedThing; outcome: "ok" | "warning" | "failed"; detail: string }
  | { kind: "done" };
