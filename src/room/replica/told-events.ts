import type { EventsMemory, EventsState, EventText } from "../../store/contract/room-store.ts";

/** As many as a memory may have. */
const rowsMax = 200;

/** The latest events of a room that this process has seen: should the store lose them, it brings them back. */
export class ToldEvents {
  /** Number of the last one; -1 before the first sync. */
  last = -1;
  readonly #rows: EventText[] = [];

  learn(rows: readonly EventText[], state: EventsState): void {
    for (const row of rows) if (row.seq > this.last) this.#rows.push(row);
    this.#rows.splice(0, Math.max(0, this.#rows.length - rowsMax));
    this.last = Math.max(this.last, rows.at(-1)?.seq ?? (this.last < 0 ? state.last : this.last));
  }

  recall(state: EventsState): EventsMemory {
    return { ...state, rows: this.#rows };
  }
}
