import { timingSafeEqual } from "node:crypto";
import type { AdminKey, Role } from "../../config/index.ts";
import { createRegistry, type Registry, type RegistryOptions } from "../registry.ts";
import { type AdminKeyChanges, type AdminKeyChangesOptions, createAdminKeyChanges } from "./changes.ts";
import { type AdminKeysContent, adminKeysContent, identityOf, type RegisteredAdminKey } from "./content.ts";
import { withKeyChanges } from "./notes.ts";

/** What was granted to a key. */
export interface KeyGrant {
  readonly id: string;
  readonly role: Role;
  /** Null for all, and for what is of no room. */
  readonly rooms: readonly string[] | null;
}

/** An admin key of the file, or one that was made at run time, as this process sees it. */
export type AdminKeyView = KeyGrant & {
  /** What no other key has, not even a later one of the same id. */
  readonly identity: string;
} & (
    | { readonly source: "file" }
    | {
        readonly source: "admin_api";
        /** `shadowed`: the file has one of the same id, which is in force. */
        readonly status: "active" | "expired" | "shadowed";
        readonly registered: RegisteredAdminKey;
      }
  );

/** The admin keys of the configuration, and those that were made at run time. One of the file wins over one of the same id. */
export interface AdminKeys {
  readonly registry: Registry<AdminKeysContent>;
  readonly changes: AdminKeyChanges;
  /** All there are, those that are not in force among them. */
  readonly views: readonly AdminKeyView[];
  /** What a key was granted, by its SHA-256; null for one that is not in force. Constant time. Asks no store. */
  find(sha256: Buffer): KeyGrant | null;
}

export interface AdminKeysOptions
  extends Omit<RegistryOptions<AdminKeysContent>, "kind" | "name" | "noted" | "report">,
    Omit<AdminKeyChangesOptions, "registry" | "ofFile" | "report"> {
  readonly ofFile: readonly AdminKey[];
  readonly report: RegistryOptions<AdminKeysContent>["report"] & AdminKeyChangesOptions["report"];
}

/** The document's name in the store. */
export const adminKeysName = "admin keys";

interface Entry {
  readonly grant: KeyGrant;
  readonly sha256: Buffer;
  /** Null for good. */
  readonly expiresMs: number | null;
}

export function createAdminKeys(options: AdminKeysOptions): AdminKeys {
  const { clock, report } = options;
  const registry = createRegistry({
    ...options,
    kind: adminKeysContent,
    name: adminKeysName,
    annotate: (before, after, version) => withKeyChanges(before, after, version, clock.now()),
  });
  const ofFile = options.ofFile.map((key) => ({
    grant: grantOf(key),
    sha256: digest(key.keySha256),
    expiresMs: null,
    // Of its hash that much says nothing of the key, and no two keys share it.
    identity: `file ${key.id} ${key.keySha256.slice(0, 16)}`,
  }));
  const idsOfFile = new Set(ofFile.map(({ grant }) => grant.id));
  let shadowed: readonly string[] = [];
  let entries: readonly Entry[] = [];
  review();
  registry.onChange(review);

  return {
    registry,
    changes: createAdminKeyChanges({
      ...options,
      registry,
      ofFile: ofFile.map(({ grant, identity }) => ({ ...grant, identity })),
    }),
    get views() {
      const nowMs = clock.now();
      const created = Object.entries(registry.content.keys).map(([id, registered]): AdminKeyView => {
        const { role, rooms, expires_ms: endMs } = registered;
        const status = idsOfFile.has(id) ? "shadowed" : endMs !== null && endMs <= nowMs ? "expired" : "active";
        return { source: "admin_api", id, identity: identityOf(id, registered), role, rooms, status, registered };
      });
      return [
        ...ofFile.map(({ grant, identity }): AdminKeyView => ({ source: "file", identity, ...grant })),
        ...created,
      ];
    },
    find(sha256) {
      const nowMs = clock.now();
      let found: KeyGrant | null = null;
      // All are compared, so that the time does not reveal which one was close.
      for (const entry of entries) {
        const isEqual = timingSafeEqual(sha256, entry.sha256);
        if (isEqual && (entry.expiresMs === null || nowMs < entry.expiresMs)) found = entry.grant;
      }
      return found;
    },
  };

  function review(): void {
    const created = Object.entries(registry.content.keys);
    const hidden = created.map(([id]) => id).filter((id) => idsOfFile.has(id));
    for (const id of hidden) if (!shadowed.includes(id)) report({ event: "admin_key.shadowed", key: id });
    shadowed = hidden;
    entries = [...ofFile, ...created.filter(([id]) => !idsOfFile.has(id)).flatMap(entriesOf)];
  }
}

/** One of the file is an admin where nothing else is written, and an operator where it names rooms. */
function grantOf({ id, role, rooms }: AdminKey): KeyGrant {
  return { id, role: role ?? (rooms === undefined ? "admin" : "operator"), rooms: rooms ?? null };
}

function entriesOf([id, { role, rooms, secrets, expires_ms: ofKey }]: readonly [string, RegisteredAdminKey]): Entry[] {
  return secrets.map(({ sha256, expires_ms: ofSecret }) => {
    const ends = [ofKey, ofSecret].filter((end) => end !== null);
    const expiresMs = ends.length === 0 ? null : Math.min(...ends);
    return { grant: { id, role, rooms }, sha256: digest(sha256), expiresMs };
  });
}

function digest(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}
