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
  "unvisited",
  "changes",
  "claimed_places",
  "left_places",
  "used_entries",
  "holders",
  "moves",
  "used_moves",
  "keyed_places",
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
  "events",
  "deliveries",
  "dead_letters",
  "push_texts",
  "push_turns",
  "push_near",
  "push_undrawn",
  "push_due",
  "join_rates",
  "join_entries",
  "join_edition",
  "entry_blocks",
] as const;

type RoomKeys = Readonly<Record<(typeof roomKeyNames)[number], string>>;
export type Keys = ReturnType<typeof createKeys>;

export function createKeys(prefix: string) {
  const ofRoom = (room: string, name: string) => `${prefix}{${room}}:${name}`;
  return {
    room: (room: string) => Object.fromEntries(roomKeyNames.map((name) => [name, ofRoom(room, name)])) as RoomKeys,
    /** The shared outflow that a room takes part in; `id` is "" for none. */
    group: (room: string, id: string) =>
      id === ""
        ? { group: ofRoom(room, "no-group"), group_log: ofRoom(room, "no-group-log") }
        : { group: `${prefix}group:${id}`, group_log: `${prefix}group-log:${id}` },
    /** The answer to an operator's request, for 24 h. */
    request: (room: string, requestId: string) => ofRoom(room, `request:${requestId}`),
    /** Fingerprints of the keys that all processes share. */
    fingerprints: `${prefix}keys`,
    /** Whose the store is; in the slot of `fingerprints`, so that one script may see both. */
    installation: `${prefix}installation{${prefix}keys}`,
    /** A text that all processes share; see shared-documents.ts. */
    document: (name: string) => `${prefix}document:${name}`,
    /** What processes say of themselves. */
    processes: `${prefix}processes`,
    /** The rows of the audit. */
    audit: `${prefix}audit`,
    /** What processes say of their watchers. */
    watchers: `${prefix}watchers`,
    oidcRecord: (recordKey: string) => `${prefix}oidc:${recordKey}`,
  };
}
