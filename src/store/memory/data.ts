import type { Group, Room } from "../../core/room.ts";
import type { OidcRecord } from "../contract/room-store.ts";

/** All that the store keeps of one room. Mirrors the room's keys in Redis. */
export interface RoomData extends Room {
  readonly name: string;
}

export interface OidcData {
  /** `runId`: the server that the record belongs to and is lost with; null for any. */
  records: Map<string, { payload: OidcRecord; consumed: number | null; expiresMs: number; runId: string | null }>;
  /** Secondary keys: session uid or user code to id. */
  uids: Map<string, { id: string; expiresMs: number }>;
  grants: Map<string, { keys: Set<string>; revoked: boolean; expiresMs: number }>;
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

/** The whole store. Plain data: tests copy it to take a snapshot. */
export interface MemoryData {
  /** Stands for the run id of a server. */
  runId: string;
  incarnations: number;
  rooms: Map<string, RoomData>;
  /** Shared outflows by id. */
  groups: Map<string, Group>;
  documents: Map<string, DocumentData>;
  oidc: OidcData;
  keys: Record<string, string> | null;
}

export function createMemoryData(runId: string): MemoryData {
  return {
    runId,
    incarnations: 0,
    rooms: new Map(),
    groups: new Map(),
    documents: new Map(),
    oidc: { records: new Map(), uids: new Map(), grants: new Map() },
    keys: null,
  };
}
