import { Cluster, Redis, type RedisOptions } from "ioredis";
import type { Logger } from "../../lib/logger.ts";
import type { Random } from "../../lib/random.ts";
import { parseRedisUrl } from "../../lib/redis-url.ts";
import { isReadOnlyReply } from "./unavailable.ts";

export type RedisClient = Redis | Cluster;

export interface ClientOptions {
  readonly url: string;
  readonly random: Random;
  readonly logger: Logger;
  readonly commandTimeoutMs: number;
}

const maxReconnectMs = 2_000;

/** 25…75 ms at first, doubling to 1…3 s; the jitter keeps processes from reconnecting all at once. */
export function reconnectDelayMs(attempt: number, random: Random): number {
  const base = Math.min(50 * 2 ** Math.min(attempt - 1, 10), maxReconnectMs);
  return Math.round(base * (0.5 + random.fraction()));
}

/**
 * A client that never repeats a command: a lost reply does not say that the command was lost, and an operator's
 * +50 must not become +100. Commands fail at once while there is no connection.
 */
export function createClient(options: ClientOptions): RedisClient {
  const { url, random, logger, commandTimeoutMs } = options;
  const target = parseRedisUrl(url);
  const retryStrategy = (attempt: number) => reconnectDelayMs(attempt, random);
  const common = {
    ...target.connection,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 5_000,
    // A peer that vanished without a word would else be waited for until TCP gives up, a quarter of an hour.
    socketTimeout: commandTimeoutMs + 1_000,
    maxLoadingRetryTime: 1_000,
    protocol: 2,
    // The command itself is not repeated (that would be 2).
    reconnectOnError: (error: Error) => (isReadOnlyReply(error) ? 1 : false),
  } satisfies RedisOptions;
  const client = create();
  client.on("error", (error: Error) =>
    logger.warn({ event: "store.connection", error: error.message }, "the connection to Redis failed; trying again"),
  );
  return client;

  function create(): RedisClient {
    const required = { enableOfflineQueue: false, lazyConnect: true };
    switch (target.kind) {
      case "single":
        return new Redis({ ...common, ...required, retryStrategy });
      case "sentinel":
        return new Redis({
          ...common,
          ...required,
          retryStrategy,
          sentinels: target.nodes,
          name: target.master,
          role: "master",
          ...(target.connection.tls === undefined
            ? {}
            : { enableTLSForSentinelMode: true, sentinelTLS: target.connection.tls }),
          sentinelRetryStrategy: retryStrategy,
        });
      case "cluster":
        return new Cluster(target.nodes, {
          ...required,
          redisOptions: common,
          clusterRetryStrategy: retryStrategy,
          // MOVED, ASK and TRYAGAIN mean that nothing was done; those alone are followed. A closed connection is not.
          maxRedirections: 5,
          retryDelayOnFailover: 0,
          retryDelayOnClusterDown: 0,
        });
    }
  }
}
