import { cookieKeyId, type FollowedSecrets, type IssuerConfig, type KeysOfIssuers } from "./config/index.ts";
import { logRegistryEvent, type ReadinessOptions } from "./http/index.ts";
import type { Clock } from "./lib/clock.ts";
import type { Logger } from "./lib/logger.ts";
import type { Random } from "./lib/random.ts";
import { createIssuerRegistry, type IssuerRegistry } from "./registry/index.ts";
import type { Store } from "./store/room-store.ts";
import {
  type Beacon,
  createKeyRing,
  createTicketCodec,
  type DrawSource,
  type KeyRing,
  ticketCodecByRoom,
  type WaitingRooms,
} from "./waiting-room/index.ts";

/** An issuer with its clients and keys in use. */
export interface LiveIssuer extends IssuerRegistry {
  readonly config: IssuerConfig;
  readonly ring: KeyRing;
}

export function createLiveIssuer(
  config: IssuerConfig,
  parts: {
    keys: KeysOfIssuers;
    longestTokenMs: (issuer: IssuerConfig) => number;
    store: Store;
    clock: Clock;
    random: Random;
    logger: Logger;
  },
): LiveIssuer {
  const { keys, longestTokenMs, store, clock, random, logger } = parts;
  const material = keys.byIssuer.get(config.issuer);
  if (material === undefined) throw new TypeError(`there are no keys of ${config.issuer}`);
  const live = createIssuerRegistry({
    config,
    keys: material,
    documents: store.documents,
    isShared: store.isShared,
    longestTokenMs: () => longestTokenMs(config),
    clock,
    random,
    report: (event) => logRegistryEvent(event, logger),
  });
  const ring = createKeyRing(live.keys.current.tickets);
  live.keys.onChange(() => ring.replace(live.keys.current.tickets));
  return { ...live, config, ring };
}

/** What the sources of secrets say while the program runs is in force at once. */
export function followSecrets(followed: FollowedSecrets, issuers: readonly LiveIssuer[], logger: Logger): void {
  followed.start(
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

/** A room's tickets are signed with the keys of its issuer. */
export function createTicketCodecs(issuers: readonly LiveIssuer[]) {
  return ticketCodecByRoom(
    new Map(
      issuers.flatMap(({ config, ring }) => {
        const codec = createTicketCodec(ring);
        return config.rooms.map(({ id }) => [id, codec] as const);
      }),
    ),
  );
}

/** A room's draws are made with the draw keys of its issuer. */
export function createDrawSources(issuers: readonly LiveIssuer[], beacon: Beacon) {
  const sources = new Map(
    issuers.flatMap(({ config, keys }) => {
      const source: DrawSource = { issuer: config.issuer, keys: () => keys.current.draw, beacon };
      return config.rooms.map(({ id }) => [id, source] as const);
    }),
  );
  return (room: string) => sources.get(room) ?? null;
}

/** What each process signs with and accepts, by purpose; where there are several issuers, by issuer, too. */
export function keysToAgreeOn(issuers: readonly LiveIssuer[]): ReturnType<ReadinessOptions["keys"]> {
  return Object.fromEntries(
    issuers.flatMap(({ config, registry, keys: { current: keys }, ring }) => {
      const suffix = suffixOf(config, issuers);
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
  return issuers.flatMap(({ config, keys, registry }) => [
    ...keys.faults(suffixOf(config, issuers)),
    ...(registry.fault === null ? [] : [registry.fault]),
  ]);
}

function suffixOf({ issuer }: IssuerConfig, issuers: readonly LiveIssuer[]): string {
  return issuers.length === 1 ? "" : ` of ${issuer}`;
}

/** For so long an ID token may be good, by the settings of the file and by those in force. */
export function longestAdmissionMs({ rooms: own }: IssuerConfig, rooms: WaitingRooms): number {
  const ids = new Set(own.map(({ id }) => id));
  const inForce = rooms.all.flatMap(({ id, state }) =>
    ids.has(id) && state !== null ? [state.settings.effective] : [],
  );
  const settings = [...own.map((room) => room.settings), ...inForce];
  return Math.max(...settings.map(({ admission: { durationMs, maxDurationMs } }) => maxDurationMs ?? durationMs));
}
