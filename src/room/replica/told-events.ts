import type { EventsMemory, EventsState, EventText } from "../../store/contract/room-store.ts";

/** As many as a memory may have. */
const rowsMax = 200;
/** As many as a first sync brings; where it brings fewer, there are no others. */
const firstRows = 100;

/** The latest events of a room that this process has seen: should the store lose them, it brings them back. */
export class ToldEvents {
  /** Number of the last one; -1 before the first sync. */
  last = -1;
  readonly #rows: EventText[] = [];
  /** All behind this number are among the rows. */
  #from = 0;

  learn(rows: readonly EventText[], state: EventsState): void {
    if (this.last < 0 && rows.length >= firstRows) this.#from = (rows[0]?.seq ?? 1) - 1;
    for (const row of rows) if (row.seq > this.last) this.#rows.push(row);
    const dropped = this.#rows.splice(0, Math.max(0, this.#rows.length - rowsMax));
    this.#from = dropped.at(-1)?.seq ?? this.#from;
    this.last = Math.max(this.last, rows.at(-1)?.seq ?? (this.last < 0 ? state.last : this.last));
  }

  recall(state: EventsState): EventsMemory {
    return { ...state, rows: this.#rows, from: this.#from };
  }
}
