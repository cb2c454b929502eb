/** Where a store's URL points. */
export interface RedisTarget {
  readonly kind: "single" | "sentinel" | "cluster";
  readonly nodes: { host: string; port: number }[];
  /** Name of the master that the Sentinels watch. */
  readonly master: string;
  readonly connection: {
    host?: string;
    port?: number;
    username?: string;
    password?: string;
    sentinelPassword?: string;
    db?: number;
    tls?: object;
  };
}

const form =
  /^(redis|rediss|redis-sentinel|rediss-sentinel|redis-cluster|rediss-cluster):\/\/(?:([^@/]*)@)?([^/?]+)(?:\/([^?]*))?(?:\?(.*))?$/;

/**
 * Reads the URL of a store:
 *
 * - `redis://[user:password@]host[:port][/db]`, `rediss://` the same over TLS;
 * - `redis-sentinel://[user:password@]host[:port],host[:port]/master-name[?db=N&sentinel_password=…]`, default port
 *   26379, `rediss-sentinel://` the same over TLS;
 * - `redis-cluster://[user:password@]host[:port],host[:port]`, `rediss-cluster://` the same over TLS.
 *
 * @throws Error that says what is wrong, without any secret of the URL.
 */
export function parseRedisUrl(url: string): RedisTarget {
  const match = form.exec(url);
  if (match === null) {
    throw new Error(
      "the store's URL must begin with redis://, rediss://, redis-sentinel:// or redis-cluster:// and name a host",
    );
  }
  const [, scheme = "", user = "", hosts = "", path = "", query = ""] = match;
  const kind = scheme.endsWith("-sentinel") ? "sentinel" : scheme.endsWith("-cluster") ? "cluster" : "single";
  const nodes = hosts.split(",").map((node) => readNode(node, kind === "sentinel" ? 26_379 : 6_379));
  if (kind === "single" && nodes.length > 1)
    throw new Error("a redis:// URL names one host; use redis-sentinel:// or redis-cluster://");
  if (kind === "sentinel" && path === "") throw new Error("a redis-sentinel:// URL must end with /name-of-the-master");
  const parameters = new URLSearchParams(query);
  const db = readDb(kind === "single" ? path : (parameters.get("db") ?? ""));
  if (kind === "cluster" && (db !== undefined || path !== ""))
    throw new Error("a Redis Cluster has no numbered databases");
  const sentinelPassword = parameters.get("sentinel_password");
  return {
    kind,
    nodes,
    master: kind === "sentinel" ? decodeURIComponent(path) : "",
    connection: {
      ...(kind === "single" ? nodes[0] : {}),
      ...readUser(user),
      ...(sentinelPassword === null ? {} : { sentinelPassword }),
      ...(db === undefined ? {} : { db }),
      ...(scheme.startsWith("rediss") ? { tls: {} } : {}),
    },
  };
}

function readNode(text: string, defaultPort: number): { host: string; port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  if (match === null) throw new Error("the store's URL names a host that cannot be read; write host or host:port");
  return { host: match[1] ?? match[2] ?? "", port: match[3] === undefined ? defaultPort : Number(match[3]) };
}

function readUser(text: string): { username?: string; password?: string } {
  if (text === "") return {};
  const at = text.indexOf(":");
  if (at === -1) return { username: decodeURIComponent(text) };
  const username = decodeURIComponent(text.slice(0, at));
  return { ...(username === "" ? {} : { username }), password: decodeURIComponent(text.slice(at + 1)) };
}

function readDb(text: string): number | undefined {
  if (text === "") return undefined;
  if (!/^\d{1,4}$/.test(text)) throw new Error("the database in the store's URL must be a number");
  return Number(text);
}
