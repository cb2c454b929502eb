import type { ClientPlace, IssuerConfig, KeyMaterial } from "../config/index.ts";
import type { Clock, Random } from "../lib/clock-and-random.ts";
import type { SharedDocuments } from "../store/contract/room-store.ts";
import { createIssuerClients, type IssuerClients } from "./clients/issuer-clients.ts";
import { issuerContent } from "./content.ts";
import type { ClientEvent, RegisteredRoomEvent, RegistryEvent } from "./events.ts";
import { createKeyKeeper } from "./keys/key-keeper.ts";
import type { KeyEvent } from "./keys/key-reports.ts";
import { withRecordedChanges } from "./noted-changes.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { registryFileBeside } from "./registry-file.ts";
import { createIssuerRooms } from "./rooms/issuer-rooms.ts";
import type { Elsewhere } from "./rooms/room-changes.ts";

type Event = RegistryEvent | ClientEvent | RegisteredRoomEvent | KeyEvent;

export interface IssuerRegistryOptions {
  readonly config: IssuerConfig;
  /** As configured, or kept in the secrets file. */
  readonly keys: KeyMaterial;
  /** Tags of the languages of pages. */
  readonly languages: readonly string[];
  /** See `IssuerRoomsOptions`. */
  readonly stores: readonly string[];
  /** See `IssuerRoomsOptions`. */
  readonly elsewhere: (id: string) => Elsewhere;
  readonly documents: SharedDocuments;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether other processes may go by the same documents. */
  readonly isShared: boolean;
  /** How long the longest-lived signed token of the issuer is good for. */
  readonly longestTokenMs: () => number;
  readonly report: (event: Event & { readonly issuer: string }) => void;
}

export type IssuerRegistry = ReturnType<typeof createIssuerRegistry>;

/** What of one issuer is changed at run time. */
export function createIssuerRegistry(options: IssuerRegistryOptions) {
  const { config, documents } = options;
  const { issuer, secretsFile } = config;
  const name = `registry of ${issuer}`;
  const report = (event: Event) => options.report({ ...event, issuer });
  const registry = createRegistry({
    kind: issuerContent,
    documents,
    name,
    file: registryFileBeside(secretsFile, name),
    annotate: (before, after, version) => withRecordedChanges(before, after, version, options.clock.now()),
    report,
  });
  const parts = { ...options, issuer, registry, report };
  const rooms = createIssuerRooms({ ...parts, clientIds: () => clients.all.map(({ clientId }) => clientId) });
  /** The issuer, with its rooms as they are. */
  const place: ClientPlace = {
    issuer,
    get rooms() {
      return rooms.all;
    },
  };
  // Behind the rooms: clients are read by those that there are.
  const clients: IssuerClients = createIssuerClients({ ...parts, place, onRoomsChange: rooms.onChange });
  const wantedAlgs = () => clients.all.flatMap(({ idTokenSignedResponseAlg }) => idTokenSignedResponseAlg ?? []);
  return { issuer, registry, rooms, place, clients, keys: createKeyKeeper({ ...parts, wantedAlgs }) };
}

/** Syncs what other processes have done. Where the store is away, what was known last goes on. */
export async function refreshAll(all: readonly { readonly registry: Pick<Registry, "refresh"> }[]): Promise<void> {
  await Promise.all(all.map(({ registry }) => registry.refresh().catch(() => undefined)));
}
