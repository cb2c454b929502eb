import { UsherError } from "../../lib/errors.ts";
import type {
  AdminStep,
  LoadReport,
  RoomSettings,
  RoomSettingsPatch,
  StepAnswer,
} from "../../store/contract/room-store.ts";
import type { SyncedRoom } from "../replica/synced-room.ts";
import { unlessInterrupted } from "../replica/synced-room.ts";

/** What a site reports of its load. */
export type SiteLoad = Omit<Extract<LoadReport, { source: "site" }>, "source">;

/** What operators and their programs do to a room. */
export class RoomOperations {
  readonly #room: SyncedRoom;

  constructor(room: SyncedRoom) {
    this.#room = room;
  }

  /**
   * @param requestId makes the step safe to repeat for a day; null for none
   * @throws UsherError `idempotency_key_reused` when `requestId` was used for another step
   */
  async step(step: AdminStep, requestId: string | null, admin: string): Promise<StepAnswer> {
    const answer = unlessReused(await this.#room.run("adminStep", step, requestId));
    const { step: name, ...detail } = step;
    this.#room.emit("room.admin_step", { step: name, detail, admin });
    await this.#sync();
    return answer;
  }

  /** What a repeated request got when it was carried out; null where it was not. @throws UsherError `idempotency_key_reused` */
  async repeated(step: AdminStep, requestId: string): Promise<StepAnswer | null> {
    const answer = await this.#room.run("repeatedStep", step, requestId);
    return answer && unlessReused(answer);
  }

  /** @throws UsherError `conflict` when another operator changed the room at the same time. */
  async changeSettings(live: RoomSettingsPatch, effective: RoomSettings, expectedVersion: number, admin: string) {
    const changed = await this.#room.run("changeSettings", live, effective, expectedVersion);
    if (changed === null) {
      throw new UsherError("conflict", "the room was changed at the same time; read it and try again");
    }
    this.#room.emit("room.settings_changed", { version: changed.version, admin });
    await this.#sync();
    return changed;
  }

  /** What the site says of its load, through an operator's key. */
  async reportLoad(load: SiteLoad, admin: string): Promise<void> {
    await this.#room.run("reportLoad", { source: "site", ...load });
    const { signal } = load;
    if (signal !== null) this.#room.emit("room.admin_step", { step: "signal", detail: { signal }, admin });
    await this.#sync();
  }

  /** What this process probed. A store that is away is no error here. */
  reportProbe(latencyMs: number | null): Promise<void> {
    return unlessInterrupted(this.#room.run("reportLoad", { source: "probe", latencyMs }));
  }

  /**
   * Reports what this process found at the room's health URL. A store that is away is no error here.
   *
   * @param latencyMs until the answer began; null where there was none in time, or none that says that the site is well
   */
  reportHealth(latencyMs: number | null): Promise<void> {
    return unlessInterrupted(this.#room.run("reportHealth", latencyMs));
  }

  /** Writes the result of a completed step to the checkpoints at once, so that it survives a crash. */
  async #sync(): Promise<void> {
    await this.#room.catchUp();
    this.#room.replica.keep();
  }
}

function unlessReused(answer: StepAnswer | { conflict: true }): StepAnswer {
  if (!("conflict" in answer)) return answer;
  throw new UsherError("idempotency_key_reused", "this Idempotency-Key was used for another request");
}
