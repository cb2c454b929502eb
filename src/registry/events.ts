/**
 * What happens to a registry, and to the rooms, clients and admin keys that are made at run time. In the words of the log, which writes each
 * event as it is, so none has a secret. `admin` is the id of an admin key.
 */
export type RegistryEvent =
  | { readonly event: "registry.changed"; readonly version: number; readonly by: "this process" | "another process" }
  | { readonly event: "registry.unreadable" | "registry.file_failed"; readonly err: unknown };

export type RegisteredRoomEvent =
  | {
      readonly event: "room.created" | "room.updated" | "room.deleted";
      readonly room: string;
      readonly admin: string;
    }
  /** The file has one of the same id, whose settings are in force; or another issuer has. */
  | { readonly event: "room.shadowed"; readonly room: string }
  /** It does not fit this process: one sentence for each fault. */
  | { readonly event: "room.unusable"; readonly room: string; readonly faults: readonly string[] };

export type AdminKeyEvent =
  | {
      readonly event: "admin_key.created";
      readonly key: string;
      readonly admin: string;
      readonly role: string;
      /** Null for all. */
      readonly rooms: readonly string[] | null;
      /** Null for good. */
      readonly expires_at: string | null;
    }
  | {
      readonly event: "admin_key.rotated";
      readonly key: string;
      readonly admin: string;
      /** Null where no older secret works any more. */
      readonly previous_secret_expires_at: string | null;
    }
  | { readonly event: "admin_key.revoked"; readonly key: string; readonly admin: string }
  /** A key of the configuration has the same id, and is in force. */
  | { readonly event: "admin_key.shadowed"; readonly key: string };

export type ClientEvent =
  | {
      readonly event: "client.created" | "client.updated" | "client.deleted";
      readonly client_id: string;
      readonly admin: string;
    }
  | {
      readonly event: "client.secret_rotated";
      readonly client_id: string;
      readonly admin: string;
      /** Null where no older secret works any more. */
      readonly previous_secret_expires_at: string | null;
    }
  /** A client of the file has the same id, and is in force. */
  | { readonly event: "client.shadowed"; readonly client_id: string }
  /** The file of this process does not fit it: one sentence for each fault. */
  | { readonly event: "client.unusable"; readonly client_id: string; readonly faults: readonly string[] };
