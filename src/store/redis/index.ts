/**
 * The store in Redis or Valkey, shared by any number of processes. One Lua file per operation in `lua/`, declared in
 * scripts.ts, keys in keys.ts; time is Redis's own. Called by app.ts, which picks a store.
 */
import { SetupError, StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Random } from "../../lib/random.ts";
import type { Store } from "../room-store.ts";
import { createClient } from "./client.ts";
import { connect } from "./connect.ts";
import { createRedisDocuments } from "./documents.ts";
import { createKeys } from "./keys.ts";
import { createRedisOidcAdapter } from "./oidc-adapter.ts";
import { createRedisRooms } from "./rooms.ts";
import { createRunner } from "./runner.ts";
import { scripts } from "./scripts.ts";
import { checkServer, messageOf } from "./server-checks.ts";
import { nameServer } from "./server-name.ts";

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
  const server = nameServer(url);

  return {
    rooms: createRedisRooms(runner, keys),
    documents: createRedisDocuments(runner, keys),
    oidcAdapter: (model) => createRedisOidcAdapter(runner, keys, model),
    isShared: true,
    commandCounts: runner.counts,
    async start() {
      const failure = await connect(client, server);
      if (failure !== null) {
        client.once("ready", () => void checkLater());
        return { warnings: [notYet(failure)] };
      }
      try {
        return { warnings: await checkServer(runner, keys, server) };
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        return { warnings: [notYet(messageOf(error.cause))] };
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
      for (const warning of await checkServer(runner, keys, server)) logger.warn({ event: "store.warning" }, warning);
    } catch (error) {
      const isFault = error instanceof SetupError;
      logger.error(
        { event: "store.unfit", ...(!isFault && { err: error }) },
        isFault ? error.message : "Redis could not be checked",
      );
    }
  }

  function notYet(reason: string): string {
    return `${server.name} does not answer yet (${reason}); Usher goes on trying: is it up, and does ${server.cli} PING reach it?`;
  }
}
