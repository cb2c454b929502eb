/**
 * All keys, in one place. The keys of a room share the hash tag `{room}`, so that in a Cluster they live on one node
 * and one script may use them all. Those of a shared outflow, which a Cluster cannot have, are named by its id; a room
 * without one passes names of its own in their place. Shared documents and records of oidc-provider each stand alone.
 */
export const roomKeyNames = [
  "state",
  "rows",
  "admissions",
  "live",
  "ended",
  "ended_logins",
  "idle",
  "changes",
  "claimed_places",
  "left_places",
  "used_entries",
  "holders",
  "moves",
  "used_moves",
  "log",
  "pending_claims",
  "pending_claim_times",
  "held_times",
  "held",
  "used_links",
  "admission_log",
  "statistics_tens",
  "statistics_minutes",
  "open_pages",
] as const;

export type RoomKeyName = (typeof roomKeyNames)[number];
export type RoomKeys = Readonly<Record<RoomKeyName, string>>;

export interface GroupKeys {
  readonly group: string;
  readonly group_log: string;
}

export interface Keys {
  room(room: string): RoomKeys;
  /** The shared outflow that a room takes part in; `id` is "" for none. */
  group(room: string, id: string): GroupKeys;
  /** The answer to an operator's request, for 24 h. */
  request(room: string, requestId: string): string;
  /** Fingerprints of the keys that all processes share. */
  readonly fingerprints: string;
  /** A text that all processes share; see shared-documents.ts. */
  document(name: string): string;
  oidcRecord(recordKey: string): string;
  oidcGrant(grantId: string): string;
  oidcIndex(model: string, member: "uid" | "userCode", value: string): string;
}

export function createKeys(prefix: string): Keys {
  const ofRoom = (room: string, name: string) => `${prefix}{${room}}:${name}`;
  return {
    room: (room) => Object.fromEntries(roomKeyNames.map((name) => [name, ofRoom(room, name)])) as RoomKeys,
    group: (room, id) =>
      id === ""
        ? { group: ofRoom(room, "no-group"), group_log: ofRoom(room, "no-group-log") }
        : { group: `${prefix}group:${id}`, group_log: `${prefix}group-log:${id}` },
    request: (room, requestId) => ofRoom(room, `request:${requestId}`),
    fingerprints: `${prefix}keys`,
    document: (name) => `${prefix}document:${name}`,
    oidcRecord: (recordKey) => `${prefix}oidc:${recordKey}`,
    oidcGrant: (grantId) => `${prefix}oidc-grant:${grantId}`,
    oidcIndex: (model, member, value) => `${prefix}oidc-${member}:${model}:${value}`,
  };
}
