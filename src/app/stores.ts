/**
 * The stores of an installation: one for what belongs to no room, and for the rooms that name no other; and those by name, each with a
 * connection, a circuit breaker and deadlines of its own, so that a room notices nothing of another room's store. Made by app.ts.
 */
import { loadKeysOfIssuers, type UsherConfig } from "../config/index.ts";
import type { Random } from "../lib/clock-and-random.ts";
import { type Clock, systemUptimeMs } from "../lib/clock-and-random.ts";
import { SetupError, StoreUnavailableError } from "../lib/errors.ts";
import type { Logger } from "../lib/logger.ts";
import type { EventStore } from "../store/contract/room-store.ts";
import type { Installation, Store } from "../store/contract/store.ts";
import { createMemoryStore, createStoredRun } from "../store/memory/index.ts";
import { createRedisStore } from "../store/redis/index.ts";

export type Stores = ReturnType<typeof createStores>;

interface StoresParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Where the embedded store leaves what the next process goes on with, and this process's name there. */
  readonly directory: string;
  readonly processName: string;
}

export function createStores({ store, stores }: Pick<UsherConfig, "store" | "stores">, parts: StoresParts) {
  const { logger } = parts;
  const [main, resume] = createMain(store, parts);
  const named: ReadonlyMap<string, Store> = new Map(
    stores.map(({ name, url, prefix }) => [
      name,
      createRedisStore({
        url,
        keyPrefix: prefix,
        ...parts,
        beside: { ...parts, storeName: name },
        logger: logger.child({ store: name }),
      }) satisfies Store,
    ]),
  );

  return {
    main,
    named,
    /** @param name null: the main one; undefined where nobody knows it */
    get: (name: string | null): Store | undefined => (name === null ? main : named.get(name)),
    /**
     * Connects and checks all of them side by side. What is wrong with one of the named ones concerns its rooms, and is no reason not
     * to serve the others.
     *
     * @throws SetupError for the main one
     */
    async start(): Promise<{ warnings: string[] }> {
      const [ofMain, ...ofNamed] = await Promise.all([
        main.start(),
        ...[...named].map(async ([name, store]) => {
          const { warnings } = await store.start().catch((error: unknown) => {
            if (!(error instanceof SetupError)) throw error;
            return { warnings: [error.message] };
          });
          return warnings.map((warning) => `stores.${name}: ${warning}`);
        }),
      ]);
      return { warnings: [...ofMain.warnings, ...ofNamed.flat()] };
    },
    /** The embedded store goes on where an earlier process stopped; with another one, what it left is of no use any more. */
    resume,
    /** Each by itself: one may be another installation's, and the others are used. */
    async useFor(installation: () => Installation): Promise<void> {
      await Promise.all([main, ...named.values()].map((store) => store.useFor(installation)));
    },
    async close(): Promise<void> {
      await Promise.all([main, ...named.values()].map((store) => store.close()));
    },
  };
}

function createMain(
  config: UsherConfig["store"],
  parts: StoresParts,
): readonly [Store, (isNewInstallation: boolean) => void] {
  const { clock, logger } = parts;
  const storedRun = createStoredRun({
    ...parts,
    times: () => ({ wallMs: clock.now(), uptimeMs: systemUptimeMs() }),
    onFailure: (error) =>
      logger.warn({ event: "store.warning", err: error }, "the embedded store will start again as after a crash"),
  });
  if (config.type === "redis")
    return [
      createRedisStore({
        url: config.url,
        keyPrefix: config.prefix,
        ...parts,
        beside: { ...parts, storeName: null },
      }),
      () => storedRun.discard(),
    ];
  const embedded = createMemoryStore({ ...parts, storedRun });
  return [embedded, embedded.resume];
}

/** A store that has taken the name of an installation. */
export interface AdoptedStore {
  /** Where it is configured. */
  readonly about: string;
  /** Issuers of the installation that had it; null for none. */
  readonly before: readonly string[] | null;
}

/**
 * Gives all stores the name of this installation, whosever they were.
 *
 * @throws SetupError where one does not answer, or its name is not changed
 */
export async function adoptStores(
  config: UsherConfig,
  parts: Pick<StoresParts, "clock" | "random" | "logger">,
): Promise<AdoptedStore[]> {
  const { byIssuer } = await loadKeysOfIssuers(config, parts.random);
  const installation: Installation = {
    issuers: config.issuers.map(({ issuer }) => issuer),
    ticketKeys: [...byIssuer.values()].flatMap(({ tickets }) => tickets.map(({ kid }) => kid)),
  };
  const configured = [
    { about: "store", store: config.store },
    ...config.stores.map(({ name, ...store }) => ({
      about: `stores.${name}`,
      store: { type: "redis" as const, ...store },
    })),
  ];
  const stores = configured.flatMap(({ about, store }) =>
    store.type === "redis"
      ? [{ about, store: createRedisStore({ url: store.url, keyPrefix: store.prefix, ...parts }) }]
      : [],
  );
  try {
    const adopted: AdoptedStore[] = [];
    for (const { about, store } of stores) {
      // One that does not answer is named as the start of a gateway names it.
      const { warnings } = await store.start();
      const before = await store.takeOver(installation).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw error;
        throw new SetupError(`${about}: ${warnings[0] ?? error.reason}`);
      });
      adopted.push({ about, before: before?.issuers ?? null });
    }
    return adopted;
  } finally {
    await Promise.all(stores.map(({ store }) => store.close()));
  }
}

/**
 * The events of all stores: those of a room are in the room's store, in which its operations tell them.
 *
 * @param storeOf the store of a line; the main one for that of the installation
 */
export function eventsOfStores(main: EventStore, storeOf: (line: string) => EventStore): EventStore {
  return {
    installation: main.installation,
    publish: (others) => main.publish(others),
    read: (line, ...args) => storeOf(line).read(line, ...args),
    readBefore: (line, ...args) => storeOf(line).readBefore(line, ...args),
    take: (line, ...args) => storeOf(line).take(line, ...args),
    settle: (line, ...args) => storeOf(line).settle(line, ...args),
    deadLetters: (line, ...args) => storeOf(line).deadLetters(line, ...args),
    removeDeadLetter: (line, ...args) => storeOf(line).removeDeadLetter(line, ...args),
    forgetWebhook: (line, ...args) => storeOf(line).forgetWebhook(line, ...args),
  };
}
