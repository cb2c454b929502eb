import { Cluster, type Redis } from "ioredis";
import { StoreUnavailableError } from "../../lib/errors.ts";
import type { Installation } from "../contract/installation.ts";
import type { RedisClient } from "./client.ts";
import type { Runner } from "./runner.ts";

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
export function strangersIn(list: string, mark: string, database: number): string[] {
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
