interface Entry {
  atMs: number;
  what: string;
  a: unknown;
  b: unknown;
}

/** The last things that happened. Put into words only when they are asked for. */
export class Trace {
  readonly #ring: Entry[];
  #count = 0;

  constructor(length: number) {
    this.#ring = Array.from({ length }, () => ({ atMs: 0, what: "", a: undefined, b: undefined }));
  }

  note(atMs: number, what: string, a?: unknown, b?: unknown): void {
    const entry = this.#ring[this.#count++ % this.#ring.length] as Entry;
    entry.atMs = atMs;
    entry.what = what;
    entry.a = a;
    entry.b = b;
  }

  toString(): string {
    const length = this.#ring.length;
    const kept = Math.min(this.#count, length);
    const lines: string[] = [];
    for (let index = this.#count - kept; index < this.#count; index++) {
      const { atMs, what, a, b } = this.#ring[index % length] as Entry;
      const details = [a, b].filter((detail) => detail !== undefined).map((detail) => JSON.stringify(detail));
      lines.push(`  ${(atMs / 1_000).toFixed(3).padStart(10)} s  ${what} ${details.join(" ")}`);
    }
    return lines.join("\n");
  }
}
