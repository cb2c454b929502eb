import { Door, type MeasuredTime } from "./door.ts";
import type { NewAdmission } from "./rules.ts";

/** What a run is measured by. Shares are of 1; times in milliseconds unless they say otherwise. */
export interface Measured {
  readonly joined: number;
  readonly admitted: number;
  /** Of admissions, by the limit in force then. */
  readonly largestMinuteShare: number;
  readonly largestTwoSeconds: number;
  readonly largestTwoSecondsShare: number;
  /** Over the whole minutes of the measured time; null without a limit. */
  readonly meanUse: number | null;
  readonly leastMinuteUse: number | null;
  /** The fewest present visitors in line in the measured time, in minutes of the limit. */
  readonly leastPresentMinutes: number | null;
  readonly minutes: number;
  readonly estimateErrorP50: number | null;
  readonly estimateErrorP90: number | null;
  /** Share of the real waits that lay within the told range. */
  readonly estimateHits: number | null;
  readonly estimates: number;
  readonly doorMeanMs: number | null;
  readonly doorP99Ms: number | null;
  /** Of those whom the limiter held back: the longest time beyond max(15 s, (rank + 1) × 60 ÷ limit); negative: within. */
  readonly latestMs: number | null;
  readonly fullness: number | null;
  readonly longestStallMs: number | null;
}

/** What a visitor was told, and when. */
export interface ToldWait {
  readonly atMs: number;
  readonly lowSec: number;
  readonly highSec: number;
}

const minuteMs = 60_000;
const doorBucketMs = 100;
const doorBuckets = 36_000;
/** Shorter waits than this say little about an estimate. */
const minWaitMs = 60_000;

/** When the serving counter was seen to pass which position. */
class Advances {
  readonly #servings: number[] = [];
  readonly #times: number[] = [];

  note(serving: number, nowMs: number): void {
    // After a step back those places are served anew.
    while (this.#servings.length > 0 && (this.#servings.at(-1) as number) >= serving) {
      this.#servings.pop();
      this.#times.pop();
    }
    this.#servings.push(serving);
    this.#times.push(nowMs);
  }

  /** Undefined while the position is not served. */
  timeOf(position: number): number | undefined {
    let low = 0;
    let high = this.#servings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#servings[middle] as number) >= position) high = middle;
      else low = middle + 1;
    }
    return this.#times[low];
  }
}

export class Measures {
  readonly door: Door;
  readonly #time: MeasuredTime;
  readonly #maxActive: number | null;
  readonly #limit: number | null;
  readonly #advances = new Map<number, Advances>();
  readonly #minutes: Float64Array;
  readonly #doors = new Uint32Array(doorBuckets);
  readonly #errors: number[] = [];
  #hits = 0;
  #doorCount = 0;
  #doorSumMs = 0;
  #joined = 0;
  #admitted = 0;
  #largestMinuteShare = 0;
  #largestTwoSeconds = 0;
  #largestTwoSecondsShare = 0;
  #leastPresent = Number.POSITIVE_INFINITY;
  #live = 0;
  #liveSinceMs = 0;
  #liveArea = 0;
  /** Since when there has been room for somebody and nobody was admitted; null while there is none. */
  #stallSinceMs: number | null = null;
  #longestStallMs = 0;

  constructor(time: MeasuredTime, limit: number | null, maxActive: number | null) {
    this.#time = time;
    this.#limit = limit;
    this.door = new Door(time, limit);
    this.#maxActive = maxActive;
    this.#minutes = new Float64Array(Math.max(0, Math.floor((time.untilMs - time.fromMs) / minuteMs)));
  }

  joined(count: number): void {
    this.#joined += count;
  }

  served(edition: number, serving: number, nowMs: number): void {
    let advances = this.#advances.get(edition);
    if (advances === undefined) {
      advances = new Advances();
      this.#advances.set(edition, advances);
    }
    advances.note(serving, nowMs);
  }

  servedAt(edition: number, position: number): number | undefined {
    return this.#advances.get(edition)?.timeOf(position);
  }

  admitted({ inMinute, inTwoSeconds, limit }: NewAdmission, nowMs: number): void {
    this.#admitted++;
    if (limit !== null) {
      this.#largestMinuteShare = Math.max(this.#largestMinuteShare, inMinute / limit);
      this.#largestTwoSeconds = Math.max(this.#largestTwoSeconds, inTwoSeconds);
      this.#largestTwoSecondsShare = Math.max(this.#largestTwoSecondsShare, inTwoSeconds / Math.max(1, limit / 10));
    }
    const minute = Math.floor((nowMs - this.#time.fromMs) / minuteMs);
    if (minute >= 0 && minute < this.#minutes.length) this.#minutes[minute] = (this.#minutes[minute] as number) + 1;
    this.#endStall(nowMs);
  }

  /** Called once a second. @param present visitors who wait and look */
  sample(nowMs: number, present: number): void {
    if (!this.#isMeasured(nowMs)) return;
    this.#leastPresent = Math.min(this.#leastPresent, present);
    if (present === 0) this.#stallSinceMs = null;
    this.#beginStall(nowMs, present);
  }

  live(count: number, nowMs: number): void {
    if (this.#maxActive === null) return;
    const fromMs = Math.max(this.#liveSinceMs, this.#time.fromMs);
    const untilMs = Math.min(nowMs, this.#time.untilMs);
    if (untilMs > fromMs) this.#liveArea += this.#live * (untilMs - fromMs);
    this.#live = count;
    this.#liveSinceMs = nowMs;
    if (count >= this.#maxActive) this.#endStall(nowMs);
  }

  /** A visitor who had been looking all the time (or came back at `backMs`) has come in. */
  entered(edition: number, position: number, backMs: number, nowMs: number, told: readonly ToldWait[]): void {
    if (!this.#isMeasured(nowMs)) return;
    const turnMs = Math.max(backMs, this.servedAt(edition, position) ?? nowMs);
    const doorMs = Math.max(0, nowMs - turnMs);
    const bucket = Math.min(doorBuckets - 1, Math.floor(doorMs / doorBucketMs));
    this.#doors[bucket] = (this.#doors[bucket] as number) + 1;
    this.#doorCount++;
    this.#doorSumMs += doorMs;
    for (const { atMs, lowSec, highSec } of told) {
      const waitMs = nowMs - atMs;
      if (waitMs <= minWaitMs) continue;
      this.#errors.push(Math.abs((lowSec + highSec) * 500 - waitMs) / waitMs);
      if (waitMs >= lowSec * 1_000 && waitMs <= highSec * 1_000) this.#hits++;
    }
  }

  result(nowMs: number): Measured {
    this.live(this.#live, nowMs);
    const limit = this.#limit;
    const measuredMs = Math.max(1, Math.min(nowMs, this.#time.untilMs) - this.#time.fromMs);
    const admitted = this.#minutes.reduce((sum, count) => sum + count, 0);
    const errors = Float64Array.from(this.#errors).sort();
    const isLimited = limit !== null && this.#minutes.length > 0;
    return {
      joined: this.#joined,
      admitted: this.#admitted,
      largestMinuteShare: this.#largestMinuteShare,
      largestTwoSeconds: this.#largestTwoSeconds,
      largestTwoSecondsShare: this.#largestTwoSecondsShare,
      meanUse: isLimited ? admitted / (limit * this.#minutes.length) : null,
      leastMinuteUse: isLimited ? Math.min(...this.#minutes) / limit : null,
      leastPresentMinutes: limit === null ? null : this.#leastPresent / limit,
      minutes: this.#minutes.length,
      estimateErrorP50: errors[Math.floor(errors.length * 0.5)] ?? null,
      estimateErrorP90: errors[Math.floor(errors.length * 0.9)] ?? null,
      estimateHits: errors.length === 0 ? null : this.#hits / errors.length,
      estimates: errors.length,
      doorMeanMs: this.#doorCount === 0 ? null : this.#doorSumMs / this.#doorCount,
      doorP99Ms: this.#doorQuantile(0.99),
      latestMs: this.door.latestMs,
      fullness: this.#maxActive === null ? null : this.#liveArea / (this.#maxActive * measuredMs),
      longestStallMs: this.#maxActive === null ? null : this.#longestStallMs,
    };
  }

  #isMeasured(nowMs: number): boolean {
    return nowMs >= this.#time.fromMs && nowMs < this.#time.untilMs;
  }

  #beginStall(nowMs: number, present: number): void {
    if (this.#maxActive === null || this.#live >= this.#maxActive || present === 0) return;
    this.#stallSinceMs ??= nowMs;
    this.#longestStallMs = Math.max(this.#longestStallMs, nowMs - this.#stallSinceMs);
  }

  #endStall(nowMs: number): void {
    if (this.#stallSinceMs !== null && this.#isMeasured(nowMs)) {
      this.#longestStallMs = Math.max(this.#longestStallMs, nowMs - this.#stallSinceMs);
    }
    this.#stallSinceMs = null;
  }

  #doorQuantile(share: number): number | null {
    let left = this.#doorCount * share;
    if (left === 0) return null;
    for (let bucket = 0; bucket < doorBuckets; bucket++) {
      left -= this.#doors[bucket] as number;
      if (left <= 0) return (bucket + 1) * doorBucketMs;
    }
    return doorBuckets * doorBucketMs;
  }
}
