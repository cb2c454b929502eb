import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createBrand } from "./brand.ts";
import {
  cookieKeyId,
  type FollowedSecrets,
  type IssuerConfig,
  type KeysOfIssuers,
  languagesOfRooms,
  themesOf,
  type UsherConfig,
} from "./config/index.ts";
import {
  answerByHost,
  createBypassDesks,
  createHttpServer,
  createMetrics,
  createPages,
  createReadiness,
  createStrangersApp,
  logEvents,
  logRegistryEvent,
  logScheduleWarnings,
  type ReadinessOptions,
  readPageLocales,
} from "./http/index.ts";
import type { Clock } from "./lib/clock.ts";
import type { Logger } from "./lib/logger.ts";
import type { Random } from "./lib/random.ts";
import { createHealthProbes } from "./probes/index.ts";
import { createIssuerRegistry, type IssuerRegistry } from "./registry/index.ts";
import { createMemoryStore } from "./store/memory/index.ts";
import { createRedisStore } from "./store/redis/index.ts";
import type { Store } from "./store/room-store.ts";
import {
  createHighWaterFile,
  createKeyRing,
  createTicketCodec,
  createWaitingRooms,
  type KeyRing,
  ticketCodecByRoom,
  type WaitingRooms,
} from "./waiting-room/index.ts";

export interface AppOptions {
  readonly config: UsherConfig;
  readonly keys: KeysOfIssuers;
  readonly followed: FollowedSecrets;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
}

/** A running gateway. */
export interface App {
  /** The port that it listens on. */
  readonly port: number;
  /** Stops accepting, finishes what is in flight, closes the store. */
  close(): Promise<void>;
}

/** What is in flight when the gateway stops may take so long. */
const shutdownGraceMs = 8_000;

/** The compiled program lies in dist/, the views beside it. */
const packageDir = dirname(dirname(fileURLToPath(import.meta.url)));

/** The composition root: every part is built and wired here, what one issuer has for itself in brand.ts. */
export async function startApp({ config, keys, followed, logger, clock, random }: AppOptions): Promise<App> {
  const { listen } = config;
  const viewsDir = join(packageDir, "views");
  const themes = themesOf(config);
  const locales = readPageLocales(viewsDir, { ownFolder: config.localesDir, named: languagesOfRooms(config), themes });
  for (const warning of locales.warnings) logger.warn({ event: "config.warning" }, warning);
  const store = createStore(config, { clock, random, logger });
  const longestTokenMs = (issuer: IssuerConfig) => longestAdmissionMs(issuer, rooms);
  const issuers = config.issuers.map((each) =>
    createIssuer(each, { keys, longestTokenMs, store, clock, random, logger }),
  );
  const { warnings } = await store.start();
  for (const warning of warnings) logger.warn({ event: "store.warning" }, warning);

  const marks = createHighWaterFile({
    directory: join(dirname(config.secretsFile), "high-water"),
    processName: `${hostname()}-${listen.port}`,
    isNewInstallation: keys.isNewInstallation,
    onFailure: (error) =>
      logger.error(
        { event: "marks.failed", err: error },
        "the high-water marks beside the secrets file cannot be written",
      ),
  });
  for (const fault of marks.faults) logger.error({ event: "marks.unusable" }, fault);
  const rooms = createWaitingRooms({
    store: store.rooms,
    rooms: issuers.flatMap((each) => each.config.rooms),
    tickets: createTicketCodecs(issuers),
    marks,
    clock,
    random,
  });

  const pages = createPages({
    viewsDir,
    browserDir: join(packageDir, "dist", "browser"),
    locales,
    themes,
    report({ when, message }) {
      if (when === "start") logger.warn({ event: "views.warning" }, message);
      else logger.error({ event: "views.failed" }, message);
    },
  });
  const metrics = createMetrics({
    rooms,
    commandCounts: store.commandCounts,
    failingSecrets: () => followed.faults().length,
  });
  const readiness = createReadiness({
    keys: () => keysToAgreeOn(issuers),
    keyFaults: () => keyFaults(issuers),
    agreeOnKeys: (fingerprints, replace) => store.agreeOnKeys(fingerprints, replace),
    ping: () => store.ping(),
    unheardRooms: () => rooms.all.filter(({ state }) => state === null).map(({ id }) => id),
  });
  const { trustedProxies } = listen;
  const admin = { keys: config.admin.keys, rooms, deskOf: createBypassDesks(issuers, random), issuers, random };
  const shared = { store, pages, admin, trustedProxies, readiness, metrics, logger, clock, random };
  const brands = await Promise.all(issuers.map((each) => createBrand({ ...each, shared })));
  logEvents(
    rooms,
    brands.map(({ events }) => events),
    logger,
  );
  const strangers = createStrangersApp({ trustedProxies, admin, pages, readiness, metrics, logger, random });
  const server = createHttpServer(answerByHost({ apps: brands, strangers, trustedProxies }));

  // A store that is away now is heard of later.
  await Promise.all(issuers.map(({ registry }) => registry.refresh().catch(() => undefined)));
  await Promise.all(issuers.map((issuer) => issuer.keys.start()));
  await hearOf(rooms);
  logScheduleWarnings(rooms, logger);
  rooms.start();
  for (const { registry } of issuers) registry.start();
  followSecrets(followed, issuers, logger);
  const probes = createHealthProbes({ rooms, clock, random });
  probes.start();
  const port = await server.listen(listen.host, listen.port);
  const issuer = brands.map((brand) => brand.issuer).join(" ");
  logger.info({ event: "gateway.started", issuer, host: listen.host, port, store: config.store.type });

  return {
    port,
    async close() {
      await server.close(shutdownGraceMs);
      await followed.stop();
      for (const issuer of issuers) {
        issuer.keys.stop();
        issuer.registry.stop();
      }
      await probes.stop();
      await rooms.stop();
      await store.close();
      logger.info({ event: "gateway.stopped" });
    },
  };
}

/** An issuer with its clients and keys in use. */
interface LiveIssuer extends IssuerRegistry {
  readonly config: IssuerConfig;
  readonly ring: KeyRing;
}

function createIssuer(
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
function followSecrets(followed: FollowedSecrets, issuers: readonly LiveIssuer[], logger: Logger): void {
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
function createTicketCodecs(issuers: readonly LiveIssuer[]) {
  return ticketCodecByRoom(
    new Map(
      issuers.flatMap(({ config, ring }) => {
        const codec = createTicketCodec(ring);
        return config.rooms.map(({ id }) => [id, codec] as const);
      }),
    ),
  );
}

/** What each process signs with and accepts, by purpose; where there are several issuers, by issuer, too. */
function keysToAgreeOn(issuers: readonly LiveIssuer[]): ReturnType<ReadinessOptions["keys"]> {
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
function keyFaults(issuers: readonly LiveIssuer[]): string[] {
  return issuers.flatMap(({ config, keys, registry }) => [
    ...keys.faults(suffixOf(config, issuers)),
    ...(registry.fault === null ? [] : [registry.fault]),
  ]);
}

function suffixOf({ issuer }: IssuerConfig, issuers: readonly LiveIssuer[]): string {
  return issuers.length === 1 ? "" : ` of ${issuer}`;
}

/** For so long an ID token may be good, by the settings of the file and by those in force. */
function longestAdmissionMs({ rooms: own }: IssuerConfig, rooms: WaitingRooms): number {
  const ids = new Set(own.map(({ id }) => id));
  const inForce = rooms.all.flatMap(({ id, state }) =>
    ids.has(id) && state !== null ? [state.settings.effective] : [],
  );
  const settings = [...own.map((room) => room.settings), ...inForce];
  return Math.max(...settings.map(({ admission: { durationMs, maxDurationMs } }) => maxDurationMs ?? durationMs));
}

/** Whoever comes first shall not meet a room that is just being recovered or opened; a store that is away is not waited for. */
async function hearOf(rooms: WaitingRooms): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await rooms.refresh();
    if (rooms.all.every(({ availability }) => availability !== "recovering")) return;
    await delay(500);
  }
}

function createStore(config: UsherConfig, parts: { clock: Clock; random: Random; logger: Logger }): Store {
  switch (config.store.type) {
    case "memory":
      return createMemoryStore(parts);
    case "redis":
      return createRedisStore({ url: config.store.url, ...parts });
  }
}
