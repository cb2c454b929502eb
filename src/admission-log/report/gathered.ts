import type { LoggedCounts, LogLine } from "../lines.ts";
import { NumberList } from "./numbers.ts";

/** What was in force from a time on. */
export interface Situation {
  readonly fromMs: number;
  readonly phase: string;
  readonly phaseReason: string | null;
  readonly inlet: string;
  /** Admissions in any 60 seconds, the lower of own and shared; null for none. */
  readonly limit: number | null;
  readonly maxActive: number | null;
}

export interface Recovery {
  readonly atMs: number;
  readonly heard: number;
}

/** What the rows of one edition say. */
export interface EditionRows {
  readonly edition: number;
  readonly via: Map<string, number>;
  /** Of all admissions, in their order: now, and flow clock. */
  readonly times: NumberList;
  /** Of those that the limiter lets in (the line and bypass links), on the flow clock; and the limit then, infinite for none. */
  readonly limitedFlow: NumberList;
  readonly limits: NumberList;
  /** Of those of the line. */
  readonly positions: NumberList;
  readonly waits: NumberList;
  readonly situations: Situation[];
  readonly recoveries: Recovery[];
  increments: { steps: number; places: number };
  /** Times (now) at which logging ended. */
  readonly offs: number[];
  /** The counts of the first and of the last row that has any. */
  countsBefore: LoggedCounts | null;
  countsAfter: LoggedCounts | null;
  lastMs: number;
}

/** Gathers the rows of a log by edition. Keeps some numbers of each admission, and no row. */
export class GatheredLog {
  readonly editions = new Map<number, EditionRows>();
  #current: EditionRows | null = null;
  /** At the beginning of a file, before it is said of which edition. */
  #unassigned: Recovery[] = [];

  take(line: LogLine): void {
    if (line.kind === "base" || line.kind === "begin") return;
    const atMs = Date.parse(line.at);
    if (line.kind === "state") this.#takeState(line, atMs);
    else if (line.kind === "admission") this.#takeAdmission(line, atMs);
    const rows = this.#current;
    if (line.kind === "recovery") (rows?.recoveries ?? this.#unassigned).push({ atMs, heard: line.heard });
    if (rows === null) return;
    rows.lastMs = atMs;
    if ("counts" in line) rows.countsAfter = line.counts;
    if (line.kind === "off") rows.offs.push(atMs);
    else if (line.kind === "increment") {
      const { steps, places } = rows.increments;
      rows.increments = { steps: steps + 1, places: places + line.by };
    }
  }

  #of(edition: number): EditionRows {
    const known = this.editions.get(edition) ?? createRows(edition);
    this.editions.set(edition, known);
    return known;
  }

  #takeState(line: LogLine & { kind: "state" }, atMs: number): void {
    const rows = this.#of(line.edition);
    const ending = this.#current;
    // What happened up to the reset belongs to the edition before.
    if (ending !== null && ending !== rows) ending.countsAfter = line.counts;
    rows.countsBefore ??= line.counts;
    rows.recoveries.push(...this.#unassigned);
    this.#unassigned = [];
    const limits = [line.outflow_per_minute, line.shared_outflow_per_minute].filter((limit) => limit !== null);
    rows.situations.push({
      fromMs: atMs,
      phase: line.phase,
      phaseReason: line.phase_reason,
      inlet: line.inlet,
      limit: limits.length === 0 ? null : Math.min(...limits),
      maxActive: line.max_active,
    });
    this.#current = rows;
  }

  #takeAdmission(line: LogLine & { kind: "admission" }, atMs: number): void {
    const rows = this.#of(line.edition);
    this.#current = rows;
    rows.via.set(line.via, (rows.via.get(line.via) ?? 0) + 1);
    rows.times.push(atMs);
    if (line.via === "queue" || line.via === "bypass") {
      // Behind a loss the clock may have begun anew.
      rows.limitedFlow.push(Math.max(line.flow_ms, rows.limitedFlow.last));
      rows.limits.push(rows.situations.at(-1)?.limit ?? Number.POSITIVE_INFINITY);
    }
    if (line.via !== "queue" || line.position === null) return;
    rows.positions.push(line.position);
    if (line.wait_ms !== null) rows.waits.push(line.wait_ms);
  }
}

function createRows(edition: number): EditionRows {
  return {
    edition,
    via: new Map(),
    times: new NumberList(),
    limitedFlow: new NumberList(),
    limits: new NumberList(),
    positions: new NumberList(),
    waits: new NumberList(),
    situations: [],
    recoveries: [],
    increments: { steps: 0, places: 0 },
    offs: [],
    countsBefore: null,
    countsAfter: null,
    lastMs: 0,
  };
}
