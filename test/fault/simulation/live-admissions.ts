import type { Admission } from "../../../src/store/contract/room-store.ts";
import { EventQueue } from "./events.ts";
import type { Memories } from "./memories.ts";
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
  /** The admissions that these are. */
  readonly #names = new Map<string, string>();
  readonly #byWall = new EventQueue();
  readonly #byStopwatch = new EventQueue();
  readonly #onChange: (count: number) => void;
  readonly #memories: Memories | null;
  /** By name: lost, and neither known to anybody nor counted. */
  readonly #uncounted = new Set<string>();
  /** The store takes so many of those that it knows by their count alone for others, which came back. */
  #mistaken = 0;

  constructor(time: SimulatedTime, memories: Memories | null, onChange: (count: number) => void) {
    this.#time = time;
    this.#memories = memories;
    this.#onChange = onChange;
  }

  put(admission: Admission): void {
    const { sub, expiresMs, ended } = admission;
    const wallMs = this.#time.wall.now();
    this.#lookForUncounted();
    if (this.#uncounted.delete(nameOf(admission))) this.#mistaken++;
    this.#names.set(sub, nameOf(admission));
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

  has(sub: string): boolean {
    return this.#expiries.has(sub);
  }

  /** What has lapsed once stays so, whatever becomes of the wall clock. */
  get count(): number {
    runUntil(this.#byWall, this.#time.wall.now());
    runUntil(this.#byStopwatch, this.#passedMs);
    return this.#expiries.size;
  }

  /** An admission that had ended is live again, since nobody knew of its end any more. */
  revived(): void {
    this.#mistaken++;
  }

  /**
   * So many may be live beyond the bound, since nobody can know better: those that are neither known nor counted since a loss; and
   * where such a one has come back, or one that had ended, the store took it for another that it knows by its count alone.
   */
  get beyond(): number {
    this.#lookForUncounted();
    let uncounted = 0;
    let byCount = 0;
    for (const sub of this.#expiries.keys()) {
      const name = this.#names.get(sub) ?? "";
      if (this.#uncounted.has(name)) uncounted++;
      else if (this.#memories?.isInStore("admission", name) === false) byCount++;
    }
    if (byCount === 0) this.#mistaken = 0;
    return uncounted + Math.min(byCount, this.#mistaken);
  }

  #lookForUncounted(): void {
    const memories = this.#memories;
    if (memories === null) return;
    for (const sub of this.#expiries.keys()) {
      const name = this.#names.get(sub) ?? "";
      if (!memories.isCounted(name)) this.#uncounted.add(name);
      // A process that came late has told of it.
      else if (this.#uncounted.delete(name) && memories.isInStore("admission", name)) this.#mistaken++;
    }
  }

  /** How much time may seem to have passed, at most. */
  get #passedMs(): number {
    return this.#time.stopwatchMs + clockStepMs * this.#time.forwardSteps(Number.POSITIVE_INFINITY);
  }
}

/** Names one admission of a visitor among all. */
export function nameOf({ sub, admittedMs }: Admission): string {
  return `${sub} ${admittedMs}`;
}

function runUntil(lapses: EventQueue, nowMs: number): void {
  while (lapses.nextMs <= nowMs) void lapses.pop()?.run(nowMs);
}
