import {
  type ClientPlace,
  type ClientReading,
  readClientDocument,
  roomsNamed,
  secretlessReason,
} from "../../config/index.ts";
import type { Clock } from "../../lib/clock.ts";
import { mergePatch } from "../../lib/merge-patch.ts";
import type { Random } from "../../lib/random.ts";
import type { RegisteredClient, RegistryContent } from "../content.ts";
import type { Registry } from "../registry.ts";
import { hashSecret } from "./client-directory.ts";
import type { ClientEvent } from "./client-events.ts";
import { badDocument, conflict, faultLines, idIsTaken, isOfFile, noSuchClient } from "./client-refusals.ts";
import { addSecret, withoutEndedSecrets } from "./client-secrets.ts";

/** The operator who changes a client. */
export interface ClientOperator {
  /** Id of the admin key. */
  readonly admin: string;
  /** Rooms whose clients it may change; null for all. */
  readonly rooms: readonly string[] | null;
  /** @throws UsherError `forbidden` when one of these is not for it */
  readonly mayUse: (rooms: readonly string[]) => void;
}

/** What is done to the clients of one issuer at run time, for all of its processes. */
export interface ClientChanges {
  /**
   * Answers the secret, which nobody can learn later; null for a public client.
   *
   * @throws UsherError `bad_request`, `forbidden`, `conflict`, `store_unavailable`
   */
  create(document: Readonly<Record<string, unknown>>, by: ClientOperator): Promise<string | null>;
  /** @param patch see RFC 7396 @throws as `create`, and `not_found` */
  patch(id: string, patch: Readonly<Record<string, unknown>>, by: ClientOperator): Promise<void>;
  /** Its codes and tokens are worth nothing from now on. @throws as `patch` */
  remove(id: string, by: ClientOperator): Promise<void>;
  /** @param overlapMs how long the secret before it goes on working @throws as `patch` */
  rotateSecret(
    id: string,
    overlapMs: number,
    by: ClientOperator,
  ): Promise<{ readonly secret: string; readonly previousExpiresMs: number | null }>;
}

export interface ClientChangesOptions {
  readonly registry: Registry;
  readonly place: ClientPlace;
  readonly isInFile: (id: string) => boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (event: ClientEvent) => void;
}

type Clients = RegistryContent["clients"];

/** As many as the configuration file may have. */
const clientsMax = 1_000;
/** The registry travels as a whole, and its keys need room, too. */
const clientsBytesMax = 3 * 1024 * 1024;
const secretBytes = 32;

export function createClientChanges(options: ClientChangesOptions): ClientChanges {
  const { registry, place, isInFile, clock, random, report } = options;

  return {
    async create(document, by) {
      const id = String(document.client_id);
      const secret = newSecret();
      let hasNoSecret = false;
      await change((clients, nowMs) => {
        const { client } = read(document, by);
        hasNoSecret = secretlessReason(client.tokenAuthentication) !== null;
        if (isInFile(id) || Object.hasOwn(clients, id)) throw idIsTaken(id, isInFile(id));
        if (Object.keys(clients).length >= clientsMax) {
          throw conflict(`there are ${clientsMax} clients made at run time, and no more can be: delete some`);
        }
        const secrets = hasNoSecret ? [] : addSecret([], hashSecret(secret), nowMs, 0);
        return { ...clients, [id]: { document, secrets, created_ms: nowMs, updated_ms: nowMs } };
      });
      report({ event: "client.created", clientId: id, admin: by.admin });
      return hasNoSecret ? null : secret;
    },

    async patch(id, patch, by) {
      await change((clients, nowMs) => {
        const before = find(clients, id, by);
        const document = mergePatch(before.document, patch) as Record<string, unknown>;
        const { client } = read(document, by, id);
        // A secret that nobody uses any more shall not come back to life.
        const secrets = secretlessReason(client.tokenAuthentication) === null ? before.secrets : [];
        return { ...clients, [id]: { ...before, document, secrets, updated_ms: nowMs } };
      });
      report({ event: "client.updated", clientId: id, admin: by.admin });
    },

    async remove(id, by) {
      await change((clients) => {
        find(clients, id, by, "delete");
        const { [id]: _, ...others } = clients;
        return others;
      });
      report({ event: "client.deleted", clientId: id, admin: by.admin });
    },

    async rotateSecret(id, overlapMs, by) {
      const secret = newSecret();
      let previousExpiresMs: number | null = null;
      await change((clients, nowMs) => {
        const before = find(clients, id, by);
        const secretless = secretlessReason(before.document.token_endpoint_auth_method);
        if (secretless !== null) throw conflict(`${secretless}: change that first`);
        const secrets = addSecret(before.secrets, hashSecret(secret), nowMs, overlapMs);
        previousExpiresMs = secrets[1]?.expires_ms ?? null;
        return { ...clients, [id]: { ...before, secrets, updated_ms: nowMs } };
      });
      report({ event: "client.secret_rotated", clientId: id, admin: by.admin, previousExpiresMs });
      return { secret, previousExpiresMs };
    },
  };

  function newSecret(): string {
    return random.bytes(secretBytes).toString("base64url");
  }

  /** `make` may be called again with newer clients, and must have no lasting effects of its own. */
  function change(make: (clients: Clients, nowMs: number) => Clients): Promise<void> {
    return registry.update((content) => {
      const nowMs = clock.now();
      const clients = make(withoutEndedSecrets(content.clients, nowMs), nowMs);
      if (Buffer.byteLength(JSON.stringify(clients)) > clientsBytesMax) {
        throw conflict("the clients made at run time take more than 3 MiB together: shorten lists, or delete some");
      }
      return { ...content, clients };
    });
  }

  function find(clients: Clients, id: string, by: ClientOperator, step?: "delete"): RegisteredClient {
    const client = Object.hasOwn(clients, id) ? clients[id] : undefined;
    if (client === undefined && !isInFile(id)) throw noSuchClient();
    if (client === undefined) throw isOfFile();
    by.mayUse(roomsNamed(client.document));
    if (isInFile(id) && step !== "delete") {
      throw conflict(
        "a client of the configuration file has the same id, and is in force: take that out of the file, or delete this one",
      );
    }
    return client;
  }

  /** @throws UsherError `forbidden`, `bad_request` with all faults */
  function read(document: Readonly<Record<string, unknown>>, by: ClientOperator, id?: string) {
    by.mayUse(roomsNamed(document));
    const reading = readAs(by, document, [place]);
    const moved =
      id === undefined || document.client_id === id ? [] : ["client_id: cannot change: make another client"];
    if (!("faults" in reading) && moved.length === 0) return reading;
    throw badDocument([...moved, ...faultLines(reading)]);
  }
}

/** What is said of rooms is said of those that the operator may see. */
export function readAs(by: ClientOperator, document: unknown, places: readonly ClientPlace[]): ClientReading {
  const isVisible = ({ id }: { id: string }) => by.rooms === null || by.rooms.includes(id);
  const visible = places.map((each) => ({ ...each, rooms: each.rooms.filter(isVisible) }));
  const reading = readClientDocument(document, visible);
  return "faults" in reading ? reading : readClientDocument(document, places);
}
