import type { EventEmitter } from "node:events";
import { UsherError } from "../../lib/errors.ts";
import type {
  AdminStep,
  RoomSettings,
  RoomSettingsPatch,
  RoomStore,
  StepAnswer,
} from "../../store/contract/room-store.ts";
import type { RoomEvents } from "../events.ts";
import { isInterruption } from "../replica/interruptions.ts";
import type { RoomReplica } from "../replica/room-replica.ts";
import type { RoomSync } from "../replica/room-sync.ts";

/** Each null where nothing is said of it. `errorRate` is a fraction. */
export interface SiteLoad {
  readonly latencyMs: number | null;
  readonly errorRate: number | null;
  readonly signal: "on" | "off" | null;
}

export interface RoomOperationsParts {
  readonly id: string;
  readonly store: RoomStore;
  readonly events: EventEmitter<RoomEvents>;
  readonly sync: RoomSync;
  readonly replica: RoomReplica;
}

/** What operators and their programs do to a room. */
export class RoomOperations {
  readonly #parts: RoomOperationsParts;

  constructor(parts: RoomOperationsParts) {
    this.#parts = parts;
  }

  /**
   * @param requestId makes the step safe to repeat for a day; null for none
   * @throws UsherError `idempotency_key_reused` when `requestId` was used for another step
   */
  async step(step: AdminStep, requestId: string | null, admin: string): Promise<StepAnswer> {
    const { id, store, events, sync } = this.#parts;
    const answer = await sync.run((incarnation) => store.adminStep(id, incarnation, step, requestId));
    if ("conflict" in answer) {
      throw new UsherError("idempotency_key_reused", "this Idempotency-Key was used for another request", {
        status: 422,
      });
    }
    const { step: name, ...detail } = step;
    events.emit("room.admin_step", { room: id, step: name, detail, admin });
    await this.#sync();
    return answer;
  }

  /** @throws UsherError `conflict` when somebody else changed the room at the same time. */
  async changeSettings(live: RoomSettingsPatch, effective: RoomSettings, expectedVersion: number, admin: string) {
    const { id, store, events, sync } = this.#parts;
    const changed = await sync.run((incarnation) =>
      store.changeSettings(id, incarnation, live, effective, expectedVersion),
    );
    if (changed === null) {
      throw new UsherError("conflict", "the room was changed at the same time; read it and try again", { status: 409 });
    }
    events.emit("room.settings_changed", { room: id, version: changed.version, admin });
    await this.#sync();
    return changed;
  }

  /** What this process probed. A store that is away is no error here. */
  async reportProbe(latencyMs: number | null): Promise<void> {
    const { id, store, sync } = this.#parts;
    try {
      await sync.run((incarnation) => store.reportLoad(id, incarnation, { source: "probe", latencyMs }));
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }

  /** What the site says of its load, through an operator's key. */
  async reportLoad(load: SiteLoad, admin: string): Promise<void> {
    const { id, store, events, sync } = this.#parts;
    await sync.run((incarnation) => store.reportLoad(id, incarnation, { source: "site", ...load }));
    const { signal } = load;
    if (signal !== null) events.emit("room.admin_step", { room: id, step: "signal", detail: { signal }, admin });
    await this.#sync();
  }

  /** Reports what this process found at the room's health URL. A store that is away is no error here. */
  async reportHealth(isHealthy: boolean): Promise<void> {
    const { id, store, sync } = this.#parts;
    try {
      await sync.run((incarnation) => store.reportHealth(id, incarnation, isHealthy));
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  }

  /** Writes the result of a completed step to the checkpoints at once, so that it survives a crash. */
  async #sync(): Promise<void> {
    await this.#parts.sync.catchUp();
    this.#parts.replica.keep();
  }
}
