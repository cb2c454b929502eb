import type { EventStore } from "../../store/contract/room-store.ts";
import type { CloudEvent } from "./cloud-event.ts";
import type { EventHub } from "./event-hub.ts";
import { isAmong } from "./event-types.ts";

export interface PastEventsWanted {
  /** Types, or beginnings of types; null for all. */
  readonly types: readonly string[] | null;
  /** Those before this number, as the page before told it; null for the latest. */
  readonly before: number | null;
  readonly limit: number;
}

export interface PastEventsPage {
  /** The latest first. */
  readonly events: readonly CloudEvent[];
  /** Where the next page goes on; null for the last. */
  readonly before: number | null;
}

export interface PastEvents {
  /** What has happened in a room. @throws StoreUnavailableError */
  read(room: string, wanted: PastEventsWanted): Promise<PastEventsPage>;
}

const rowsPerRead = 500;
/** Reads for one page: where few of many events are wanted it may be short and not the last. */
const readsMax = 5;

/** The events that the store keeps, backwards and in pages. */
export function createPastEvents({ hub, store }: { readonly hub: EventHub; readonly store: EventStore }): PastEvents {
  return {
    async read(room, { types, before, limit }) {
      const line = hub.lines.find((candidate) => candidate.room === room);
      const events: CloudEvent[] = [];
      if (line === undefined) return { events, before: null };
      let from = before ?? Number.MAX_SAFE_INTEGER;
      for (let read = 0; read < readsMax; read++) {
        const rows = await store.readBefore(line.name, from, rowsPerRead);
        for (const row of rows) {
          from = row.seq;
          const event = hub.asCloudEvent(line, row);
          if (types === null || isAmong(event.type, types)) events.push(event);
          if (events.length === limit) return { events, before: from };
        }
        if (rows.length < rowsPerRead) return { events, before: null };
      }
      return { events, before: from };
    },
  };
}
