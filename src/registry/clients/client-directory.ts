import { timingSafeEqual } from "node:crypto";
import type { ClientConfig } from "../../config/index.ts";
import { derived } from "../../lib/derived.ts";
import type { RegisteredClient } from "../content.ts";
import { hashSecret } from "../secrets.ts";

/** The relying parties of one issuer, wherever they come from, as they are now. Asks no store. */
export type ClientDirectory = Omit<ReturnType<typeof createClientDirectory>, "replace">;

/** What a client may authenticate with. */
type AcceptedSecret = Pick<RegisteredClient["secrets"][number], "sha256" | "expires_ms">;

export interface DirectoryEntry {
  readonly client: ClientConfig;
  readonly secrets: readonly AcceptedSecret[];
  /** When it was made, of one that was made at run time. */
  readonly createdMs?: number;
}

/** A client of the configuration file, with the secrets that stand there. */
export function entryOfFile(client: ClientConfig): DirectoryEntry {
  const { clientSecret, olderClientSecrets = [] } = client;
  const secrets = clientSecret === null ? [] : [clientSecret, ...olderClientSecrets];
  return { client, secrets: secrets.map((secret) => ({ sha256: hashSecret(secret), expires_ms: null })) };
}

/** A directory that its owner keeps. @param now milliseconds since 1970, by which secrets end */
export function createClientDirectory(entries: readonly DirectoryEntry[], now: () => number) {
  let all: readonly ClientConfig[] = [];
  let byId: ReadonlyMap<string, DirectoryEntry> = new Map();
  replace(entries);

  return {
    get all() {
      return all;
    },
    get: (clientId: string): ClientConfig | undefined => byId.get(clientId)?.client,
    /** What a client may authenticate with, the newest first, ended ones too as long as they are known. */
    secretsOf: (clientId: string): readonly AcceptedSecret[] => byId.get(clientId)?.secrets ?? [],
    /**
     * Whether a client was made by then, in seconds since 1970. What was issued to one of the same id that was deleted before is not for it; of what was issued within
     * the second in which it was made, nobody can tell. False for an unknown client.
     */
    wasThere(clientId: string, atSec: number): boolean {
      const entry = byId.get(clientId);
      return entry !== undefined && atSec >= Math.floor((entry.createdMs ?? 0) / 1_000);
    },
    replace,
    /** Whether a client authenticates with this. Constant time in the secret. False for a public or unknown client. */
    acceptsSecret(clientId: string, presented: string): boolean {
      const digest = Buffer.from(hashSecret(presented), "hex");
      const nowMs = now();
      let isAccepted = false;
      for (const { sha256, expires_ms: endMs } of byId.get(clientId)?.secrets ?? []) {
        const isEqual = timingSafeEqual(digest, Buffer.from(sha256, "hex"));
        if (isEqual && (endMs === null || nowMs < endMs)) isAccepted = true;
      }
      return isAccepted;
    },
    /** Something made of all clients: made now, and anew when they change. */
    derive: <T>(make: (clients: readonly ClientConfig[]) => T): (() => T) => derived(() => [all], make),
  };

  function replace(next: readonly DirectoryEntry[]): void {
    byId = new Map(next.map((entry) => [entry.client.clientId, entry]));
    all = next.map(({ client }) => client);
  }
}
