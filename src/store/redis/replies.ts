/**
 * Answers of scripts on a room as the contract has them. They are JSON as Lua writes it: what is null is missing, a list without
 * members is `{}`, and rows are lists of numbers (core/rows.ts).
 */
import type { AdmissionRecord } from "../../core/ports/lists.ts";
import { type AdmissionTimes, reportAdmission } from "../../core/ports/reports.ts";
import type { ReportedState } from "../../core/tick.ts";
import type {
  AdaptiveState,
  Admission,
  Draw,
  EntryVoid,
  EventText,
  Gap,
  Outcome,
  RoomChanges,
  RoomState,
} from "../contract/room-store.ts";

/**
 * An outcome; or nothing was done: `apply-transitions.lua` has to run first, or the keys given are not those of the shared outflow
 * `group` that is in force; or the state was written by the run `from` of a server, and another one answers, which says `info` of itself.
 */
export type ScriptOutcome<T> =
  | Outcome<T>
  | { readonly result: "transitions_due" }
  | { readonly result: "wrong_group"; readonly group: string }
  | { readonly result: "elsewhere"; readonly from: string; readonly info: string };

/** Reads the refusals that every operation on a room may answer, and `read`s the rest. */
export function readOutcome<T>(reply: Reply, read: (reply: Reply) => T): ScriptOutcome<T> {
  const result = reply.text(0);
  if (result === "wrong_group") return { result, group: reply.text(1) };
  if (result === "elsewhere") return { result, from: reply.text(1), info: reply.text(2) };
  if (result === "recover" || result === "transitions_due") return { result };
  if (result === "recovering") return { result, remainingMs: reply.number(1) };
  return { result: "ok", value: read(reply) };
}

/** What `reply` of lua/lib/enter.lua answers, and the times by which it is judged. */
export function readAnswer<A>(reply: Reply): { answer: A; times: AdmissionTimes } {
  const times = { nowMs: reply.number(2), flowMs: reply.number(3), idleEndedMs: reply.number(4) };
  return { answer: JSON.parse(reply.text(1)) as A, times };
}

export function readList<T>(list: readonly T[] | object): T[] {
  return Array.isArray(list) ? list : [];
}

export function readRecord(stored: AdmissionRecord): AdmissionRecord {
  return { ...stored, ended: stored.ended ?? null, logins: readList(stored.logins) };
}

export function readAdmission(stored: AdmissionRecord | null, times: AdmissionTimes): Admission | null {
  return stored && reportAdmission(readRecord(stored), times);
}

type Row = readonly [number, number];

function readGaps(rows: readonly Row[]): Gap[] {
  return readList(rows).map(([from, to]) => ({ from, to }));
}

/** What `tick.lua` answers; a state as Lua writes it has rows where the contract has objects, and fractions are texts. */
interface TickAnswer extends Pick<RoomChanges, "moves" | "more"> {
  readonly state: Omit<ReportedState, "gaps" | "liveLapses"> & { gaps: readonly Row[]; liveLapses: readonly Row[] };
}

export function readTick(reply: Reply): RoomChanges {
  const { state: stored, moves, more } = JSON.parse(reply.text(1)) as TickAnswer;
  const { adaptive, ...rest } = stored;
  const state: RoomState = {
    ...rest,
    phaseReason: stored.phaseReason ?? null,
    holds: readList(stored.holds),
    server: { ...stored.server, runsBefore: readList(stored.server.runsBefore) },
    stock: { ...stored.stock, left: stored.stock.left ?? null },
    gaps: readGaps(stored.gaps),
    liveLapses: readList(stored.liveLapses).map(([untilMs, count]) => ({ untilMs, count })),
    readyToEnter: Number(stored.readyToEnter),
    enteringShare: Number(stored.enteringShare),
    outflowPerMinute: Number(stored.outflowPerMinute),
    planLimitPerMinute: readOptional(stored.planLimitPerMinute),
    presence: { ...stored.presence, counted: stored.presence.counted ?? null },
    settings: {
      effective: JSON.parse(reply.text(3)),
      file: JSON.parse(reply.text(4)),
      live: JSON.parse(reply.text(5)),
    },
    draws: readDraws(reply.text(6)),
    voids: readVoids(reply.text(9)),
    ...(adaptive && { adaptive: readAdaptive(adaptive) }),
  };
  const records = reply.list(7).texts();
  const admissions = records.map((json) => reportAdmission(readRecord(JSON.parse(json)), state));
  const events = readList<EventText>(JSON.parse(reply.text(8)));
  return { state, admissions, moves: readList(moves), cursor: reply.number(2), more, events };
}

function readAdaptive(stored: AdaptiveState): AdaptiveState {
  return {
    ...stored,
    ratePerMinute: Number(stored.ratePerMinute),
    targetMs: readOptional(stored.targetMs),
    latencyMs: readOptional(stored.latencyMs),
    baselineMs: readOptional(stored.baselineMs),
    errorRate: readOptional(stored.errorRate),
  };
}

function readOptional(text: unknown): number | null {
  return text === undefined ? null : Number(text);
}

interface StoredDraw extends Omit<Draw, "gaps"> {
  readonly gaps: readonly Row[];
  readonly atFlowMs: number;
}

function readDraws(json: string): Draw[] {
  if (json === "") return [];
  return (JSON.parse(json) as StoredDraw[]).map(({ atFlowMs: _, gaps, chain = null, beacon = null, ...draw }) => {
    return { ...draw, gaps: readGaps(gaps), chain, beacon };
  });
}

/** A void as the script has it. */
interface StoredVoid extends Omit<EntryVoid, "numbers"> {
  readonly numbers: readonly Row[];
}

export interface StoredVoiding {
  readonly result: string;
  readonly stored?: StoredVoid;
}

export function readVoid({ numbers, ...entryVoid }: StoredVoid): EntryVoid {
  return { ...entryVoid, numbers: readGaps(numbers) };
}

function readVoids(json: string): EntryVoid[] {
  return json === "" ? [] : (JSON.parse(json) as StoredVoid[]).map(readVoid);
}

/** A reply of a script: texts, numbers and lists. Reading one that is not as agreed is a programming error. */
export class Reply {
  readonly #parts: readonly unknown[];

  constructor(reply: unknown) {
    if (!Array.isArray(reply)) throw new TypeError(`a script answered ${typeof reply} where a list was agreed`);
    this.#parts = reply;
  }

  text(index: number): string {
    const part = this.#parts[index];
    if (typeof part !== "string" && typeof part !== "number") throw new TypeError(`no text at ${index} of a reply`);
    return String(part);
  }

  number(index: number): number {
    const number = Number(this.text(index));
    if (!Number.isFinite(number)) throw new TypeError(`no number at ${index} of a reply`);
    return number;
  }

  list(index: number): Reply {
    return new Reply(this.#parts[index]);
  }

  lists(): Reply[] {
    return this.#parts.map((part) => new Reply(part));
  }

  texts(): string[] {
    return this.#parts.map((_, index) => this.text(index));
  }
}
