import type {
  AdmissionEnd,
  AdmittedVia,
  Delivery,
  EventPage,
  HoldReason,
  Phase,
  PhaseReason,
  RoomEvent,
} from "../../store/contract/room-store.ts";
import type { EventTexts, TakenRows } from "../events/deliveries.ts";
import { eventIdOf, eventRowOf } from "./texts.ts";

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
