import type { AdmittedVia, InletType, LogCounts, LogRow, Phase, PhaseReason } from "../../store/contract/room-store.ts";

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
