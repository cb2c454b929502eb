import type { ClientConfig, ClientPlace, IssuerConfig } from "../../config/index.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import type { Registry } from "../registry.ts";
import { type ClientChanges, createClientChanges } from "./client-changes.ts";
import { type ClientDirectory, createClientDirectory, type DirectoryEntry, entryOfFile } from "./client-directory.ts";
import type { ClientEvent } from "./client-events.ts";
import { type ClientView, createClientReader, type RegisteredView } from "./client-views.ts";

export interface IssuerClientsOptions {
  readonly config: Pick<IssuerConfig, "clients">;
  /** The issuer, with its rooms as they are. */
  readonly place: ClientPlace;
  readonly onRoomsChange: (listener: () => void) => void;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: (event: ClientEvent) => void;
}

/** The clients of the configuration file, and those that were made at run time. One of the file wins over one of the same id. */
export interface IssuerClients extends ClientDirectory {
  readonly changes: ClientChanges;
  /** All there are, those that are not in force among them. */
  readonly views: readonly ClientView[];
  /** The secrets of a client of the file are others now, newest first. */
  setFileSecrets(clientId: string, secrets: readonly string[]): void;
}

export function createIssuerClients(options: IssuerClientsOptions): IssuerClients {
  const { config, place, registry, clock, random, report } = options;
  const ofFile = new Map<string, ClientConfig>(config.clients.map((client) => [client.clientId, client]));
  const isInFile = (id: string) => ofFile.has(id);
  const read = createClientReader(place, isInFile);
  const reported = createTeller(report);
  let registered = readAll();
  const directory = createClientDirectory(entries(), () => clock.now());
  registry.onChange(review);
  // They may have become others by what happens at another issuer.
  options.onRoomsChange(review);

  return {
    ...directory,
    get all() {
      return directory.all;
    },
    changes: createClientChanges({ registry, place, isInFile, clock, random, report }),
    get views() {
      const made = new Set(registered.map(({ id }) => id));
      const views = [...ofFile].map(
        ([id, client]): ClientView => ({ source: "file", id, client, isShadowing: made.has(id) }),
      );
      return [...views, ...registered];
    },
    setFileSecrets(clientId, [clientSecret = null, ...olderClientSecrets]) {
      const client = ofFile.get(clientId);
      if (client === undefined) return;
      ofFile.set(clientId, { ...client, clientSecret, olderClientSecrets });
      directory.replace(entries());
    },
  };

  function review(): void {
    registered = readAll();
    directory.replace(entries());
  }

  function readAll(): readonly RegisteredView[] {
    const views = read(registry.content.clients);
    reported(views);
    return views;
  }

  function entries(): DirectoryEntry[] {
    return [...[...ofFile.values()].map(entryOfFile), ...registered.flatMap(entryOf)];
  }
}

function entryOf({ status, reading, registered }: RegisteredView): DirectoryEntry[] {
  if (status !== "active" || "faults" in reading) return [];
  const secrets = registered.secrets.map(({ sha256, expires_ms: expiresMs }) => ({ sha256, expiresMs }));
  return [{ client: reading.client, secrets }];
}

/** Tells of clients that are not in force: once, until they are again. */
function createTeller(report: (event: ClientEvent) => void): (views: readonly RegisteredView[]) => void {
  let known: ReadonlyMap<string, RegisteredView["status"]> = new Map();
  return (views) => {
    for (const { id: clientId, status, reading } of views) {
      if (known.get(clientId) === status) continue;
      if (status === "shadowed") report({ event: "client.shadowed", clientId });
      if (status === "unusable" && "faults" in reading) {
        const faults = reading.faults.map(({ path, message }) => `${path}: ${message}`);
        report({ event: "client.unusable", clientId, faults });
      }
    }
    known = new Map(views.map(({ id, status }) => [id, status]));
  };
}
