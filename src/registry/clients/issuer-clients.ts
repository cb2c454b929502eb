import {
  type ClientConfig,
  type ClientReading,
  type IssuerConfig,
  readClientDocument,
  roomsNamed,
} from "../../config/index.ts";
import type { RegisteredClient } from "../content.ts";
import { createViews, type RegisteredView } from "../registered.ts";
import { type ClientChangesOptions, createClientChanges } from "./client-changes.ts";
import { createClientDirectory, type DirectoryEntry, entryOfFile } from "./client-directory.ts";

type RegisteredClientView = RegisteredView<RegisteredClient, ClientReading>;

/** A client of the file, or one that was made at run time, as this process sees it. */
export type ClientView =
  | {
      readonly source: "file";
      readonly id: string;
      readonly client: ClientConfig;
      /** One of the same id was made at run time. */
      readonly isShadowing: boolean;
    }
  | RegisteredClientView;

/** Ids of the rooms that it is for, whether they exist or not. */
export function roomsOf(view: ClientView): readonly string[] {
  return view.source === "file" ? view.client.rooms : roomsNamed(view.registered.document);
}

export type IssuerClients = ReturnType<typeof createIssuerClients>;

/** The clients of the configuration file, and those that were made at run time. One of the file wins over one of the same id. */
export function createIssuerClients(
  options: Omit<ClientChangesOptions, "isInFile"> & {
    readonly config: Pick<IssuerConfig, "clients">;
    readonly onRoomsChange: (listener: () => void) => void;
  },
) {
  const { config, place, registry, clock, report } = options;
  const ofFile = new Map<string, ClientConfig>(config.clients.map((client) => [client.clientId, client]));
  const isInFile = (id: string) => ofFile.has(id);
  const readViews = createViews<RegisteredClient, ClientReading>({
    read: (document) => readClientDocument(document, [place]),
    isShadowed: isInFile,
    report: (client_id, status, faults) =>
      report(
        status === "shadowed"
          ? { event: "client.shadowed", client_id }
          : { event: "client.unusable", client_id, faults },
      ),
  });
  let { rooms } = place;
  let registered: readonly RegisteredClientView[] = [];
  const directory = createClientDirectory([], () => clock.now());
  review();
  registry.onChange(review);
  // They may have become others by what happens at another issuer.
  options.onRoomsChange(review);

  return {
    ...directory,
    get all() {
      return directory.all;
    },
    changes: createClientChanges({ ...options, isInFile }),
    /** All there are, those that are not in force among them. */
    get views(): readonly ClientView[] {
      const registeredIds = new Set(registered.map(({ id }) => id));
      const views = [...ofFile].map(
        ([id, client]): ClientView => ({ source: "file", id, client, isShadowing: registeredIds.has(id) }),
      );
      return [...views, ...registered];
    },
    /** The secrets of a client of the file are others now, newest first. */
    setFileSecrets(clientId: string, [newest, ...olderClientSecrets]: readonly string[]): void {
      const client = ofFile.get(clientId);
      if (client === undefined) return;
      ofFile.set(clientId, { ...client, clientSecret: newest ?? null, olderClientSecrets });
      replaceAll();
    },
  };

  function review(): void {
    registered = readViews(registry.content.clients, rooms !== place.rooms);
    rooms = place.rooms;
    replaceAll();
  }

  function replaceAll(): void {
    directory.replace([...[...ofFile.values()].map(entryOfFile), ...registered.flatMap(entryOf)]);
  }
}

function entryOf({ status, reading, registered }: RegisteredClientView): DirectoryEntry[] {
  if (status !== "active" || "faults" in reading) return [];
  return [{ client: reading.client, secrets: registered.secrets, createdMs: registered.created_ms }];
}
