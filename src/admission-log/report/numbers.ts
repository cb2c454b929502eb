/** A growing list of numbers in 8 bytes each: a log may have millions of rows. */
export class NumberList {
  #values = new Float64Array(1_024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** 0 of none. */
  get last(): number {
    return this.#values[this.#length - 1] ?? 0;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Float64Array(2 * this.#length);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  /** The numbers in their order; a view, not a copy. */
  values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }
}

export interface Quantiles {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
}

/** By nearest rank; null of nothing. */
export function quantilesOf(values: Float64Array): Quantiles | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted();
  const at = (part: number) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1), mean };
}
