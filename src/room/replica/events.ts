/** Events of a room: those that a synced state brings, and the latest, which a recovery may need. */
import { isDeepStrictEqual } from "node:util";
import type { EventsMemory, EventsState, EventText, RoomSettings, RoomState } from "../../store/contract/room-store.ts";
import type { EmitOfRoom } from "../events.ts";

/**
 * Emits what a synced state says that the one before it did not.
 *
 * @param earlier the state before; null before the first
 * @param configured the settings of this process's file
 */
export function reportChanges(
  emit: EmitOfRoom,
  earlier: RoomState | null,
  state: RoomState,
  configured: RoomSettings,
): void {
  const { settings, phase, phaseReason: reason, queued, serving, holdRemainingMs, adaptive } = state;
  // Another process's file may say something else; whichever came last is in force everywhere.
  const isDrifting = driftsFrom(configured, state);
  if (isDrifting !== (earlier !== null && driftsFrom(configured, earlier))) {
    emit("settings.drift", { isDrifting, configured, stored: settings.file });
  }
  if (earlier === null && Object.keys(settings.live).length > 0) emit("settings.live", { settings });
  const isRecovered = earlier === null ? reason === "recovered" : earlier.incarnation !== state.incarnation;
  if (isRecovered) emit("room.recovered", { phase, queued, serving, holdMs: holdRemainingMs });
  if (earlier === null) return;
  if (earlier.phase !== phase) emit("room.phase_changed", { phase, reason, before: earlier.phase });
  const isSoldOut = state.holds.includes("sold_out");
  if (earlier.holds.includes("sold_out") !== isSoldOut)
    emit("room.sold_out", { isSoldOut, remaining: state.stock.left });
  reportDraws(emit, earlier, state);
  const before = earlier.adaptive?.ratePerMinute;
  if (before !== undefined && adaptive !== undefined && adaptive.ratePerMinute !== before) {
    emit("inlet.adapted", { before, adaptive });
  }
}

/** Whether other settings of a file are in force than those of this process's file. */
export function driftsFrom(configured: RoomSettings, { settings }: RoomState): boolean {
  return !isDeepStrictEqual(settings.file, configured);
}

function reportDraws(emit: EmitOfRoom, earlier: RoomState, { edition, draws }: RoomState): void {
  if (earlier.draws === draws) return;
  for (const draw of draws) {
    const before = earlier.edition === edition ? earlier.draws.find(({ id }) => id === draw.id) : undefined;
    const isNews = before?.stage !== draw.stage || before.commitment !== draw.commitment;
    if (isNews && draw.commitment !== "") emit("draw.changed", { edition, draw });
  }
}

/** As many as a memory may have. */
const rowsMax = 200;
/** As many as one sync brings; where it brings fewer, there are no others. */
const rowsOfSync = 100;

/** The latest events of a room that this process has seen: should the store lose them, it brings them back. */
export class RememberedEvents {
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
