import type { LogCounts, LogHead, LogRow } from "../../store/contract/room-store.ts";
import { type ChainHead, chainHash, type LoggedCounts, type LogLine, startOfChain } from "../admission-log/index.ts";

/** A row as it is hashed and exported, without its hash. The order of members is part of it. */
export function lineText(row: LogRow): string {
  return JSON.stringify(lineOf(row));
}

/** The head of the chain with one more row. */
export function nextHead(head: ChainHead, row: LogRow, text: string = lineText(row)): ChainHead {
  const after = row.kind === "recovery" ? row.after : null;
  return { seq: row.seq, hash: chainHash(after?.hash ?? head.hash, text) };
}

/** A head as the store has it; where nothing was chained yet, that of the room's beginning. */
export function orStart(room: string, head: LogHead): ChainHead {
  return head.hash === "" ? startOfChain(room) : head;
}

function lineOf(row: LogRow): LogLine {
  const { seq, kind } = row;
  const at = new Date(row.atMs).toISOString();
  switch (kind) {
    case "begin":
      return { seq, kind, at, life: row.incarnation };
    case "state": {
      const { edition, phase, reason, inlet, limit, sharedLimit, maxActive, counts } = row;
      const limits = { outflow_per_minute: limit, shared_outflow_per_minute: sharedLimit, max_active: maxActive };
      return { seq, kind, at, edition, phase, phase_reason: reason, inlet, ...limits, counts: countsOf(counts) };
    }
    case "admission": {
      const { edition, position, number, via, waitMs, flowMs } = row;
      const place = { position: position === 0 ? null : position, number: number === 0 ? null : number };
      return { seq, kind, at, edition, ...place, via, wait_ms: waitMs, flow_ms: flowMs };
    }
    case "counts":
      return { seq, kind, at, counts: countsOf(row.counts) };
    case "increment":
      return { seq, kind, at, by: row.by, serving: row.serving };
    case "recovery": {
      const after = row.after === null ? null : { seq: row.after.seq, hash: row.after.hash };
      return { seq, kind, at, heard: row.heard, after, counts: countsOf(row.counts) };
    }
    case "off":
      return { seq, kind, at };
  }
}

function countsOf({ joined, entered, passed, bypassed, noShows, left }: LogCounts): LoggedCounts {
  return { joined, entered, passed, bypassed, no_shows: noShows, left };
}
