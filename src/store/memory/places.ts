import type { KnownPlace } from "../contract/room-store.ts";

/** What the ticket names. */
export function numberOf({ position, entry }: KnownPlace): number {
  return position === 0 ? 0 : (entry?.number ?? position);
}

/** Of what draw the caller has the position; null where it knows of none. */
export function drawIdOf({ entry }: KnownPlace): number | null {
  return entry?.draw ?? null;
}
