import {
  type ClientPlace,
  type ClientReading,
  formatTime,
  readClientDocument,
  roomsNamed,
  secretlessReason,
} from "../../config/index.ts";
import type { Clock, Random } from "../../lib/clock-and-random.ts";
import { mergePatch } from "../../lib/json.ts";
import type { RegisteredClient, RegistryContent } from "../content.ts";
import type { ClientEvent } from "../events.ts";
import { badDocument, conflict, faultsOf, idIsTaken, isOfFile, noSuchClient } from "../refusals.ts";
import { type Document, withRegistered } from "../registered.ts";
import type { Registry } from "../registry.ts";
import { addSecret, hashSecret, newSecret, type RotatedSecretAnswer, withoutEndedSecrets } from "../secrets.ts";

/** The admin key of an operator who changes a client. */
export interface ClientOperator {
  readonly id: string;
  /** Rooms whose clients it may change; null for all. */
  readonly rooms: readonly string[] | null;
  /** @throws UsherError `forbidden` when one of these is not for it */
  requireRooms(rooms: readonly string[]): void;
}

export interface ClientChangesOptions {
  readonly registry: Registry;
  /** The issuer, with its rooms as they are. */
  readonly place: ClientPlace;
  readonly isInFile: (id: string) => boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (event: ClientEvent) => void;
}

type Clients = RegistryContent["clients"];

/** What is done to the clients of one issuer at run time, for all of its processes. */
export function createClientChanges(options: ClientChangesOptions) {
  const { registry, place, isInFile, clock, random, report } = options;

  return {
    /**
     * Answers the secret, which nobody can learn later; null for a public client.
     *
     * @throws UsherError `bad_request`, `forbidden`, `conflict`, `store_unavailable`
     */
    async create(document: Document, by: ClientOperator): Promise<string | null> {
      const id = String(document.client_id);
      const secret = newSecret(random);
      let hasNoSecret = false;
      await change((clients, nowMs) => {
        const { client } = read(document, by);
        hasNoSecret = secretlessReason(client.tokenEndpointAuthMethod) !== null;
        if (isInFile(id) || Object.hasOwn(clients, id)) throw idIsTaken(id, isInFile(id));
        const secrets = hasNoSecret ? [] : addSecret([], hashSecret(secret), nowMs, 0);
        return { ...clients, [id]: { document, secrets, created_ms: nowMs, updated_ms: nowMs } };
      });
      report({ event: "client.created", client_id: id, admin: by.id });
      return hasNoSecret ? null : secret;
    },

    /** @param patch see RFC 7396 @throws as `create`, and `not_found` */
    async patch(id: string, patch: Document, by: ClientOperator): Promise<void> {
      await change((clients, nowMs) => {
        const before = find(clients, id, by);
        const document = mergePatch(before.document, patch) as Document;
        const { client } = read(document, by, id);
        // A secret that nobody uses any more shall not come back to life.
        const secrets = secretlessReason(client.tokenEndpointAuthMethod) === null ? before.secrets : [];
        return { ...clients, [id]: { ...before, document, secrets, updated_ms: nowMs } };
      });
      report({ event: "client.updated", client_id: id, admin: by.id });
    },

    /** Its codes and tokens are worth nothing from now on. @throws as `patch` */
    async remove(id: string, by: ClientOperator): Promise<void> {
      await change((clients) => {
        find(clients, id, by, "delete");
        const { [id]: _, ...others } = clients;
        return others;
      });
      report({ event: "client.deleted", client_id: id, admin: by.id });
    },

    /** @param overlapMs how long the secret before it goes on working @throws as `patch` */
    async rotateSecret(id: string, overlapMs: number, by: ClientOperator): Promise<RotatedSecretAnswer> {
      const secret = newSecret(random);
      const changed = await change((clients, nowMs) => {
        const before = find(clients, id, by);
        const secretless = secretlessReason(before.document.token_endpoint_auth_method);
        if (secretless !== null) throw conflict(`${secretless}: change that first`);
        const secrets = addSecret(before.secrets, hashSecret(secret), nowMs, overlapMs);
        return { ...clients, [id]: { ...before, secrets, updated_ms: nowMs } };
      });
      const previousExpiresMs = changed.clients[id]?.secrets[1]?.expires_ms ?? null;
      const previous_secret_expires_at = previousExpiresMs === null ? null : formatTime(previousExpiresMs);
      report({ event: "client.secret_rotated", client_id: id, admin: by.id, previous_secret_expires_at });
      return { secret, previousExpiresMs };
    },
  };

  /** `make` may be called again with newer clients, and must have no lasting effects of its own. */
  function change(make: (clients: Clients, nowMs: number) => Clients): Promise<RegistryContent> {
    return registry.update((content) => {
      const nowMs = clock.now();
      return withRegistered(content, "clients", make(withoutEndedSecrets(content.clients, nowMs), nowMs));
    });
  }

  function find(clients: Clients, id: string, by: ClientOperator, step?: "delete"): RegisteredClient {
    const client = Object.hasOwn(clients, id) ? clients[id] : undefined;
    if (client === undefined && !isInFile(id)) throw noSuchClient();
    if (client === undefined) throw isOfFile();
    by.requireRooms(roomsNamed(client.document));
    if (isInFile(id) && step !== "delete") {
      throw conflict(
        "a client of the configuration file has the same id, and is in force: take that out of the file, or delete this one",
      );
    }
    return client;
  }

  /** @throws UsherError `forbidden`, `bad_request` with all faults */
  function read(document: Document, by: ClientOperator, id?: string) {
    by.requireRooms(roomsNamed(document));
    const reading = readAs(by, document, [place]);
    const moved =
      id === undefined || document.client_id === id
        ? []
        : [{ path: "client_id", message: "cannot change: make another client" }];
    if (!("faults" in reading) && moved.length === 0) return reading;
    throw badDocument([...moved, ...faultsOf(reading)]);
  }
}

/** What is said of rooms is said of those that the operator may see. */
export function readAs(by: ClientOperator, document: unknown, places: readonly ClientPlace[]): ClientReading {
  const isVisible = ({ id }: { id: string }) => by.rooms === null || by.rooms.includes(id);
  const visible = places.map((place) => ({ ...place, rooms: place.rooms.filter(isVisible) }));
  const reading = readClientDocument(document, visible);
  return "faults" in reading ? reading : readClientDocument(document, places);
}
