/** Several processes that go by one registry, on a store in memory and by a clock that the test moves. */
import { generateKeyPairSync } from "node:crypto";
import {
  deriveDrawKey,
  type KeyMaterial,
  readSigningKeys,
  readTicketKey,
  type SigningAlg,
} from "../../../src/config/index.ts";
import {
  createKeyKeeper,
  createRegistry,
  issuerContent,
  type KeyEvent,
  type KeyKeeper,
  type Registry,
  type RegistryFile,
} from "../../../src/registry/index.ts";
import type { SharedDocument } from "../../../src/store/contract/room-store.ts";
import { createMemoryData } from "../../../src/store/memory/data.ts";
import { createMemoryStore } from "../../../src/store/memory/index.ts";
import { createMovedClock, type MovedClock } from "../../support/moved-clock.ts";
import { nextRsaPem } from "../../support/rsa-keys.ts";
import { createSeededRandom } from "../../support/seeded-random.ts";

export const issuer = "https://queue.example.com";
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export const rsaPem = nextRsaPem();
export function ecPem(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

export interface Sources {
  tickets?: readonly string[];
  cookies?: readonly string[];
  signing?: readonly string[];
}

/** Long enough to be a key. */
export const keyText = (name: string) => `${name} `.padEnd(40, ".");

export function materialFrom({ tickets, cookies, signing }: Sources = {}): KeyMaterial {
  const ticketKeys = (tickets ?? [keyText("tickets one")]).map(readTicketKey);
  return {
    tickets: ticketKeys,
    draw: ticketKeys.map(deriveDrawKey),
    cookies: cookies ?? [keyText("cookies one")],
    signing: readSigningKeys(signing ?? [rsaPem]),
  };
}

export interface Process {
  readonly keys: KeyKeeper;
  readonly registry: Registry;
  readonly events: KeyEvent[];
}

export interface KeyWorld {
  readonly clock: MovedClock;
  /** The store forgets everything. */
  wipe(): void;
  process(options?: {
    sources?: Sources;
    wanted?: SigningAlg[];
    isShared?: boolean;
    file?: RegistryFile;
    issuer?: string;
  }): Process;
  /** As the seconds pass: each process hears of changes and does what is due. */
  settle(...processes: readonly Process[]): Promise<void>;
}

export function createKeyWorld(seed = "keys"): KeyWorld {
  const clock = createMovedClock();
  const random = createSeededRandom(seed);
  const data = createMemoryData("one run");
  return {
    clock,
    wipe: () => data.documents.clear(),
    process({ sources, wanted = [], isShared = true, file = memoryFile(), issuer: name = issuer } = {}) {
      const { documents } = createMemoryStore({ clock, random, data, isShared: true });
      const events: KeyEvent[] = [];
      const registry = createRegistry({
        kind: issuerContent,
        documents,
        name: `registry of ${name}`,
        file,
        report: () => undefined,
      });
      const keys = createKeyKeeper({
        issuer: name,
        keys: materialFrom(sources),
        registry,
        isShared,
        wantedAlgs: () => wanted,
        longestTokenMs: () => 20 * minute,
        clock,
        random,
        report: (event) => void events.push(event),
      });
      return { keys, registry, events };
    },
    async settle(...processes) {
      for (let round = 0; round < 2; round++) {
        for (const { registry, keys } of processes) {
          await registry.refresh();
          await keys.tick();
        }
      }
      for (const { registry, keys } of processes) {
        await registry.refresh();
        await keys.tick();
      }
    },
  };
}

export function memoryFile(): RegistryFile {
  let kept: SharedDocument | null = null;
  return {
    read: () => kept,
    write(document) {
      kept = document;
    },
  };
}
