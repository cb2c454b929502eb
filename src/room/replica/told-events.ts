import type { EventsMemory, EventsState, EventText } from "../../store/contract/room-store.ts";

/** As many as a memory may have. */
const rowsMax = 200;
/** As many as one sync brings; where it brings fewer, there are no others. */
const rowsOfSync = 100;

/** The latest events of a room that this process has seen: should the store lose them, it brings them back. */
export class ToldEvents {
  /** Number of the last one; -1 before the first sync. */
  last = -1;
  readonly #rows: EventText[] = [];
  /** All behind this number are among the rows. */
  #from = 0;

  learn(rows: readonly EventText[], state: EventsState): void {
    if (this.last < 0 && rows.length >= rowsOfSync) this.#from = (rows[0]?.seq ?? 1) - 1;
    for (const row of rows) if (row.seq > this.last) this.#rows.push(row);
    const dropped = this.#rows.splice(0, Math.max(0, this.#rows.length - rowsMax));
    this.#from = dropped.at(-1)?.seq ?? this.#from;
    // Fewer than might have come are all that there are, and numbers may go on behind the last of them.
    const through = rows.length < rowsOfSync ? state.last : (rows.at(-1)?.seq ?? 0);
    this.last = Math.max(this.last, through);
  }

  recall(state: EventsState): EventsMemory {
    return { ...state, rows: this.#rows, from: this.#from };
  }
}
