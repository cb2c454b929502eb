import type { EventEmitter } from "node:events";
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../lib/clock.ts";
import type { RoomChanges, RoomSettings, RoomState } from "../../store/contract/room-store.ts";
import type { RoomEvents } from "../events.ts";
import type { RoomReplica } from "./room-replica.ts";

/** Takes in the synced changes of a room, and emits events for them. */
export class StateFeed {
  readonly #room: string;
  readonly #replica: RoomReplica;
  readonly #fileSettings: RoomSettings;
  readonly #clock: Clock;
  readonly #events: EventEmitter<RoomEvents>;
  #cursor = 0;
  #syncedMs = 0;
  #isDrifting = false;

  constructor(
    room: string,
    parts: { replica: RoomReplica; fileSettings: RoomSettings; clock: Clock; events: EventEmitter<RoomEvents> },
  ) {
    this.#room = room;
    this.#replica = parts.replica;
    this.#fileSettings = parts.fileSettings;
    this.#clock = parts.clock;
    this.#events = parts.events;
  }

  /** Where to go on asking for changed admissions. */
  get cursor(): number {
    return this.#cursor;
  }

  /** When the state was synced last, by this process's clock, in milliseconds. */
  get syncedMs(): number {
    return this.#syncedMs;
  }

  /**
   * Answers whether there is more to ask for at once. An answer that a later one has overtaken counts for nothing; changes
   * are asked for from where the later one ended.
   */
  sync(changes: RoomChanges): boolean {
    const { state } = changes;
    const known = this.#replica.state;
    if (!this.#replica.learnState(state)) return false;
    this.#replica.learnAdmissions(changes.admissions);
    this.#replica.learnMoves(state.edition, changes.moves);
    this.#replica.forgetAdmissions();
    this.#syncedMs = this.#clock.now();
    this.#watchDrift(state);
    if (known === null && Object.keys(state.settings.live).length > 0) {
      this.#events.emit("settings.live", { room: this.#room, settings: state.settings });
    }
    const isNewIncarnation = known !== null && known.incarnation !== state.incarnation;
    const isForgotten = known === null && state.phaseReason === "recovered";
    if (isNewIncarnation || isForgotten) {
      const { phase, queued, serving, holdRemainingMs } = state;
      this.#events.emit("room.recovered", { room: this.#room, phase, queued, serving, holdMs: holdRemainingMs });
    }
    if (known !== null && known.phase !== state.phase) {
      const { phase, phaseReason: reason } = state;
      this.#events.emit("room.phase_changed", { room: this.#room, phase, reason, before: known.phase });
    }
    this.#reportDraws(known, state);
    const before = known?.adaptive?.ratePerMinute;
    if (before !== undefined && state.adaptive !== undefined && state.adaptive.ratePerMinute !== before) {
      this.#events.emit("inlet.adapted", { room: this.#room, before, adaptive: state.adaptive });
    }
    // A new incarnation counts its changes anew.
    this.#cursor = isNewIncarnation ? 0 : changes.cursor;
    return isNewIncarnation || changes.more;
  }

  #reportDraws(known: RoomState | null, state: RoomState): void {
    if (known === null || known.draws === state.draws) return;
    for (const draw of state.draws) {
      const before = known.edition === state.edition ? known.draws.find(({ id }) => id === draw.id) : undefined;
      const isNews = before?.stage !== draw.stage || before.commitment !== draw.commitment;
      if (isNews && draw.commitment !== "") {
        this.#events.emit("draw.changed", { room: this.#room, edition: state.edition, draw });
      }
    }
  }

  /** Another process's file may say something else; whichever came last is in force everywhere. */
  #watchDrift(state: RoomState): void {
    const isDrifting = !isDeepStrictEqual(state.settings.file, this.#fileSettings);
    if (isDrifting === this.#isDrifting) return;
    this.#isDrifting = isDrifting;
    const [own, stored] = [this.#fileSettings, state.settings.file];
    this.#events.emit("settings.drift", { room: this.#room, isDrifting, own, stored });
  }
}
