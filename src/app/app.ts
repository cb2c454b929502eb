import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  homesOfParts,
  languagesOfRooms,
  loadKeysOfIssuers,
  type ReloadedSecrets,
  themesOf,
  type UsherConfig,
} from "../config/index.ts";
import { features } from "../features/index.ts";
import { FailedAttempts } from "../lib/address-buckets.ts";
import type { Clock, Random } from "../lib/clock-and-random.ts";
import type { Logger } from "../lib/logger.ts";
import { createEventTypes } from "../operate/events/event-types.ts";
import { createEvents } from "../operate/events/index.ts";
import { settingsPartsOf } from "../operate/feature.ts";
import { healthOf, loadFeatures, startFeatures } from "../operate/features.ts";
import { attentionCodesOf, createHealth, readBuild } from "../operate/health/index.ts";
import {
  createCheckpointWatch,
  createMetrics,
  createReadiness,
  logEvents,
  logRegistryEvent,
  logScheduleWarnings,
  opsRoutes,
  type Readiness,
  watchReadiness,
} from "../operate/index.ts";
import { adminKeysName, createAdminKeys, refreshAll, registryFileBeside } from "../registry/index.ts";
import {
  createCheckpoints,
  createTicketCodec,
  createWaitingRooms,
  type OpenRooms,
  type StoreOfRooms,
  syncAtStart,
} from "../room/index.ts";
import type { Store } from "../store/contract/store.ts";
import {
  answerByHost,
  checkPlaces,
  createListener,
  createOperatorsApp,
  createTrustedProxies,
  createUnknownHostApp,
  placesOf,
} from "../web/index.ts";
import { createPages, readPageLocales } from "../web/pages/index.ts";
import type { Worker } from "./cluster/index.ts";
import {
  applyReloadedSecrets,
  createIssuerApp,
  createLiveIssuers,
  installationOf,
  keyFaultsOf,
  keysToAgreeOn,
} from "./issuer.ts";
import { createAudit, createOperators } from "./operators.ts";
import { createHealthProbes, createLoadProbes } from "./probes.ts";
import { createStores, eventsOfStores } from "./stores.ts";

/** A running gateway. */
export interface App {
  /** The port that it listens on. */
  readonly port: number;
  /**
   * From now on it is not ready, and each answer is the last on its connection; for `listen.drain`, or until `cut`, it
   * goes on answering, so that load balancers have time to turn to other processes.
   */
  drain(cut: AbortSignal): Promise<void>;
  /** Stops accepting, finishes what is in flight, closes the store. */
  close(): Promise<void>;
}

/** What requests in flight may take when the gateway stops; with the usual `listen.drain` less than Docker's 10 s. */
const shutdownGraceMs = 4_000;

/** The compiled program lies in dist/, the views beside it. */
const packageDir = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The composition root: every part is built and wired here, the parts of one issuer in issuer.ts. */
export async function startApp(options: {
  readonly config: UsherConfig;
  /** Of this program, for monitoring. */
  readonly version: string;
  readonly reloaded: ReloadedSecrets;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: Random;
  /** Shows something on the terminal that no log may keep. */
  readonly print: (text: string) => void;
  /** Where this process is one of several that are one gateway; null: it is the only one. */
  readonly worker: Worker | null;
  /** Aborted where the gateway is to stop before it has started: then it serves nobody, and is ready to be closed. */
  readonly starting: AbortSignal;
}): Promise<App> {
  const { config, version, reloaded, logger, clock: localClock, random, print, worker, starting } = options;
  const { listen } = config;
  const viewsDir = join(packageDir, "views");
  const themes = themesOf(config);
  const locales = readPageLocales(viewsDir, {
    customFolder: config.localesDir,
    named: languagesOfRooms(config),
    themes,
  });
  for (const warning of locales.warnings) logger.warn({ event: "config.warning" }, warning);
  const [place, operatorsPlace] = placesOf(config);
  // Before the store is asked: what cannot serve takes no part in what goes on there. Workers listen at one place together.
  if (worker === null) await checkPlaces(config);
  // The first worker has the files of the only process, should there be more since.
  const processName = `${hostname()}-${listen.port}${worker === null || worker.slot === 1 ? "" : `-${worker.slot}`}`;
  const ofProcess = { directory: join(dirname(config.secretsFile), "checkpoints"), processName };
  const stores = createStores(config, { clock: localClock, random, logger, ...ofProcess });
  const store = stores.main;
  // Times that are reported or compared between processes are the store's.
  const { clock } = store;
  const { warnings } = await stores.start();
  for (const warning of warnings) logger.warn({ event: "store.warning" }, warning);
  // Nothing is made before this: a start that fails, because of the store say, must not look like an earlier run.
  const keys = await loadKeysOfIssuers(config, random);
  for (const warning of keys.warnings) logger.warn({ event: "config.warning" }, warning);
  stores.resume(keys.isNewInstallation);
  const issuers = createLiveIssuers(config.issuers, {
    keys,
    languages: locales.all.map(({ tag }) => tag),
    settingsInForce: (id) => rooms.get(id)?.settings,
    store,
    storeNames: [...stores.named.keys()],
    clock,
    random,
    logger,
  });
  // Before anything is read or written there.
  await stores.useFor(() => installationOf(issuers));
  const adminKeys = createAdminKeys({
    ofFile: config.admin.keys,
    documents: store.documents,
    file: registryFileBeside(config.secretsFile, adminKeysName),
    clock,
    random,
    report: (event) => logRegistryEvent(event, logger),
  });
  const allRooms = () =>
    issuers.flatMap((issuer) =>
      issuer.rooms.all.map((room) => ({ ...room, isByKey: room.invitations !== null || room.identity !== null })),
    );
  const issuerOf = (room: string) => {
    const found = issuers.find((candidate) => candidate.rooms.get(room) !== undefined);
    if (found === undefined) throw new TypeError(`there is no room ${room}`);
    return found;
  };

  const checkpointWatch = createCheckpointWatch({ logger, clock: localClock });
  const checkpoints = createCheckpoints({
    ...ofProcess,
    isNewInstallation: keys.isNewInstallation,
    onFailure: checkpointWatch.failed,
    onWritten: checkpointWatch.written,
  });
  for (const fault of checkpoints.faults) logger.error({ event: "checkpoints.unusable" }, fault);
  const ofRooms = ({ rooms, isShared, joinCounts, breaker }: Store): StoreOfRooms => ({
    store: rooms,
    joinCounts: isShared
      ? { store: joinCounts, nameOf: (id, text) => issuerOf(id).ring.nameOf("usher joins v1", `${id} ${text}`) }
      : null,
    isStoreCutOff: () => breaker !== null && breaker.state !== "closed",
  });
  const rooms: OpenRooms = createWaitingRooms({
    ...ofRooms(store),
    stores: new Map([...stores.named].map(([name, store]) => [name, ofRooms(store)])),
    rooms: allRooms(),
    tickets: ({ id, line }) => createTicketCodec(issuerOf(id).ring, line),
    draws(id) {
      const { issuer, keys } = issuerOf(id);
      return { issuer, keys: () => keys.current.draw };
    },
    checkpoints,
    clock,
    random,
    processCount: () => health.processCount(),
  });
  const atStart = rooms.all;
  for (const issuer of issuers) issuer.rooms.onChange(() => rooms.follow(allRooms()));

  const browserDir = join(packageDir, "dist", "browser");
  const pages = createPages({
    viewsDir,
    browserDir,
    locales,
    themes,
    ...config.pages,
    report({ when, message }) {
      if (when === "start") logger.warn({ event: "views.warning" }, message);
      else logger.error({ event: "views.failed" }, message);
    },
  });
  let isStopping = false;
  const isReady = createReadiness({
    keys: () => keysToAgreeOn(issuers),
    keyFaults: () => [...keyFaultsOf(issuers), ...registries.flatMap(({ registry }) => registry.fault ?? [])],
    agreeOnKeys: (fingerprints, replace) => store.agreeOnKeys(fingerprints, replace),
    unfit: () => store.unfit(),
    strangers: () => store.strangers(),
    checkpointFailure: checkpointWatch.failure,
    skewMs: () => clock.skewMs,
    // One that was made since is no reason to send nobody here: it is new to all processes.
    unsyncedRooms: (away) =>
      atStart
        .filter((room) => rooms.get(room.id) === room && room.state === null && !away.has(rooms.storeNameOf(room.name)))
        .map(({ id }) => id),
    namedStores: [...stores.named].map(([name, store]) => ({
      name,
      unfit: store.unfit,
      strangers: store.strangers,
      skewMs: () => store.clock.skewMs,
    })),
    storesInUse: () => new Set(rooms.all.map(({ name }) => rooms.storeNameOf(name))),
  });
  const readiness: Readiness = async () =>
    isStopping && !worker?.isRetired
      ? { faults: ["this process is stopping"], warnings: [], keysDisagree: false }
      : isReady();
  const eventsOf = (line: string) => (stores.get(rooms.storeNameOf(line)) ?? store).events;
  const eventStore = eventsOfStores(store.events, eventsOf);
  const events = createEvents({ store: eventStore, rooms, issuers, adminKeys, processName, clock, logger });
  const eventTypes = createEventTypes(features.map((feature) => feature.eventTypes ?? {}));
  const loaded = await loadFeatures(features);
  const parts = settingsPartsOf(features);
  const homes = config.issuers.flatMap((issuer) => homesOfParts(issuer, parts));
  const audit = createAudit(config, { store, random, logger });
  const running = startFeatures(loaded, {
    config,
    parts,
    rooms,
    issuers,
    issuerOf,
    store,
    eventStore,
    eventTypes,
    adminKeys,
    audit,
    pages,
    version,
    processName,
    clock,
    random,
    logger,
    registries: () => [...issuers, adminKeys, ...running.registries],
    events: events.hub,
    followSecrets: reloaded.follow,
    fileOf: (document) => registryFileBeside(config.secretsFile, document),
  });
  for (const { registry } of running.registries) events.addRegistry(registry);
  const failures = new FailedAttempts(clock);
  const health = createHealth({
    store,
    namedStores: stores.named,
    rooms,
    config,
    processName,
    version,
    random,
    build: await readBuild(packageDir),
    readiness: () => readinessWatch.last(),
    isStopping: () => isStopping,
    requests: () => metrics.requests(),
    checkpointsWrittenMs: checkpointWatch.writtenMs,
    failingSecrets: reloaded.faults,
    describeFeatures: running.describe,
    ofFeatures: healthOf(loaded),
  });
  const console = {
    ...events,
    eventTypes,
    version,
    adminKeys,
    health,
    rooms,
    issuers,
    issuerOf,
    store,
    pages,
  };
  const ofFeatures = {
    more: running.adminRoutes(),
    homes,
    healthOfFeatures: healthOf(loaded),
    attentionCodes: attentionCodesOf(features),
  };
  const ofAdmins = { ...console, ...ofFeatures, audit, viewsDir, failures, random, logger };
  const consoleDir = join(browserDir, "console");
  const ofPeople = createOperators(config, { ...ofAdmins, consoleDir });
  /** All that follows what is changed at run time. */
  const registries = [...issuers, adminKeys, ...ofPeople.registries, ...running.registries];
  const readinessWatch = watchReadiness(isReady, logger, events.publishReadiness);
  const metrics = createMetrics({
    rooms,
    store,
    namedStores: stores.named,
    readiness: readinessWatch.last,
    version,
    adminKeys,
    homes,
    failingSecrets: () => reloaded.faults().length,
    skewMs: () => clock.skewMs,
    areCheckpointsFailing: () => checkpointWatch.failure() !== null,
    streams: events.streams,
    addMore: running.addMetrics,
  });
  worker?.reportBy(metrics.report);
  const metricsOfAll = worker === null ? metrics : { ...metrics, render: worker.renderMetrics };
  const proxies = createTrustedProxies(listen.trustedProxies);
  // It is asked for rarely, so it is kept in no process.
  const description = () => readFile(join(packageDir, "dist", "openapi.json"));
  const ofOperators = [...ofPeople.routes, opsRoutes({ description, readiness, metrics: metricsOfAll }).routes()];
  const operators = operatorsPlace === null ? ofOperators : [];
  const shared = {
    rooms,
    storeOf: stores.get,
    pages,
    visitorRoutes: running.visitorRoutes,
    isCrawler: running.isCrawler,
    challenges: config.challenges,
    proxies,
    operators,
    failures,
    metrics,
    logger,
    clock,
    random,
  };
  const apps = issuers.map((issuer) => createIssuerApp(issuer, shared));
  logEvents(rooms, apps, logger);
  const unknownHost = createUnknownHostApp(shared);
  const bounds = { maxConnections: listen.maxConnections, logger };
  const listeners = [createListener(place, answerByHost(apps, unknownHost, proxies), bounds)];
  if (operatorsPlace !== null) {
    const app = createOperatorsApp({ ...shared, operators: ofOperators }, config.admin.url);
    listeners.push(createListener(operatorsPlace, app, bounds));
  }

  // If the store is away now, the rounds retry later.
  await refreshAll(registries);
  await running.prepare();
  await Promise.all(issuers.map((issuer) => issuer.keys.start()));
  await syncAtStart(rooms, starting);
  logScheduleWarnings(rooms, logger);
  // Before checkpoints are written: a start that fails, for its port say, has served nobody.
  const [port = 0, adminPort] = await Promise.all(
    starting.aborted ? [] : listeners.map((listener) => listener.listen()),
  );
  rooms.start();
  events.start();
  running.start();
  readinessWatch.start();
  health.start();
  audit.start();
  for (const { registry } of registries) registry.start();
  applyReloadedSecrets(reloaded, issuers, logger);
  const rounds = [
    createHealthProbes({ rooms, clock, random }),
    createLoadProbes({ rooms, clock, random }),
    ...apps.map(({ logouts }) => logouts),
  ];
  for (const round of rounds) round.start();
  if (!starting.aborted) {
    const started = {
      issuer: apps.map((app) => app.issuer).join(" "),
      host: listen.host,
      port,
      ...(operatorsPlace && { admin_host: operatorsPlace.host, admin_port: adminPort }),
      store: config.store.type,
    };
    if (worker === null) logger.info({ event: "gateway.started", ...started });
    else void worker.started(started, async () => (await readiness()).faults.length === 0);
  }
  const stopAnnouncing = starting.aborted ? null : ofPeople.announceLink(print);

  return {
    port,
    async drain(cut) {
      isStopping = true;
      for (const listener of listeners) listener.drain();
      for (const streams of [events.streams, ofPeople.live]) streams.close();
      logger.info({ event: "gateway.draining", drain_ms: listen.drainMs });
      await delay(listen.drainMs, undefined, { signal: cut }).catch(() => undefined);
    },
    async close() {
      isStopping = true;
      for (const streams of [events.streams, ofPeople.live]) streams.close();
      await Promise.all(listeners.map((listener) => listener.close(shutdownGraceMs)));
      readinessWatch.stop();
      await health.stop();
      await stopAnnouncing?.();
      await reloaded.stop();
      for (const { keys } of issuers) keys.stop();
      for (const { registry } of registries) registry.stop();
      await Promise.all([...rounds, running].map((part) => part.stop()));
      await events.stop();
      await audit.stop();
      await rooms.stop();
      await stores.close();
      logger.info({ event: "gateway.stopped" });
    },
  };
}
