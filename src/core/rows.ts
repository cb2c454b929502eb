/**
 * Rows of the room's short lists. The embedded store keeps them as objects; Redis as one text, `1:2,3:4`, with the members in
 * the order given here, and scripts number them.
 */
import type { Gap } from "../store/contract/room-facts.ts";

export const columns = {
  Gap: ["from", "to"],
  LogEntry: ["atMs", "count"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type { Gap };

/** Admissions at a time of the flow clock. */
export interface LogEntry {
  atMs: number;
  count: number;
}
