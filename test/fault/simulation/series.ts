import { peopleWaiting } from "../../../src/room/line.ts";
import type { InletSettings } from "../../../src/store/contract/room-settings.ts";
import type { RoomState } from "../../../src/store/contract/room-store.ts";

/** What a figure is drawn from, second by second. */
export interface SeriesPoint {
  readonly atMs: number;
  /** Places handed out, and admissions, in this second. */
  readonly joined: number;
  readonly admitted: number;
  /** People in line, as a process knows it. */
  readonly waiting: number;
  readonly live: number;
  readonly limitPerMinute: number | null;
  readonly maxActive: number | null;
  readonly phase: string;
}

export type Series = readonly SeriesPoint[];

export class SeriesRecorder {
  readonly #points: SeriesPoint[] = [];
  #joined = 0;
  #admitted = 0;

  joined(count: number): void {
    this.#joined += count;
  }

  admitted(): void {
    this.#admitted++;
  }

  sample(atMs: number, state: RoomState | null, inlet: InletSettings, live: number): void {
    this.#points.push({
      atMs,
      joined: this.#joined,
      admitted: this.#admitted,
      waiting: state === null ? 0 : peopleWaiting(state),
      live,
      limitPerMinute: inlet.outflowPerMinute,
      maxActive: inlet.maxActive,
      phase: state?.phase ?? "paused",
    });
    this.#joined = 0;
    this.#admitted = 0;
  }

  series(): Series {
    return this.#points;
  }
}
