/** What happens to the clients that are made at run time; for the log. */
export type ClientEvent =
  | {
      readonly event: "client.created" | "client.updated" | "client.deleted";
      readonly clientId: string;
      /** Id of the admin key. */
      readonly admin: string;
    }
  | {
      readonly event: "client.secret_rotated";
      readonly clientId: string;
      readonly admin: string;
      /** Milliseconds since 1970, UTC; null where no older secret works any more. */
      readonly previousExpiresMs: number | null;
    }
  /** A client of the file has the same id, and is in force. */
  | { readonly event: "client.shadowed"; readonly clientId: string }
  /** The file of this process does not fit it: one sentence for each fault. */
  | { readonly event: "client.unusable"; readonly clientId: string; readonly faults: readonly string[] };
