import { formatTime, type Role } from "../../config/index.ts";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { UsherError } from "../../lib/errors.ts";
import type { AdminKeyEvent } from "../events.ts";
import { conflict } from "../refusals.ts";
import type { Registry } from "../registry.ts";
import { addSecret, hashSecret, newSecret, type RotatedSecretAnswer, withoutEndedSecrets } from "../secrets.ts";
import { type AdminKeysContent, endedMax, identityOf, type RegisteredAdminKey } from "./content.ts";

/** Each request compares its key with all of them. */
const keysMax = 200;
const bytesMax = 512 * 1_024;
/** Tells scanners of repositories and logs what they have found. */
const secretPrefix = "usher_";

export interface AdminKeyChangesOptions {
  readonly registry: Registry<AdminKeysContent>;
  readonly ofFile: readonly {
    readonly id: string;
    readonly identity: string;
    readonly role: Role;
    readonly rooms: readonly string[] | null;
  }[];
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (event: AdminKeyEvent) => void;
}

/** What an operator chooses of a new key. `expiresMs` since 1970; null for good. */
export interface NewAdminKey {
  readonly id: string;
  readonly role: Role;
  readonly rooms: readonly string[] | null;
  readonly note: string | null;
  readonly expiresMs: number | null;
}

type Keys = AdminKeysContent["keys"];

export type AdminKeyChanges = ReturnType<typeof createAdminKeyChanges>;

/** What is done to the admin keys at run time, for all processes. `admin` is the id of who does it. */
export function createAdminKeyChanges({ registry, ofFile, clock, random, report }: AdminKeyChangesOptions) {
  return {
    /** Answers the secret, which nobody can learn later. @throws UsherError `bad_request`, `conflict`, `store_unavailable` */
    async create({ id, role, rooms, note, expiresMs }: NewAdminKey, admin: string): Promise<string> {
      const secret = makeSecret();
      await change((keys, nowMs) => {
        if (isOfFile(id)) throw conflict("the configuration has an admin key of this id: choose another one");
        if (Object.hasOwn(keys, id)) {
          const instead = `POST /admin/api-keys/${id}/rotate gives it another secret`;
          throw conflict(`there is an admin key of this id already: ${instead}; or choose another id`);
        }
        if (registry.content.ended?.includes(id)) {
          throw conflict("an admin key of this id was revoked, and the audit names it by that: choose another id");
        }
        if (expiresMs !== null && expiresMs <= nowMs) {
          throw new UsherError("bad_request", `expires_at: ${formatTime(expiresMs)} is past`);
        }
        const secrets = addSecret([], hashSecret(secret), nowMs, 0);
        const maker = whoIs(keys, admin);
        const times = { created_ms: nowMs, expires_ms: expiresMs };
        const key = { role, rooms, note, secrets, created_by: admin, maker, ...times };
        return { ...keys, [id]: key };
      });
      const expires_at = expiresMs === null ? null : formatTime(expiresMs);
      report({ event: "admin_key.created", key: id, admin, role, rooms, expires_at });
      return secret;
    },

    /** @param overlapMs how long the secret before it goes on working @throws as `create`, and `not_found` */
    async rotate(id: string, overlapMs: number, admin: string): Promise<RotatedSecretAnswer> {
      const secret = makeSecret();
      const changed = await change((keys, nowMs) => {
        const before = find(keys, id);
        if (before.expires_ms !== null && before.expires_ms <= nowMs) {
          throw conflict(`this admin key has expired (${formatTime(before.expires_ms)}): make another one`);
        }
        const secrets = addSecret(before.secrets, hashSecret(secret), nowMs, overlapMs);
        const isByHolder = [before.maker, identityOf(id, before)].includes(whoIs(keys, admin));
        return { ...keys, [id]: { ...before, secrets, ...(!isByHolder && { rotated_by: admin }) } };
      });
      const previousExpiresMs = changed.keys[id]?.secrets[1]?.expires_ms ?? null;
      const previous_secret_expires_at = previousExpiresMs === null ? null : formatTime(previousExpiresMs);
      report({ event: "admin_key.rotated", key: id, admin, previous_secret_expires_at });
      return { secret, previousExpiresMs };
    },

    /** It is worth nothing from now on. @throws as `rotate` */
    async revoke(id: string, admin: string): Promise<void> {
      await change((keys, nowMs) => {
        const key = find(keys, id);
        const { [id]: _, ...others } = keys;
        const isLast = managesKeys(key) && ![...ofFile, ...inForce(others, nowMs)].some(managesKeys);
        if (isLast && isInForce(key, nowMs)) {
          throw conflict(
            "this is the last key with the role admin for all rooms, and without one nobody can make another: make that first, or put one into the configuration file",
          );
        }
        return others;
      });
      report({ event: "admin_key.revoked", key: id, admin });
    },
  };

  function makeSecret(): string {
    return secretPrefix + newSecret(random);
  }

  /** `make` may be called again with newer keys, and must have no lasting effects of its own. */
  function change(make: (keys: Keys, nowMs: number) => Keys): Promise<AdminKeysContent> {
    return registry.update((content) => {
      const nowMs = clock.now();
      const keys = make(withoutEndedSecrets(content.keys, nowMs), nowMs);
      if (Object.keys(keys).length > keysMax) {
        throw conflict(`there are ${keysMax} admin keys made at run time, and no more can be: revoke some`);
      }
      if (Buffer.byteLength(JSON.stringify(keys)) > bytesMax) {
        throw conflict("the admin keys made at run time take more than 512 KiB together: revoke some");
      }
      const ended = Object.keys(content.keys).filter((id) => !Object.hasOwn(keys, id));
      return { ...content, keys, ended: [...(content.ended ?? []), ...ended].slice(-endedMax) };
    });
  }

  /** What tells a key from others of its name; of a person the id. */
  function whoIs(keys: Keys, admin: string): string {
    const created = Object.hasOwn(keys, admin) ? keys[admin] : undefined;
    return (
      ofFile.find(({ id }) => id === admin)?.identity ?? (created === undefined ? admin : identityOf(admin, created))
    );
  }

  function isOfFile(id: string): boolean {
    return ofFile.some((key) => key.id === id);
  }

  /** @throws UsherError `not_found`, `conflict` */
  function find(keys: Keys, id: string): RegisteredAdminKey {
    const key = Object.hasOwn(keys, id) ? keys[id] : undefined;
    if (key !== undefined) return key;
    if (!isOfFile(id)) throw noSuchAdminKey();
    throw conflict("this admin key is in the configuration: change it there, and restart the processes");
  }
}

export function noSuchAdminKey(): UsherError {
  return new UsherError("not_found", "there is no admin key of this id: GET /admin/api-keys lists them");
}

function managesKeys({ role, rooms }: { readonly role: Role; readonly rooms: readonly string[] | null }): boolean {
  return role === "admin" && rooms === null;
}

function isInForce({ expires_ms: endMs }: RegisteredAdminKey, nowMs: number): boolean {
  return endMs === null || nowMs < endMs;
}

function inForce(keys: Keys, nowMs: number): RegisteredAdminKey[] {
  return Object.values(keys).filter((key) => isInForce(key, nowMs));
}
