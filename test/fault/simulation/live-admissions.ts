import type { Admission } from "../../../src/store/room-store.ts";
import { EventQueue } from "./events.ts";
import type { SimulatedTime } from "./time.ts";

/** A forward step of the wall clock cannot be told from so much time that has passed. */
const clockStepMs = 5_000;

/**
 * Which admissions are live, from what the store said of each: made, extended, ended. They lapse when the wall clock says
 * so, or when the time that they were told has passed, whichever comes first.
 */
export class LiveAdmissions {
  readonly #time: SimulatedTime;
  readonly #expiries = new Map<string, number>();
  readonly #byWall = new EventQueue();
  readonly #byStopwatch = new EventQueue();
  readonly #onChange: (count: number) => void;

  constructor(time: SimulatedTime, onChange: (count: number) => void) {
    this.#time = time;
    this.#onChange = onChange;
  }

  put({ sub, expiresMs, ended }: Admission): void {
    const wallMs = this.#time.wall.now();
    if (ended !== null || expiresMs <= wallMs) this.#expiries.delete(sub);
    else {
      if (this.#expiries.get(sub) === expiresMs) return;
      this.#expiries.set(sub, expiresMs);
      const lapse = () => {
        // Extended meanwhile: another lapse is planned.
        if (this.#expiries.get(sub) === expiresMs) this.#expiries.delete(sub);
      };
      this.#byWall.call(expiresMs, lapse);
      this.#byStopwatch.call(this.#passedMs + (expiresMs - wallMs), lapse);
    }
    this.#onChange(this.#expiries.size);
  }

  /** What has lapsed once stays so, whatever becomes of the wall clock. */
  get count(): number {
    runUntil(this.#byWall, this.#time.wall.now());
    runUntil(this.#byStopwatch, this.#passedMs);
    return this.#expiries.size;
  }

  /** How much time may seem to have passed, at most. */
  get #passedMs(): number {
    return this.#time.stopwatchMs + clockStepMs * this.#time.forwardSteps(Number.POSITIVE_INFINITY);
  }
}

function runUntil(lapses: EventQueue, nowMs: number): void {
  while (lapses.nextMs <= nowMs) void lapses.pop()?.run(nowMs);
}
