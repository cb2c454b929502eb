import type { IssuerConfig, KeyMaterial } from "../config/index.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { SharedDocuments } from "../store/room-store.ts";
import type { ClientEvent } from "./client-events.ts";
import { createIssuerClients, type IssuerClients } from "./issuer-clients.ts";
import type { KeyEvent } from "./key-events.ts";
import { createKeyKeeper, type KeyKeeper } from "./key-keeper.ts";
import { createRegistry, type Registry, type RegistryEvent } from "./registry.ts";
import { createRegistryFile } from "./registry-file.ts";

export interface IssuerRegistryOptions {
  readonly config: IssuerConfig;
  /** As configured, or kept in the secrets file. */
  readonly keys: KeyMaterial;
  readonly documents: SharedDocuments;
  readonly clock: Clock;
  readonly random: Random;
  /** Whether other processes may go by the same documents. */
  readonly isShared: boolean;
  /** How long the longest-lived signed token of the issuer is good for. */
  readonly longestTokenMs: () => number;
  readonly report: (event: (RegistryEvent | ClientEvent | KeyEvent) & { readonly issuer: string }) => void;
}

/** What of one issuer is changed at run time. */
export interface IssuerRegistry {
  readonly issuer: string;
  readonly config: IssuerConfig;
  readonly registry: Registry;
  readonly clients: IssuerClients;
  readonly keys: KeyKeeper;
}

export function createIssuerRegistry({
  config,
  keys,
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
  const clients = createIssuerClients({
    config,
    registry,
    clock,
    random,
    report: (event) => report({ ...event, issuer }),
  });
  return {
    issuer,
    config,
    registry,
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
