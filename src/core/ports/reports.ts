/** What a store is asked for as the core takes it, and what the core answers as a store reports it: admissions, claims, and rows of events and of the admission log. */
import type { ClaimRequest, ClaimResult } from "../../store/contract/room-claim.ts";
import type { EntryVoid, RestoreAnswer, Seen, SeenIncarnation, VoidAnswer } from "../../store/contract/room-places.ts";
import type { Admission } from "../../store/contract/room-state.ts";
import type {
  AdmissionEnd,
  AdmittedVia,
  Contribution,
  Delivery,
  EventPage,
  HoldReason,
  InletType,
  JoinRange,
  KeyedJoins,
  LogCounts,
  LogRow,
  Outcome,
  Phase,
  PhaseReason,
  RoomEvent,
} from "../../store/contract/room-store.ts";
import type { ClaimAnswer } from "../claim.ts";
import type { EventTexts, TakenRows } from "../events/deliveries.ts";
import { lapsedBy, reportedEnd } from "../holds.ts";
import { joinRetryMs } from "../places.ts";
import type { Offer } from "../recovery/contribute.ts";
import type { AdmissionRecord } from "./lists.ts";
import { rowLength } from "./lists.ts";
import { eventIdOf, eventRowOf } from "./texts.ts";

/** The times by which an admission is judged. */
export interface AdmissionTimes {
  readonly nowMs: number;
  readonly flowMs: number;
  readonly idleEndedMs: number;
}

/** An admission as it is reported; one past its end, or of an idle phase that is over, is `expired`. */
export function reportAdmission(record: AdmissionRecord, times: AdmissionTimes): Admission {
  const { sub, edition, position, entry, usedPosition, via, admittedMs, expiresFlowMs, taken, addresses } = record;
  const wallMs = times.nowMs + (expiresFlowMs - times.flowMs);
  const expiresMs = reportedEnd(wallMs, record.expiresMs, record.ended !== null);
  const ended = record.ended ?? lapsedBy(times.flowMs, times.idleEndedMs, record);
  const place = { position, ...(entry && { entry }) };
  const uses = { ...(taken && { taken: [...taken] }), ...(addresses && { addresses: [...addresses] }) };
  const visitByFlowMs = record.visitByFlowMs ?? null;
  const visit = visitByFlowMs !== null && { visitByMs: times.nowMs + (visitByFlowMs - times.flowMs) };
  const logins = [...record.logins];
  const end = { expiresMs, expiresFlowMs, ended, ...visit };
  return { sub, edition, ...place, usedPosition, via, admittedMs, ...end, logins, ...uses };
}

export function reportClaim(answer: ClaimAnswer, times: AdmissionTimes): ClaimResult {
  const { result, isNew = false, record, hold, rank = 0 } = answer;
  if (hold !== undefined) return { result: "held", retryMs: hold.retryMs, rank, by: hold.by };
  if (record === undefined) return { result } as ClaimResult;
  const admission = reportAdmission(record, times);
  return result === "admitted" ? { result, isNew, admission } : ({ result, admission } as ClaimResult);
}

export function seenOf(incarnation: SeenIncarnation): Seen {
  if (incarnation !== null && typeof incarnation === "object") return incarnation;
  return { incarnation: incarnation ?? "", flowMs: 0, edition: 0, queued: 0 };
}

/** @param toText makes JSON, in which equal settings have equal texts */
export function offerOf(contribution: Contribution, toText: (settings: object) => string): Offer {
  const { fileSettings, memory, isNewRoom, seen = null } = contribution;
  const settings = memory && {
    effective: toText(memory.settings.effective),
    file: toText(memory.settings.file),
    live: toText(memory.settings.live),
  };
  const draws = memory?.draws?.map((draw) => ({ ...draw, atFlowMs: 0 })) ?? [];
  const voids = memory?.voids?.map((entryVoid) => ({ ...entryVoid })) ?? [];
  const offered = memory && settings && { ...memory, settings, draws, voids, keys: memory.keys ?? [] };
  return { file: toText(fileSettings), isNew: isNewRoom, seen: seenOf(seen), memory: offered };
}

/** @throws RangeError for a count that a join cannot have, and for rows of another */
export function checkJoin(count: number, rows: string): void {
  if (rows !== "" && rows.length !== count * rowLength) throw new RangeError(`rows of another number than ${count}`);
  if (!Number.isInteger(count) || count < 1 || count > maxJoin) throw new RangeError(`cannot join ${count} at once`);
}

const maxJoin = 10_000;

/** @throws RangeError for as many keys as cannot join at once */
export function checkKeyCount({ keys }: KeyedJoins): void {
  if (keys.length < 1 || keys.length > maxKeyedJoin) throw new RangeError(`${keys.length} keys cannot join at once`);
}

/** A script takes some milliseconds for so many. */
const maxKeyedJoin = 500;

/** @throws RangeError for as many claims as cannot be made at once */
export function checkClaimCount({ length }: readonly ClaimRequest[]): void {
  if (length < 1 || length > maxPerCall) throw new RangeError(`${length} claims cannot be made at once`);
}

/** @throws RangeError for as many admissions as are not read at once */
export function checkSubCount({ length }: readonly string[]): void {
  if (length < 1 || length > maxPerCall) throw new RangeError(`${length} admissions are not read at once`);
}

/** A script takes some milliseconds for so many. */
const maxPerCall = 64;

/** A join that is not possible yet is asked for again, as in a recovery. */
export function reportJoin<Range extends JoinRange>(outcome: Outcome<Range | null>): Outcome<Range> {
  if (outcome.result !== "ok") return outcome;
  const { value } = outcome;
  return value === null ? { result: "recovering", remainingMs: joinRetryMs } : { result: "ok", value };
}

/** What a void, or taking one back, did. @param read the void as it is reported */
export function reportVoid<V>(
  { result, stored }: { readonly result: string; readonly stored?: V },
  read: (stored: V) => EntryVoid,
): VoidAnswer & RestoreAnswer {
  return { result, ...(stored !== undefined && { void: read(stored) }) } as VoidAnswer & RestoreAnswer;
}

/**
 * Reads a row of events as core/events writes it.
 *
 * @throws TypeError for a letter of a later build
 */
export function readEventRow(seq: number, text: string): RoomEvent {
  const row = eventRowOf(text);
  const end = row.indexOf(":");
  const rest = row.slice(end + 1);
  const base = { seq, id: String(eventIdOf(seq, text)), atMs: Number(row.slice(1, end)) };
  const parts = rest.split(":");
  const part = (index: number) => parts[index] ?? "";
  const number = (index: number) => Number(part(index));
  switch (row[0]) {
    case "p": {
      const before = part(3) === "" ? null : { phase: part(3) as Phase, reason: reasonOf(part(4)) };
      return { ...base, kind: "phase", edition: number(0), phase: part(1) as Phase, reason: reasonOf(part(2)), before };
    }
    case "h":
      return { ...base, kind: "hold", hold: part(0) as HoldReason, isSet: part(1) === "1" };
    case "e":
      return { ...base, kind: "edition", edition: number(0), before: number(1) };
    case "s": {
      const [before = "", after = ""] = rest.slice(rest.indexOf(":") + 1).split("\n");
      return { ...base, kind: "settings", version: number(0), before, after };
    }
    case "o":
      return { ...base, kind: "sold_out", isSoldOut: part(0) === "1", hasReturns: part(1) === "1" };
    case "f":
      return { ...base, kind: "full", isFull: part(0) === "1" };
    case "b": {
      const refused = { rate: number(2), entries: number(3), network: number(4) };
      return { ...base, kind: "refusals", isMany: part(0) === "1", joined: number(1), refused };
    }
    case "d": {
      const numbers = { edition: number(0), draw: number(1), first: number(3), last: number(4) };
      return { ...base, kind: "draw", ...numbers, stage: part(2), commitment: part(5), seed: part(6) };
    }
    case "l":
      return { ...base, kind: "log_sealed", head: { seq: number(0), hash: part(1) } };
    case "r":
      return { ...base, kind: "recovered", queued: number(0), serving: number(1) };
    case "m":
      return { ...base, kind: "figures", figures: readFigures(parts) };
    case "a": {
      const place = { edition: number(0), position: number(1), via: part(2) as AdmittedVia };
      return { ...base, kind: "admission", ...place, sub: parts.slice(3).join(":") };
    }
    case "x":
      return { ...base, kind: "admission_ended", end: part(0) as AdmissionEnd, sub: parts.slice(1).join(":") };
    case "j":
      return { ...base, kind: "other", json: rest };
    default:
      throw new TypeError(`event ${seq} is of a later build`);
  }
}

/** An event of the installation, as a row. */
export function otherEventRow(atMs: number, json: string): string {
  return `j${atMs}:${json}`;
}

/** The line of what is of no room. No room has such a name. */
export const installationLine = "*";

export function eventPageOf({ last, rows }: EventTexts): EventPage {
  return { last, events: rows.map(({ seq, text }) => readEventRow(seq, text)) };
}

export function deliveryOf(taken: TakenRows, nowMs: number): Delivery {
  const { result, rows, attempts, waitMs, cursor, hasMissed } = taken;
  if (result === "done") return { result, cursor };
  if (result !== "taken") return { result, waitMs };
  const missedAfter = hasMissed ? cursor : null;
  return { result, events: rows.map(({ seq, text }) => readEventRow(seq, text)), attempts, missedAfter, nowMs };
}

function reasonOf(text: string): PhaseReason {
  return text === "" ? null : (text as PhaseReason);
}

function readFigures(parts: readonly string[]) {
  const number = (index: number) => Number(parts[index] ?? 0);
  return {
    edition: number(0),
    phase: (parts[1] ?? "") as Phase,
    queued: number(2),
    serving: number(3),
    waiting: number(4),
    readyToEnter: number(5),
    absent: number(6),
    liveAdmissions: number(7),
    outflowPerMinute: number(8),
    limitPerMinute: (parts[9] ?? "") === "" ? null : number(9),
    joined: number(10),
    entered: number(11),
    passed: number(12),
    bypassed: number(13),
    noShows: number(14),
    left: number(15),
  };
}

const viaOf: Readonly<Record<string, AdmittedVia>> = {
  q: "queue",
  b: "bypass",
  p: "passthrough",
  i: "idle",
  e: "ended",
};

/**
 * Reads a row as core/admission-log.ts writes it. What a letter means never changes, since hashes go by what is read.
 *
 * @throws TypeError for a letter of a later build
 */
export function readLogRow(seq: number, text: string): LogRow {
  const [at = "", ...parts] = text.slice(1).split(":");
  const row = { seq, atMs: Number(at) };
  const part = (index: number) => parts[index] ?? "";
  const number = (index: number) => Number(part(index));
  const optional = (index: number) => (part(index) === "" ? null : number(index));
  switch (text[0]) {
    case "a": {
      const [edition, position, via] = [number(0), number(1), viaOf[part(4)] ?? "queue"];
      const times = { waitMs: optional(3), flowMs: row.atMs + number(5) };
      return { ...row, kind: "admission", edition, position, number: optional(2) ?? position, via, ...times };
    }
    case "s": {
      const [phase, inlet] = [part(1) as Phase, part(3) as InletType];
      const reason = part(2) === "" ? null : (part(2) as PhaseReason);
      const limits = { limit: optional(4), sharedLimit: optional(5), maxActive: optional(6) };
      const counts = readCounts(parts.slice(7));
      return { ...row, kind: "state", edition: number(0), phase, reason, inlet, ...limits, counts };
    }
    case "c":
      return { ...row, kind: "counts", counts: readCounts(parts) };
    case "i":
      return { ...row, kind: "increment", by: number(0), serving: number(1) };
    case "r": {
      const after = part(1) === "" ? null : { seq: number(1), hash: part(2) };
      return { ...row, kind: "recovery", heard: number(0), after, counts: readCounts(parts.slice(3)) };
    }
    case "b":
      return { ...row, kind: "begin", incarnation: parts.join(":") };
    case "o":
      return { ...row, kind: "off" };
    default:
      throw new TypeError(`row ${seq} of the admission log is of a later build`);
  }
}

function readCounts(texts: readonly string[]): LogCounts {
  const [joined = 0, entered = 0, passed = 0, bypassed = 0, noShows = 0, left = 0] = texts.map(Number);
  return { joined, entered, passed, bypassed, noShows, left };
}
