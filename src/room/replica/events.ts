/** Events of a room: those that a synced state brings, and the latest, which a recovery may need. */
import { isDeepStrictEqual } from "node:util";
import type { EventsMemory, EventsState, EventText, RoomSettings, RoomState } from "../../store/contract/room-store.ts";
import type { EmitOfRoom } from "../events.ts";

/**
 * Emits what a synced state says that the one before it did not.
 *
 * @param known the state before; null before the first
 * @param own the settings of this process's file
 */
export function reportChanges(emit: EmitOfRoom, known: RoomState | null, state: RoomState, own: RoomSettings): void {
  const { settings, phase, phaseReason: reason, queued, serving, holdRemainingMs, adaptive } = state;
  // Another process's file may say something else; whichever came last is in force everywhere.
  const isDrifting = driftsFrom(own, state);
  if (isDrifting !== (known !== null && driftsFrom(own, known))) {
    emit("settings.drift", { isDrifting, own, stored: settings.file });
  }
  if (known === null && Object.keys(settings.live).length > 0) emit("settings.live", { settings });
  const isRecovered = known === null ? reason === "recovered" : known.incarnation !== state.incarnation;
  if (isRecovered) emit("room.recovered", { phase, queued, serving, holdMs: holdRemainingMs });
  if (known === null) return;
  if (known.phase !== phase) emit("room.phase_changed", { phase, reason, before: known.phase });
  const isSoldOut = state.holds.includes("sold_out");
  if (known.holds.includes("sold_out") !== isSoldOut) emit("room.sold_out", { isSoldOut, remaining: state.stock.left });
  reportDraws(emit, known, state);
  const before = known.adaptive?.ratePerMinute;
  if (before !== undefined && adaptive !== undefined && adaptive.ratePerMinute !== before) {
    emit("inlet.adapted", { before, adaptive });
  }
}

/** Whether other settings of a file are in force than those of this process's file. */
export function driftsFrom(own: RoomSettings, { settings }: RoomState): boolean {
  return !isDeepStrictEqual(settings.file, own);
}

function reportDraws(emit: EmitOfRoom, known: RoomState, { edition, draws }: RoomState): void {
  if (known.draws === draws) return;
  for (const draw of draws) {
    const before = known.edition === edition ? known.draws.find(({ id }) => id === draw.id) : undefined;
    const isNews = before?.stage !== draw.stage || before.commitment !== draw.commitment;
    if (isNews && draw.commitment !== "") emit("draw.changed", { edition, draw });
  }
}

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
