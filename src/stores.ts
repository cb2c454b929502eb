/**
 * The stores of an installation: one for what belongs to no room, and for the rooms that name no other; and those by name, each with a
 * connection, a circuit breaker and deadlines of its own, so that a room notices nothing of another room's store. Made by app.ts.
 */
import type { UsherConfig } from "./config/index.ts";
import { type Clock, systemUptimeMs } from "./lib/clock.ts";
import { SetupError } from "./lib/errors.ts";
import type { Logger } from "./lib/logger.ts";
import type { Random } from "./lib/random.ts";
import type { EventStore } from "./store/contract/room-store.ts";
import type { Store } from "./store/contract/store.ts";
import { createMemoryStore, createStoredRun } from "./store/memory/index.ts";
import { createRedisStore } from "./store/redis/index.ts";

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
    stores.map(({ name, url }) => [
      name,
      createRedisStore({ url, ...parts, logger: logger.child({ store: name }) }) satisfies Store,
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
        ...[...named].map(async ([name, each]) => {
          const { warnings } = await each.start().catch((error: unknown) => {
            if (!(error instanceof SetupError)) throw error;
            return { warnings: [error.message] };
          });
          return warnings.map((warning) => `stores.${name}: ${warning}`);
        }),
      ]);
      return { warnings: [...ofMain.warnings, ...ofNamed.flat()] };
    },
    /** The embedded store goes on where an earlier process stopped. */
    resume,
    async close(): Promise<void> {
      await Promise.all([main, ...named.values()].map((each) => each.close()));
    },
  };
}

function createMain(
  config: UsherConfig["store"],
  parts: StoresParts,
): readonly [Store, (isNewInstallation: boolean) => void] {
  if (config.type === "redis") return [createRedisStore({ url: config.url, ...parts }), () => undefined];
  const { clock, logger } = parts;
  const storedRun = createStoredRun({
    ...parts,
    times: () => ({ wallMs: clock.now(), uptimeMs: systemUptimeMs() }),
    onFailure: (error) =>
      logger.warn({ event: "store.warning", err: error }, "the embedded store will start again as after a crash"),
  });
  const embedded = createMemoryStore({ ...parts, storedRun });
  return [embedded, embedded.resume];
}

/**
 * The events of all stores: those of a room are in the room's store, in which its operations tell them.
 *
 * @param storeOf the store of a line; the main one for that of the installation
 */
export function eventsOfStores(main: EventStore, storeOf: (line: string) => EventStore): EventStore {
  return {
    installation: main.installation,
    tell: (others) => main.tell(others),
    read: (line, ...args) => storeOf(line).read(line, ...args),
    readBefore: (line, ...args) => storeOf(line).readBefore(line, ...args),
    take: (line, ...args) => storeOf(line).take(line, ...args),
    settle: (line, ...args) => storeOf(line).settle(line, ...args),
    deadLetters: (line, ...args) => storeOf(line).deadLetters(line, ...args),
    removeDeadLetter: (line, ...args) => storeOf(line).removeDeadLetter(line, ...args),
    forgetWebhook: (line, ...args) => storeOf(line).forgetWebhook(line, ...args),
  };
}
