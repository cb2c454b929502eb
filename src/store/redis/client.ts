/** The connection to Redis: how it is made, and how a start waits for it. */
import { Cluster, Redis, type RedisOptions } from "ioredis";
import type { Random } from "../../lib/clock-and-random.ts";
import { SetupError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import { parseRedisUrl } from "../../lib/redis-url.ts";
import { isReadOnlyReply } from "./availability.ts";
import type { ServerName } from "./server.ts";

export type RedisClient = Redis | Cluster;

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
export function createClient(options: {
  readonly url: string;
  readonly random: Random;
  readonly logger: Logger;
  readonly commandTimeoutMs: number;
}): RedisClient {
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

/** Sentinels are asked again and again; a start does not wait for them. */
const giveUpMs = 6_000;

/**
 * Begins to connect, and answers what was in the way, null when nothing was; the client goes on trying by itself.
 *
 * @throws SetupError for what no trying mends: a wrong password, a certificate that is not trusted
 */
export async function connect(client: RedisClient, server: ServerName): Promise<string | null> {
  let reason: Error | undefined;
  // What `connect` throws itself says that the connection is closed, and never why.
  const note = (error: Error & { lastNodeError?: Error }) => {
    reason = error.lastNodeError ?? error;
  };
  client.on("error", note);
  let timer: NodeJS.Timeout | undefined;
  const abandoned = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(reason?.message ?? `no answer within ${giveUpMs} ms`), giveUpMs);
  });
  const connected = client.connect().then(
    () => null,
    (error: Error) => (reason ?? error).message,
  );
  try {
    const failure = await Promise.race([connected, abandoned]);
    const advice = failure === null || reason === undefined ? null : adviceFor(reason);
    if (advice !== null)
      throw new SetupError(`${server.name} ${advice.replaceAll("CLI", server.cli)}`, { cause: reason });
    return failure;
  } finally {
    clearTimeout(timer);
    client.off("error", note);
  }
}

/** What to do about what no trying mends; null for what may pass. */
function adviceFor(error: Error): string | null {
  const code = "code" in error ? String(error.code) : "";
  if (/\b(NOAUTH|WRONGPASS)\b/.test(error.message)) {
    return "does not accept the user and password in the store's URL (redis://USER:PASSWORD@HOST:PORT, special characters as %XX): try them with CLI PING";
  }
  if (/^(DEPTH_ZERO_SELF|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_|ERR_TLS_CERT)/.test(code)) {
    return `shows a certificate that is not to be trusted (${error.message}): start Usher with NODE_EXTRA_CA_CERTS=FILE, the certificate of the authority that signed it, and name the host in the store's URL as the certificate does`;
  }
  if (/cluster support disabled/.test(error.message)) {
    return "is no Cluster: write redis:// in place of redis-cluster:// in the store's URL";
  }
  return null;
}
