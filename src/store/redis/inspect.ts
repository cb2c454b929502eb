/** Checks of a Redis server: what about it is a fault, which strangers use it, and what is found before a start. */

import { Cluster, type Redis } from "ioredis";
import type { Random } from "../../lib/clock-and-random.ts";
import { SetupError, StoreUnavailableError } from "../../lib/errors.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Installation } from "../contract/store.ts";
import { connect, createClient, type RedisClient } from "./client.ts";
import { createKeys, type Keys } from "./keys.ts";
import { foreignName } from "./ownership.ts";
import { createRunner, type Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";
import { evictionFindings, nameServer, persistenceFindings, type ServerName } from "./server.ts";

const oldest = [6, 2] as const;

/**
 * Checks that the server is what the scripts need.
 *
 * @returns warnings about what could not be checked, and the server's time.
 * @throws SetupError that says what is wrong and how to mend it; StoreUnavailableError when the server does not answer.
 */
export async function checkServer(runner: Runner, keys: Keys, server: ServerName) {
  const { info, nowMs } = await tryScript(runner, keys, server);
  checkVersion(info, server);
  return { warnings: checkPolicy(info, server), nowMs };
}

async function tryScript(runner: Runner, keys: Keys, { name, cli }: ServerName) {
  try {
    const answer = await runner.run(scripts.checkServer, { fingerprints: keys.fingerprints }, {});
    if (!/run_id:\w+/.test(answer.info)) throw new Error("INFO names no run_id");
    return answer;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new SetupError(
      `${name} refuses to run Usher's scripts (${messageOf(error)}): allow the user of the store's URL EVAL, EVALSHA and, ` +
        `within scripts, TIME and INFO: ${cli} ACL SETUSER USER ${aclOfScripts}`,
      { cause: error },
    );
  }
}

const aclOfScripts = "+eval +evalsha +time +info";

/** NOPERM counts as away for a visitor; at the start it is a fault of the set-up. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return !(error instanceof StoreUnavailableError) || /NOPERM/.test(messageOf(error.cause));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function checkVersion(info: string, { name, cli }: ServerName): void {
  const version = /redis_version:(\d+)\.(\d+)/.exec(info);
  const major = Number(version?.[1] ?? 0);
  const minor = Number(version?.[2] ?? 0);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new SetupError(
    `${name} is too old (${major}.${minor}): Usher needs Redis 6.2 or later, or Valkey; ${cli} INFO server shows the version`,
  );
}

function checkPolicy(info: string, server: ServerName): string[] {
  const [finding] = evictionFindings(info, server);
  if (finding?.code === "store_evicts") throw new SetupError(finding.text);
  return finding === undefined ? [] : [finding.text];
}

/** A server shows at most the beginning of a longer name. */
const nameLengthMax = 500;
/** All connections of a server are a long list, and readiness is asked for often. */
const cachedMs = 5_000;

/**
 * A stranger writes nothing into the store; it names its connections, which ends with them. `CLIENT` may be forbidden to this user, or
 * hidden by what stands before the server: then nobody learns of the other, and nothing else is lost.
 *
 * @param prefix of the keys: installations with another one are no strangers
 * @param database of the server
 */
export function createStrangers(runner: Runner, prefix: string, database: number, stopwatch = () => performance.now()) {
  const mark = `usher-stranger|${prefix}|`;
  let cached: { readonly atMs: number; readonly found: readonly string[] } | null = null;

  return {
    async announce(stranger: Installation | null): Promise<void> {
      const name = stranger === null ? "" : `${mark}${stranger.issuers.join(",")}`.slice(0, nameLengthMax);
      await allowed(
        runner.command("name-connection", (client) => onAllNodes(client, (node) => node.client("SETNAME", name)), true),
      );
    },
    async list(): Promise<readonly string[]> {
      const nowMs = stopwatch();
      if (cached !== null && nowMs - cached.atMs < cachedMs) return cached.found;
      const lists = await allowed(
        runner.command("list-connections", (client) => onAllNodes(client, (node) => node.client("LIST"))),
      );
      const found = strangersIn((lists ?? []).map(String).join("\n"), mark, database);
      cached = { atMs: nowMs, found };
      return found;
    },
  };
}

/** A Cluster has connections of its own to each node. */
function onAllNodes<R>(client: RedisClient, ask: (node: Redis) => Promise<R>): Promise<R[]> {
  const nodes = client instanceof Cluster ? client.nodes("all") : [client];
  return Promise.all(nodes.map(ask));
}

/** Null where it is not permitted, or the store is away. */
async function allowed<R>(answer: Promise<R>): Promise<R | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StoreUnavailableError || (error instanceof Error && error.name === "ReplyError")) return null;
    throw error;
  }
}

/** By the lines of `CLIENT LIST`; of each installation and host one. */
function strangersIn(list: string, mark: string, database: number): string[] {
  const found = list.split("\n").flatMap((line) => {
    const field = (key: string) =>
      line
        .split(" ")
        .find((entry) => entry.startsWith(`${key}=`))
        ?.slice(key.length + 1) ?? "";
    const name = field("name");
    if (!name.startsWith(mark) || field("db") !== String(database)) return [];
    const host = field("addr").replace(/:\d+$/, "");
    return [`${name.slice(mark.length).replaceAll(",", ", ")} at ${host}`];
  });
  return [...new Set(found)].toSorted();
}

/** As in the gateway: more than this between clocks is worth a warning. */
const skewMaxMs = 2_000;

/** Looks at a server as a gateway does at its start, and whether it keeps what it has over a restart. Changes nothing. */
export async function inspectRedis({
  url,
  prefix,
  installation,
  random,
  logger,
  nowMs,
}: {
  readonly url: string;
  /** Begins every key. */
  readonly prefix: string;
  /** Whose it should be; null: its ticket keys are not known here. */
  readonly installation: { readonly issuers: readonly string[]; readonly ticketKeys: readonly string[] | null };
  readonly random: Random;
  readonly logger: Logger;
  /** This machine's clock, with which the server's is compared. */
  readonly nowMs: () => number;
}) {
  const server = nameServer(url);
  const client = createClient({ url, random, logger, commandTimeoutMs: 2_000 });
  try {
    const failure = await connect(client, server);
    if (failure !== null) return { faults: [notReached(failure)], warnings: [] };
    const sentMs = nowMs();
    const keys = createKeys(prefix);
    const { warnings, nowMs: theirsMs } = await checkServer(createRunner(client, null), keys, server);
    const offMs = Math.abs(theirsMs - (sentMs + nowMs()) / 2);
    const clock =
      offMs > skewMaxMs
        ? [
            `${server.name} has a clock ${Math.round(offMs / 1_000)} s off this one: run chrony or another NTP client on both`,
          ]
        : [];
    const persistence = persistenceFindings(await client.info("persistence"), server);
    const named = await client.hmget(keys.installation, "issuers", "ticket_keys");
    const foreign = foreignName(server, installation, named);
    return {
      faults: foreign === null ? [] : [foreign],
      warnings: [...warnings, ...persistence.map(({ text }) => text), ...clock],
    };
  } catch (error) {
    if (error instanceof SetupError) return { faults: [error.message], warnings: [] };
    if (error instanceof StoreUnavailableError) return { faults: [notReached(messageOf(error.cause))], warnings: [] };
    throw error;
  } finally {
    client.disconnect();
  }

  function notReached(reason: string): string {
    return `${server.name} does not answer (${reason}): start it, and see that ${server.cli} PING reaches it from here`;
  }
}
