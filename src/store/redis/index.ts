/**
 * The store in Redis or Valkey, shared by any number of processes. One Lua file per operation in `lua/`, declared in
 * scripts.ts, keys in keys.ts; time is Redis's own. Called by app.ts, which picks a store.
 */
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Random } from "../../lib/random.ts";
import type { Store } from "../room-store.ts";
import { createClient, type RedisClient } from "./client.ts";
import { createRedisDocuments } from "./documents.ts";
import { createKeys } from "./keys.ts";
import { createRedisOidcAdapter } from "./oidc-adapter.ts";
import { createRedisRooms } from "./rooms.ts";
import { createRunner } from "./runner.ts";
import { scripts } from "./scripts.ts";
import { checkServer } from "./server-checks.ts";

/** For tests alone, so that they can move time. */
export interface StoreTesting {
  /** Lua that defines `server_now_ms` in place of lua/lib/clock.lua. */
  readonly clockLua: string;
  /** Given to every script behind its own arguments, for that Lua to read. */
  readonly lastArgument?: () => number;
}

export interface RedisStoreOptions {
  /** See lib/redis-url.ts for its forms. */
  readonly url: string;
  readonly random: Random;
  readonly logger: Logger;
  /** After this a command counts as lost. Default 2,000. */
  readonly commandTimeoutMs?: number;
  /** Begins every key. Default `usher:`. */
  readonly keyPrefix?: string;
  readonly testing?: StoreTesting;
}

export function createRedisStore(options: RedisStoreOptions): Store {
  const { url, random, logger, commandTimeoutMs = 2_000, keyPrefix = "usher:", testing } = options;
  const client = createClient({ url, random, logger, commandTimeoutMs });
  const runner = createRunner(client, testing && { replaced: { clock: testing.clockLua }, ...testing });
  const keys = createKeys(keyPrefix);

  return {
    rooms: createRedisRooms(runner, keys),
    documents: createRedisDocuments(runner, keys),
    oidcAdapter: (model) => createRedisOidcAdapter(runner, keys, model),
    isShared: true,
    commandCounts: runner.counts,
    async start() {
      if (!(await connect(client))) {
        client.once("ready", () => void checkLater());
        return { warnings: ["Redis does not answer yet; Usher goes on trying"] };
      }
      try {
        return { warnings: await checkServer(runner, keys) };
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        return { warnings: [`Redis could not be checked yet: ${String(error.cause)}`] };
      }
    },
    async ping() {
      await runner.command("ping", (c) => c.ping());
    },
    agreeOnKeys: (fingerprints, replace) =>
      runner.run(
        scripts.agreeOnKeys,
        { fingerprints: keys.fingerprints },
        { offered: JSON.stringify(fingerprints), replace: replace ? "1" : "0" },
      ),
    async close() {
      client.disconnect();
    },
  };

  /** A server that came late is checked too, but the process is serving by then: the log says what is wrong. */
  async function checkLater(): Promise<void> {
    try {
      for (const warning of await checkServer(runner, keys)) logger.warn({ event: "store.check", warning });
    } catch (error) {
      logger.error({ event: "store.check", err: error });
    }
  }
}

/** Begins to connect, and answers whether that has succeeded; the client goes on trying by itself. */
async function connect(client: RedisClient): Promise<boolean> {
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  }
}
