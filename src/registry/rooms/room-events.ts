/** What happens to the rooms that are made at run time; for the log. */
export type RegisteredRoomEvent =
  | {
      readonly event: "room.created" | "room.updated" | "room.deleted";
      readonly room: string;
      /** Id of the admin key. */
      readonly admin: string;
    }
  /** The file has one of the same id, whose settings are in force; or another issuer has. */
  | { readonly event: "room.shadowed"; readonly room: string }
  /** It does not fit this process: one sentence for each fault. */
  | { readonly event: "room.unusable"; readonly room: string; readonly faults: readonly string[] };
