import type { Admission, Lapse, RoomState } from "../../store/contract/room-store.ts";

/** Admissions, new or extended, that the store reported to this process after the state that it knows was read. */
export class AdmittedSince {
  #admissions: { readonly atMs: number; readonly untilMs: number }[] = [];

  add(state: RoomState, { admittedMs, expiresMs }: Admission): void {
    // One that was extended ends a whole duration after that.
    const atMs = Math.max(admittedMs, expiresMs - state.settings.effective.admission.durationMs);
    this.#admissions.push({ atMs, untilMs: expiresMs });
  }

  /** What was admitted before the state was read is in it. */
  synced({ nowMs }: RoomState): void {
    this.#admissions = this.#admissions.filter(({ atMs }) => atMs >= nowMs);
  }

  /** How many they are, and when the last of them ends. */
  get lapse(): Lapse {
    const untilMs = this.#admissions.reduce((latest, each) => Math.max(latest, each.untilMs), 0);
    return { untilMs, count: this.#admissions.length };
  }
}
