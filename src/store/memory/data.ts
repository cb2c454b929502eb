import { createRoom, type Group, type Room } from "../../core/room.ts";
import type { AuditRow, OidcRecord } from "../contract/room-store.ts";
import type { ProcessRow } from "../contract/shared.ts";

/** All that the store keeps of one room. Mirrors the room's keys in Redis. */
export interface RoomData extends Room {
  readonly name: string;
}

/** A shared document; version 0: it is merely known that there was one. */
export interface DocumentData {
  version: number;
  text: string;
  /** The server run that it was last seen under. */
  runId: string;
  /** 0 when it has settled. */
  settlingUntilMs: number;
}

export type MemoryData = ReturnType<typeof createMemoryData>;

/** The whole store. Plain data: tests copy it to take a snapshot. @param runId stands for that of a server */
export function createMemoryData(runId: string) {
  return {
    runId,
    incarnations: 0,
    rooms: new Map<string, RoomData>(),
    /** The events of what is of no room; nothing else of it counts. */
    installation: createRoom(),
    /** Shared outflows by id. */
    groups: new Map<string, Group>(),
    documents: new Map<string, DocumentData>(),
    audit: [] as AuditRow[],
    processes: new Map<string, ProcessRow>(),
    /** What processes say of their watchers. */
    watchers: new Map<string, { text: string; expiresMs: number }>(),
    /** How many joined, by room: when each bucket is full again, by the name of its block. */
    joinCounts: new Map<string, { edition: number; entries: Map<string, number>; rates: Map<string, number> }>(),
    oidc: {
      records: new Map<string, OidcEntry>(),
    },
    keys: null as Record<string, string> | null,
  };
}

interface OidcEntry {
  payload: OidcRecord;
  consumed: number | null;
  consumedBy?: string;
  expiresMs: number;
  /** The server that the record belongs to and is lost with; null for any. */
  runId: string | null;
}
