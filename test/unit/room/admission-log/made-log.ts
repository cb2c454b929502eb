import {
  baseLine,
  type ChainHead,
  chainHash,
  type LogLine,
  sealLine,
  startOfChain,
} from "../../../../src/room/admission-log/index.ts";

type Unnumbered<T> = T extends { kind: "base" } ? never : T extends LogLine ? Omit<T, "seq" | "at"> : never;

export const startMs = Date.UTC(2031, 4, 10, 9, 0, 0);

/** A log as a gateway would export it, row by row. */
export class MadeLog {
  readonly lines: string[];
  readonly heads: ChainHead[] = [];
  #head: ChainHead;

  constructor(room = "tickets", base: ChainHead = startOfChain(room)) {
    this.#head = base;
    this.lines = [baseLine(room, base)];
  }

  /** @param atMs since `startMs` */
  add(row: Unnumbered<LogLine>, atMs = 0, seq = this.#head.seq + 1): this {
    const { kind, ...members } = row;
    const text = JSON.stringify({ seq, kind, at: new Date(startMs + atMs).toISOString(), ...members });
    const previous = row.kind === "recovery" && row.after !== null ? row.after.hash : this.#head.hash;
    this.#head = { seq, hash: chainHash(previous, text) };
    this.heads.push(this.#head);
    this.lines.push(sealLine(text, this.#head.hash));
    return this;
  }

  state(limit: number | null, atMs = 0, part: Partial<Extract<LogLine, { kind: "state" }>> = {}): this {
    return this.add(
      {
        kind: "state",
        edition: 7,
        phase: "open",
        phase_reason: null,
        inlet: "periodic",
        outflow_per_minute: limit,
        shared_outflow_per_minute: null,
        max_active: null,
        counts: counts(),
        ...part,
      },
      atMs,
    );
  }

  admission(position: number | null, atMs: number, waitMs: number | null = 1_000, via = "queue", edition = 7): this {
    const row = { kind: "admission" as const, edition, position, number: position, via, wait_ms: waitMs };
    return this.add({ ...row, flow_ms: startMs + atMs }, atMs);
  }
}

export function counts(part: object = {}) {
  return { joined: 0, entered: 0, passed: 0, bypassed: 0, no_shows: 0, left: 0, ...part };
}
