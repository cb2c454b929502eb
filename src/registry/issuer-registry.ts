import type { ClientPlace, IssuerConfig, KeyMaterial } from "../config/index.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { SharedDocuments } from "../store/contract/room-store.ts";
import type { ClientEvent } from "./clients/client-events.ts";
import { createIssuerClients, type IssuerClients } from "./clients/issuer-clients.ts";
import type { KeyEvent } from "./keys/key-commit.ts";
import { createKeyKeeper, type KeyKeeper } from "./keys/key-keeper.ts";
import { createRegistry, type Registry, type RegistryEvent } from "./registry.ts";
import { createRegistryFile } from "./registry-file.ts";
import { createIssuerRooms, type IssuerRooms } from "./rooms/issuer-rooms.ts";
import type { Elsewhere } from "./rooms/room-directory.ts";
import type { RegisteredRoomEvent } from "./rooms/room-events.ts";

export interface IssuerRegistryOptions {
  readonly config: IssuerConfig;
  /** As configured, or kept in the secrets file. */
  readonly keys: KeyMaterial;
  /** Tags of the languages of pages. */
  readonly languages: readonly string[];
  /** See `IssuerRoomsOptions`. */
  readonly elsewhere: (id: string) => Elsewhere;
  readonly documents: SharedDocuments;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether other processes may go by the same documents. */
  readonly isShared: boolean;
  /** How long the longest-lived signed token of the issuer is good for. */
  readonly longestTokenMs: () => number;
  readonly report: (
    event: (RegistryEvent | ClientEvent | RegisteredRoomEvent | KeyEvent) & { readonly issuer: string },
  ) => void;
}

/** What of one issuer is changed at run time. */
export interface IssuerRegistry {
  readonly issuer: string;
  readonly registry: Registry;
  readonly rooms: IssuerRooms;
  /** The issuer, with its rooms as they are. */
  readonly place: ClientPlace;
  readonly clients: IssuerClients;
  readonly keys: KeyKeeper;
}

export function createIssuerRegistry({
  config,
  keys,
  languages,
  elsewhere,
  documents,
  clock,
  random,
  isShared,
  longestTokenMs,
  report,
}: IssuerRegistryOptions): IssuerRegistry {
  const { issuer, secretsFile } = config;
  const name = `registry of ${issuer}`;
  const registry = createRegistry({
    documents,
    name,
    file: createRegistryFile(fileBeside(secretsFile), name),
    report: (event) => report({ ...event, issuer }),
  });
  const rooms = createIssuerRooms({
    config,
    languages,
    registry,
    elsewhere,
    clientIds: () => clients.all.map(({ clientId }) => clientId),
    clock,
    random,
    report: (event) => report({ ...event, issuer }),
  });
  const place: ClientPlace = {
    issuer,
    get rooms() {
      return rooms.all;
    },
  };
  // Behind the rooms: clients are read by those that there are.
  const clients: IssuerClients = createIssuerClients({
    config,
    place,
    onRoomsChange: rooms.onChange,
    registry,
    clock,
    random,
    report: (event) => report({ ...event, issuer }),
  });
  return {
    issuer,
    registry,
    rooms,
    place,
    clients,
    keys: createKeyKeeper({
      issuer,
      keys,
      registry,
      isShared,
      wantedAlgs: () => clients.all.flatMap(({ idTokenSigningAlg }) => idTokenSigningAlg ?? []),
      longestTokenMs,
      clock,
      random,
      report: (event) => report({ ...event, issuer }),
    }),
  };
}

/** `secrets.json` has `secrets.registry.json` beside it. */
function fileBeside(secretsFile: string): string {
  return `${secretsFile.replace(/\.json$/, "")}.registry.json`;
}
