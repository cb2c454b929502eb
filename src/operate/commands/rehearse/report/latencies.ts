/** Buckets grow by two percent, so a figure is at most one percent off. */
const growth = Math.log(1.02);

/** How long requests took, in memory that does not grow with them. */
export class Latencies {
  readonly #buckets: number[] = [];
  #count = 0;
  #max = 0;

  add(ms: number): void {
    const bucket = Math.max(0, Math.ceil(Math.log(Math.max(0.1, ms) / 0.1) / growth));
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.#count++;
    this.#max = Math.max(this.#max, ms);
  }

  get count(): number {
    return this.#count;
  }

  get max(): number {
    return this.#max;
  }

  /** Milliseconds within which this share of the requests was answered; 0 where there were none. */
  percentile(share: number): number {
    const wanted = Math.ceil(this.#count * share);
    let seen = 0;
    for (const [bucket, count = 0] of this.#buckets.entries()) {
      seen += count;
      if (seen >= wanted && count > 0) return Math.min(this.#max, 0.1 * Math.exp(growth * (bucket - 0.5)));
    }
    return 0;
  }
}
