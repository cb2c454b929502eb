export interface MeasuredTime {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What a visitor was told when the limiter held them back for the first time. */
export interface FirstClaim {
  readonly atMs: number;
  /** How many claimed at lower positions. */
  readonly rank: number;
}

interface Entry {
  readonly position: number;
  readonly claimedMs: number;
  readonly enteredMs: number;
}

const leastMs = 15_000;
const keptMs = 600_000;

/**
 * Whether a visitor whom the limiter held back is in within max(15 s, (rank + 1) × 60 ÷ limit). Who comes late has a lower
 * position and goes first; each of these counts as one more who was before.
 */
export class Door {
  readonly #time: MeasuredTime;
  readonly #limit: number | null;
  readonly #entries: Entry[] = [];
  #head = 0;
  #latestMs: number | null = null;

  constructor(time: MeasuredTime, limit: number | null) {
    this.#time = time;
    this.#limit = limit;
  }

  /** The longest time beyond the bound that anybody was held; negative: all were within it; null without a limit. */
  get latestMs(): number | null {
    return this.#latestMs;
  }

  left(position: number, claimed: FirstClaim | null, nowMs: number): void {
    if (this.#limit === null) return;
    if (claimed !== null && nowMs >= this.#time.fromMs && nowMs < this.#time.untilMs) {
      const heldMs = nowMs - claimed.atMs;
      let lateMs = heldMs - this.#boundMs(claimed.rank);
      if (lateMs > 0) lateMs = heldMs - this.#boundMs(claimed.rank + this.#overtook(position, claimed.atMs));
      this.#latestMs = Math.max(this.#latestMs ?? Number.NEGATIVE_INFINITY, lateMs);
    }
    this.#entries.push({ position, claimedMs: claimed?.atMs ?? nowMs, enteredMs: nowMs });
    this.#forget(nowMs);
  }

  #boundMs(rank: number): number {
    return Math.max(leastMs, ((rank + 1) * 60_000) / (this.#limit ?? 1));
  }

  /** Who came to the door later than this visitor, or at the same moment, and went before. */
  #overtook(position: number, claimedMs: number): number {
    let count = 0;
    for (let index = this.#head; index < this.#entries.length; index++) {
      const entry = this.#entries[index] as Entry;
      if (entry.position < position && entry.claimedMs >= claimedMs) count++;
    }
    return count;
  }

  #forget(nowMs: number): void {
    while ((this.#entries[this.#head]?.enteredMs ?? nowMs) < nowMs - keptMs) this.#head++;
    if (this.#head < 10_000) return;
    this.#entries.splice(0, this.#head);
    this.#head = 0;
  }
}
