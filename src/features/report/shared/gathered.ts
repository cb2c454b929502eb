import type { LoggedCounts, LogLine } from "../../../room/admission-log/lines.ts";

/** What was in force from a time on. */
export interface Situation {
  readonly from: string;
  readonly phase: string;
  readonly phase_reason: string | null;
  readonly inlet: string;
  /** Admissions in any 60 seconds, the lower of own and shared; null for none. */
  readonly outflow_per_minute: number | null;
  readonly max_active: number | null;
}

/** What the rows of one edition say. Some numbers of each admission, and no row. */
export class EditionRows {
  readonly via = new Map<string, number>();
  /** Of all admissions, in their order: by the wall clock. */
  readonly times: number[] = [];
  /** Of those that the limiter lets in (the line and bypass links), on the flow clock; and the limit then, infinite for none. */
  readonly limitedFlow: number[] = [];
  readonly limits: number[] = [];
  /** Of those of the line. */
  readonly positions: number[] = [];
  readonly waits: number[] = [];
  readonly situations: Situation[] = [];
  readonly recoveries: { readonly at: string; readonly heard: number }[] = [];
  readonly increments = { steps: 0, places: 0 };
  /** When logging ended. */
  readonly offs: string[] = [];
  /** The counts of the first and of the last row that has any. */
  countsBefore: LoggedCounts | null = null;
  countsAfter: LoggedCounts | null = null;
  lastAt = "";
}

/** Gathers the rows of a log by edition. */
export class GatheredLog {
  readonly editions = new Map<number, EditionRows>();
  #current: EditionRows | null = null;
  /** At the beginning of a file, before it is said of which edition. */
  #unassigned: EditionRows["recoveries"] = [];

  take(line: LogLine): void {
    if (line.kind === "base" || line.kind === "begin") return;
    const { at } = line;
    if (line.kind === "state") this.#takeState(line);
    else if (line.kind === "admission") this.#takeAdmission(line);
    const rows = this.#current;
    if (line.kind === "recovery") (rows?.recoveries ?? this.#unassigned).push({ at, heard: line.heard });
    if (rows === null) return;
    rows.lastAt = at;
    if ("counts" in line) rows.countsAfter = line.counts;
    if (line.kind === "off") rows.offs.push(at);
    else if (line.kind === "increment") {
      rows.increments.steps++;
      rows.increments.places += line.by;
    }
  }

  #of(edition: number): EditionRows {
    const rows = this.editions.get(edition) ?? new EditionRows();
    this.editions.set(edition, rows);
    return rows;
  }

  #takeState(line: LogLine & { kind: "state" }): void {
    const rows = this.#of(line.edition);
    const ending = this.#current;
    // What happened up to the reset belongs to the edition before.
    if (ending !== null && ending !== rows) ending.countsAfter = line.counts;
    rows.countsBefore ??= line.counts;
    rows.recoveries.push(...this.#unassigned);
    this.#unassigned = [];
    const { phase, phase_reason, inlet, max_active } = line;
    const limits = [line.outflow_per_minute, line.shared_outflow_per_minute].filter((limit) => limit !== null);
    const outflow_per_minute = limits.length === 0 ? null : Math.min(...limits);
    rows.situations.push({ from: line.at, phase, phase_reason, inlet, outflow_per_minute, max_active });
    this.#current = rows;
  }

  #takeAdmission(line: LogLine & { kind: "admission" }): void {
    const rows = this.#of(line.edition);
    this.#current = rows;
    rows.via.set(line.via, (rows.via.get(line.via) ?? 0) + 1);
    rows.times.push(Date.parse(line.at));
    if (line.via === "queue" || line.via === "bypass") {
      // Behind a loss the clock may have begun anew.
      rows.limitedFlow.push(Math.max(line.flow_ms, rows.limitedFlow[rows.limitedFlow.length - 1] ?? 0));
      rows.limits.push(rows.situations[rows.situations.length - 1]?.outflow_per_minute ?? Number.POSITIVE_INFINITY);
    }
    if (line.via !== "queue" || line.position === null) return;
    rows.positions.push(line.position);
    if (line.wait_ms !== null) rows.waits.push(line.wait_ms);
  }
}
