import { cookieKeyId, type IssuerConfig, type KeysOfIssuers, type ReloadedSecrets } from "../config/index.ts";
import { logRegistryEvent, type ReadinessOptions } from "../http/index.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { Random } from "../lib/random.ts";
import { createIssuerRegistry, type IssuerRegistry, type IssuerRegistryOptions } from "../registry/index.ts";
import { type Beacon, createKeyRing, type DrawSource, type KeyRing, type WaitingRooms } from "../room/index.ts";
import type { Store } from "../store/contract/room-store.ts";

/** An issuer with its rooms, clients and keys in use. */
export interface LiveIssuer extends IssuerRegistry {
  readonly themes: IssuerConfig["themes"];
  readonly ring: KeyRing;
}

interface Parts {
  readonly keys: KeysOfIssuers;
  /** Tags of the languages of pages. */
  readonly languages: readonly string[];
  readonly longestTokenMs: (issuer: Pick<IssuerRegistry, "rooms">) => number;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** Several may make a room of one id at the same moment: then that of the issuer that stands first in the file is in force, at all processes. */
export function createLiveIssuers(configs: readonly IssuerConfig[], parts: Parts): readonly LiveIssuer[] {
  const issuers: LiveIssuer[] = [];
  for (const config of configs) {
    const before = [...issuers];
    const others = configs.filter((other) => other !== config);
    const elsewhere = (id: string) => {
      if (others.some(({ rooms }) => rooms.some((room) => room.id === id))) return "first";
      if (before.some(({ rooms }) => rooms.get(id) !== undefined)) return "first";
      const isLater = issuers.some(({ issuer, rooms }) => issuer !== config.issuer && rooms.get(id) !== undefined);
      return isLater ? "later" : null;
    };
    const live = createLiveIssuer(config, elsewhere, parts);
    for (const { rooms } of before) rooms.onChange(live.rooms.review);
    issuers.push(live);
  }
  return issuers;
}

function createLiveIssuer(
  config: IssuerConfig,
  elsewhere: IssuerRegistryOptions["elsewhere"],
  { keys, languages, longestTokenMs, store, clock, random, logger }: Parts,
): LiveIssuer {
  const material = keys.byIssuer.get(config.issuer);
  if (material === undefined) throw new TypeError(`there are no keys of ${config.issuer}`);
  const live: IssuerRegistry = createIssuerRegistry({
    config,
    keys: material,
    languages,
    elsewhere,
    documents: store.documents,
    isShared: store.isShared,
    longestTokenMs: () => longestTokenMs(live),
    clock,
    random,
    report: (event) => logRegistryEvent(event, logger),
  });
  const ring = createKeyRing(live.keys.current.tickets);
  live.keys.onChange(() => ring.replace(live.keys.current.tickets));
  return { ...live, themes: config.themes, ring };
}

/** What the sources of secrets say while the program runs is in force at once. */
export function applyReloadedSecrets(reloaded: ReloadedSecrets, issuers: readonly LiveIssuer[], logger: Logger): void {
  reloaded.start(
    (change) => {
      if (change.kind === "client_secret") {
        for (const { clients } of issuers) clients.setFileSecrets(change.clientId, change.secrets);
      } else {
        issuers.find(({ issuer }) => issuer === change.issuer)?.keys.setSource(change.purpose, change.keys);
      }
    },
    ({ event, ...fields }) => {
      if (event === "secrets.failed") logger.error({ event, ...fields });
      else logger.info({ event, ...fields });
    },
  );
}

/** The issuer that has a room. */
export function issuerOfRoom(issuers: readonly LiveIssuer[], id: string): LiveIssuer {
  const found = issuers.find(({ rooms }) => rooms.get(id) !== undefined);
  if (found === undefined) throw new TypeError(`there is no room ${id}`);
  return found;
}

/** A room's draws are made with the draw keys of its issuer. */
export function drawSourceOf({ issuer, keys }: LiveIssuer, beacon: Beacon): DrawSource {
  return { issuer, keys: () => keys.current.draw, beacon };
}

/** What each process signs with and accepts, by purpose; where there are several issuers, by issuer, too. */
export function keysToAgreeOn(issuers: readonly LiveIssuer[]): ReturnType<ReadinessOptions["keys"]> {
  return Object.fromEntries(
    issuers.flatMap(({ issuer, registry, keys: { current: keys }, ring }) => {
      const suffix = suffixOf(issuer, issuers);
      const cookies = keys.cookies.map(cookieKeyId);
      const signing = keys.signing.map(({ kid }) => kid);
      const superseded = registry.content.keys
        .filter(({ state }) => state === "retiring" || state === "retired")
        .map(({ kid }) => kid);
      return [
        [`tickets${suffix}`, { signsWith: ring.signingKid, accepts: ring.kids, superseded }],
        [`cookies${suffix}`, { signsWith: cookies[0] ?? "", accepts: cookies, superseded }],
        [`id_tokens${suffix}`, { signsWith: signing[0] ?? "", accepts: signing, superseded }],
      ];
    }),
  );
}

/** Why this process's keys are not those of the others. */
export function keyFaultsOf(issuers: readonly LiveIssuer[]): string[] {
  return issuers.flatMap(({ issuer, keys, registry }) => [
    ...keys.faults(suffixOf(issuer, issuers)),
    ...(registry.fault === null ? [] : [registry.fault]),
  ]);
}

function suffixOf(issuer: string, issuers: readonly LiveIssuer[]): string {
  return issuers.length === 1 ? "" : ` of ${issuer}`;
}

/** The longest validity of an ID token, in milliseconds, by the settings of the file and by those in force. */
export function longestAdmissionMs({ rooms: own }: Pick<LiveIssuer, "rooms">, rooms: WaitingRooms): number {
  const inForce = own.all.flatMap(({ id }) => rooms.get(id)?.settings ?? []);
  const settings = [...own.all.map((room) => room.settings), ...inForce];
  return Math.max(...settings.map(({ admission: { durationMs, maxDurationMs } }) => maxDurationMs ?? durationMs));
}
