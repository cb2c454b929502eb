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

/** What a request was for, as the report says it. */
export type RequestKind = "join" | "page" | "status" | "place" | "claim" | "enter" | "token" | "site" | "leave";

/** Different words that are counted apart: sites may answer anything. */
const namesMax = 100;

/** What the visitors met, as they met it. */
export class Tally {
  readonly requests = new Map<RequestKind, Latencies>();
  /** Refusals of the waiting room in its own words, by code. */
  readonly refused = new Map<string, number>();
  /** What went wrong, such as `page 502`. */
  readonly errors = new Map<string, number>();
  /** Milliseconds since the beginning, in the order in which they were seen. */
  readonly joinedMs: number[] = [];
  readonly admittedMs: number[] = [];
  arrived = 0;
  /** Logins that ended at the site, or with tokens: those of second tabs, too. */
  logins = 0;
  reloads = 0;
  tabs = 0;
  /** Visitors who were called and stayed away, as their plan says. */
  noShows = 0;
  gaveUp = 0;
  loggedOut = 0;
  /** A visitor who reloaded, or opened a tab, stood elsewhere. */
  lostPlaces = 0;
  /** Places in line that were given up at the end, and visits that were ended. */
  left = 0;
  /** Joins of which no answer came. */
  unansweredJoins = 0;

  took(kind: RequestKind, ms: number): void {
    const existing = this.requests.get(kind);
    const latencies = existing ?? new Latencies();
    if (existing === undefined) this.requests.set(kind, latencies);
    latencies.add(ms);
  }

  refuse(code: string): void {
    count(this.refused, code);
  }

  fail(kind: RequestKind, reason: string): void {
    count(this.errors, `${kind} ${reason}`);
  }
}

function count(names: Map<string, number>, name: string): void {
  const key = names.has(name) || names.size < namesMax ? name.slice(0, 80) : "other";
  names.set(key, (names.get(key) ?? 0) + 1);
}
