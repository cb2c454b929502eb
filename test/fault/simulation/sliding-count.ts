/** Counts what happened in the last so many milliseconds: a ring of times. Times never decrease. */
export class SlidingCount {
  readonly #windowMs: number;
  #times = new Float64Array(256);
  #head = 0;
  #size = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Answers how many there are in (now − window, now], this one included. */
  add(nowMs: number): number {
    this.count(nowMs);
    if (this.#size === this.#times.length) this.#grow();
    this.#times[(this.#head + this.#size++) & (this.#times.length - 1)] = nowMs;
    return this.#size;
  }

  count(nowMs: number): number {
    const mask = this.#times.length - 1;
    while (this.#size > 0 && (this.#times[this.#head] as number) <= nowMs - this.#windowMs) {
      this.#head = (this.#head + 1) & mask;
      this.#size--;
    }
    return this.#size;
  }

  #grow(): void {
    const grown = new Float64Array(this.#times.length * 2);
    for (let index = 0; index < this.#size; index++) {
      grown[index] = this.#times[(this.#head + index) & (this.#times.length - 1)] as number;
    }
    this.#times = grown;
    this.#head = 0;
  }
}
