/** What was done and what happened in a room, as one list: rows of the audit, and events. */
import type { AdminAnswers } from "../../../client/index.ts";

export type Row = AdminAnswers["AuditRow"];
export type RoomEvent = AdminAnswers["Event"];

export type Entry = { readonly key: string; readonly atMs: number } & (
  | { readonly kind: "act"; readonly row: Row }
  | { readonly kind: "event"; readonly event: RoomEvent }
);

/** What was read of one of the two, the latest first. */
export interface Source<Item> {
  readonly items: readonly Item[];
  /** Where older ones go on; null where there are none. */
  readonly cursor: string | null;
}

export interface Sources {
  readonly acts: Source<Row>;
  readonly events: Source<RoomEvent>;
}

/** Told at once, they are the same thing. */
const togetherMs = 1_000;
/** A row of the audit is written behind the change that its event tells. */
const behindMs = 3_000;

/** The latest first, and back to where both are known: further back, one of the two would be missing. */
export function entriesOf({ acts, events }: Sources): Entry[] {
  const rows = acts.items.map((row): Entry => ({ kind: "act", key: `act ${row.seq}`, atMs: Date.parse(row.at), row }));
  const listed = events.items
    .filter((event) => !isSaidByAnother(event, events.items, acts.items))
    .map((event): Entry => ({ kind: "event", key: `event ${event.id}`, atMs: Date.parse(event.time), event }));
  const horizonMs = Math.max(
    horizonOf(acts, ({ at }) => at),
    horizonOf(events, ({ time }) => time),
  );
  return [...rows, ...listed].filter(({ atMs }) => atMs >= horizonMs).sort((a, b) => b.atMs - a.atMs);
}

function horizonOf<Item>({ items, cursor }: Source<Item>, timeOf: (item: Item) => string): number {
  const oldest = items[items.length - 1];
  return cursor === null || oldest === undefined ? Number.NEGATIVE_INFINITY : Date.parse(timeOf(oldest));
}

/** A hold that changed the phase is told by the phase; settings that somebody changed, by the audit, which says who. */
function isSaidByAnother({ type, time }: RoomEvent, events: readonly RoomEvent[], rows: readonly Row[]): boolean {
  const atMs = Date.parse(time);
  if (type.startsWith("usher.room.hold_")) {
    return events.some(
      (other) => other.type === "usher.room.phase_changed" && Math.abs(Date.parse(other.time) - atMs) <= togetherMs,
    );
  }
  if (type !== "usher.room.settings_changed") return false;
  return rows.some(
    ({ at, error, changes }) => error === null && changes.length > 0 && Math.abs(Date.parse(at) - atMs) <= behindMs,
  );
}

/** With what came since. Where that is more than one answer holds, the list begins anew. */
export function withLatest<Item>(
  previous: Source<Item> | null,
  latest: Source<Item>,
  keyOf: (item: Item) => string | number,
): Source<Item> {
  if (previous === null) return latest;
  const keys = new Set(previous.items.map(keyOf));
  const fresh = latest.items.filter((item) => !keys.has(keyOf(item)));
  const isGap = previous.items.length > 0 && fresh.length === latest.items.length && latest.cursor !== null;
  return isGap ? latest : { items: [...fresh, ...previous.items], cursor: previous.cursor };
}

export function withOlder<Item>(loaded: Source<Item>, older: Source<Item>): Source<Item> {
  return { items: [...loaded.items, ...older.items], cursor: older.cursor };
}

/** Which of the two is to be read further back, so that the list gets longer; null at its end. */
export function shorterOf({ acts, events }: Sources): "acts" | "events" | null {
  const actsMs = horizonOf(acts, ({ at }) => at);
  const eventsMs = horizonOf(events, ({ time }) => time);
  if (acts.cursor === null && events.cursor === null) return null;
  if (acts.cursor === null) return "events";
  return events.cursor === null || actsMs >= eventsMs ? "acts" : "events";
}
