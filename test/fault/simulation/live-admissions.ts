import type { Admission } from "../../../src/store/room-store.ts";
import { EventQueue } from "./events.ts";

/** Which admissions are live, from what the store said of each: made, extended, ended. Lapses go by the wall clock. */
export class LiveAdmissions {
  readonly #expiries = new Map<string, number>();
  readonly #lapses = new EventQueue();
  readonly #onChange: (count: number) => void;

  constructor(onChange: (count: number) => void) {
    this.#onChange = onChange;
  }

  put({ sub, expiresMs, ended }: Admission, wallMs: number): void {
    if (ended !== null || expiresMs <= wallMs) this.#expiries.delete(sub);
    else {
      if (this.#expiries.get(sub) === expiresMs) return;
      this.#expiries.set(sub, expiresMs);
      this.#lapses.call(expiresMs, () => {
        // Extended meanwhile: another lapse is planned.
        if (this.#expiries.get(sub) === expiresMs) this.#expiries.delete(sub);
      });
    }
    this.#onChange(this.#expiries.size);
  }

  /** What has lapsed once stays so, whatever becomes of the wall clock. */
  count(wallMs: number): number {
    while (this.#lapses.nextMs <= wallMs) void this.#lapses.pop()?.run(wallMs);
    return this.#expiries.size;
  }
}
