import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ClientConfig, KeyMaterial, UsherConfig } from "./config/index.ts";
import {
  createHttpApp,
  createHttpServer,
  createMetrics,
  createPageResponder,
  createPages,
  createReadiness,
  logEvents,
} from "./http/index.ts";
import type { Clock } from "./lib/clock.ts";
import type { Logger } from "./lib/logger.ts";
import type { Random } from "./lib/random.ts";
import { createGate, createGateEntry, createOidcProvider, createVisitorCookies, LoginVerdicts } from "./oidc/index.ts";
import { createHealthProbes } from "./probes/index.ts";
import { createMemoryStore } from "./store/memory/index.ts";
import { createRedisStore } from "./store/redis/index.ts";
import type { Store } from "./store/room-store.ts";
import {
  createArrivalStamps,
  createHighWaterFile,
  createKeyRing,
  createTicketCodec,
  createWaitingRooms,
  type WaitingRooms,
} from "./waiting-room/index.ts";

export interface AppOptions {
  readonly config: UsherConfig;
  readonly keys: KeyMaterial;
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

/** The composition root: every part is built and wired here. */
export async function startApp({ config, keys, logger, clock, random }: AppOptions): Promise<App> {
  const { issuer, listen } = config;
  const store = createStore(config, { clock, random, logger });
  const { warnings } = await store.start();
  for (const warning of warnings) logger.warn({ event: "store.warning" }, warning);

  const ring = createKeyRing(keys.tickets);
  const marks = createHighWaterFile({
    directory: join(dirname(config.secretsFile), "high-water"),
    processName: `${hostname()}-${listen.port}`,
    isNewInstallation: keys.madeNow,
    onFailure: (error) =>
      logger.error(
        { event: "marks.failed", err: error },
        "the high-water marks beside the secrets file cannot be written",
      ),
  });
  for (const fault of marks.faults) logger.error({ event: "marks.unusable" }, fault);
  const rooms = createWaitingRooms({
    store: store.rooms,
    rooms: config.rooms,
    tickets: createTicketCodec(ring),
    marks,
    clock,
    random,
  });

  const cookies = createVisitorCookies(issuer.startsWith("https:"));
  const pages = createPages({
    viewsDir: join(packageDir, "views"),
    browserDir: join(packageDir, "dist", "browser"),
  });
  const responder = createPageResponder(pages, issuer);
  const verdicts = new LoginVerdicts();
  const provider = createOidcProvider({
    issuer,
    clients: config.clients,
    signingKeys: keys.signing,
    cookieKeys: keys.cookies,
    adapter: (model) => store.oidcAdapter(model),
    rooms,
    verdicts,
    cookies,
    pages: responder,
    clock,
  });
  const entry = createGateEntry({ cookies, stamps: createArrivalStamps(ring), responder, clock });
  const { readIdTokenHint } = provider;
  const gate = createGate({ entry, clients: config.clients, rooms, cookies, verdicts, readIdTokenHint, responder });
  const metrics = createMetrics({ rooms, commandCounts: store.commandCounts });
  logEvents(rooms, provider.events, logger);

  const listener = createHttpApp({
    issuer,
    trustedProxies: listen.trustedProxies,
    adminKeys: config.admin.keys,
    rooms,
    sitesOf: createRoomSites(config.clients),
    cookies,
    gate,
    provider,
    responder,
    readiness: createReadiness({
      keys: {
        tickets: { signsWith: ring.signingKid, accepts: ring.kids },
        cookies: { signsWith: fingerprint(keys.cookies[0] ?? ""), accepts: keys.cookies.map(fingerprint) },
        id_tokens: { signsWith: keys.signing[0]?.kid ?? "", accepts: keys.signing.map(({ kid }) => kid) },
      },
      agreeOnKeys: (fingerprints, replace) => store.agreeOnKeys(fingerprints, replace),
      ping: () => store.ping(),
      unheardRooms: () => rooms.all.filter(({ state }) => state === null).map(({ id }) => id),
    }),
    metrics,
    logger,
    clock,
    random,
  });
  const server = createHttpServer(listener);

  await hearOf(rooms);
  rooms.start();
  const probes = createHealthProbes({ rooms, clock, random });
  probes.start();
  const port = await server.listen(listen.host, listen.port);
  logger.info({ event: "gateway.started", issuer, host: listen.host, port, store: config.store.type });

  return {
    port,
    async close() {
      await server.close(shutdownGraceMs);
      await probes.stop();
      await rooms.stop();
      await store.close();
      logger.info({ event: "gateway.stopped" });
    },
  };
}

/** Whoever comes first shall not meet a room that is just being recovered or opened; a store that is away is not waited for. */
async function hearOf(rooms: WaitingRooms): Promise<void> {
  for (let turn = 0; turn < 10; turn++) {
    await rooms.refresh();
    if (rooms.all.every(({ availability }) => availability !== "recovering")) return;
    await delay(500);
  }
}

/** Where the visitors of each room may come from and go to. */
function createRoomSites(clients: readonly ClientConfig[]) {
  const sites = new Map<string, { returnUris: Set<string>; origins: Set<string> }>();
  const siteOf = (room: string) => sites.get(room) ?? { returnUris: new Set(), origins: new Set() };
  for (const { room, redirectUris, postLogoutRedirectUris, initiateLoginUri } of clients) {
    const { returnUris, origins } = siteOf(room);
    for (const uri of [...postLogoutRedirectUris, initiateLoginUri]) returnUris.add(uri);
    for (const uri of [...redirectUris, ...returnUris]) origins.add(new URL(uri).origin);
    sites.set(room, { returnUris, origins });
  }
  return siteOf;
}

/** Names a secret without telling it. */
function fingerprint(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url").slice(0, 8);
}

function createStore(config: UsherConfig, parts: { clock: Clock; random: Random; logger: Logger }): Store {
  switch (config.store.type) {
    case "memory":
      return createMemoryStore(parts);
    case "redis":
      return createRedisStore({ url: config.store.url, ...parts });
  }
}
