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

const allowed =
  "expected redis://[user:password@]host[:port][/database], redis-sentinel://host[:port],host[:port]/master-name " +
  "or redis-cluster://host[:port],host[:port]; with rediss in place of redis for TLS";
const form = /^(rediss?)(-sentinel|-cluster)?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const lengthMax = 2_048;

/**
 * Reads the URL of a store:
 *
 * - `redis://[user:password@]host[:port][/database]`, `rediss://` the same over TLS;
 * - `redis-sentinel://[user:password@]host[:port],host[:port]/master-name[?db=N&sentinel_password=…]`, default port
 *   26379, `rediss-sentinel://` the same with TLS to Sentinels and servers;
 * - `redis-cluster://[user:password@]host[:port],host[:port]`, `rediss-cluster://` the same over TLS.
 *
 * @throws Error that says what is allowed and what is wrong, without any part of the URL.
 */
export function parseRedisUrl(url: string): RedisTarget {
  const match = url.length > lengthMax || !/^[\x21-\x7e]+$/.test(url) ? null : form.exec(url);
  if (match === null) throw new Error(allowed);
  const [, scheme = "", suffix = "", user = "", hosts = "", path = "", query = ""] = match;
  const kind = suffix === "-sentinel" ? "sentinel" : suffix === "-cluster" ? "cluster" : "single";
  const nodes = hosts.split(",").map((node) => readNode(node, kind === "sentinel" ? 26_379 : 6_379));
  if (kind === "single" && nodes.length > 1) throw fault("several hosts are for Sentinels or a Cluster");
  if (kind === "sentinel" && path === "") throw fault("the name of the master is missing");
  const parameters = readParameters(query, kind === "sentinel" ? ["db", "sentinel_password"] : []);
  const db = readDb(kind === "single" ? path : (parameters.get("db") ?? ""));
  if (kind === "cluster" && path !== "") throw fault("a Cluster has no numbered databases");
  const sentinelPassword = parameters.get("sentinel_password");
  return {
    kind,
    nodes,
    master: kind === "sentinel" ? decode(path) : "",
    connection: {
      ...(kind === "single" ? nodes[0] : {}),
      ...readUser(user),
      ...(sentinelPassword === undefined ? {} : { sentinelPassword }),
      ...(db === undefined ? {} : { db }),
      ...(scheme === "rediss" ? { tls: {} } : {}),
    },
  };
}

/** What is wrong with the URL of a store, and what is allowed; null when nothing is. */
export function redisUrlFault(url: string): string | null {
  try {
    parseRedisUrl(url);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : allowed;
  }
}

/** Whether two URLs lead to the same keys, as far as they say. What cannot be read leads nowhere. */
export function leadToSameKeys(one: string, other: string): boolean {
  if (redisUrlFault(one) !== null || redisUrlFault(other) !== null) return false;
  const [a, b] = [parseRedisUrl(one), parseRedisUrl(other)];
  const nameOf = ({ host, port }: { host: string; port: number }) => `${host.toLowerCase()} ${port}`;
  const names = new Set(a.nodes.map(nameOf));
  const isSameSet = a.kind === b.kind && a.master === b.master && (a.connection.db ?? 0) === (b.connection.db ?? 0);
  return isSameSet && b.nodes.some((node) => names.has(nameOf(node)));
}

function fault(what: string): Error {
  return new Error(`${allowed}; here ${what}`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fault("a % begins no character; write %25 for a % of its own");
  }
}

function readNode(text: string, defaultPort: number): { host: string; port: number } {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(text);
  const port = match?.[3] === undefined ? defaultPort : Number(match[3]);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined || port < 1 || port > 65_535) throw fault("a host or its port cannot be read");
  return { host, port };
}

function readUser(text: string): { username?: string; password?: string } {
  if (text === "") return {};
  const at = text.indexOf(":");
  if (at === -1) return { username: decode(text) };
  const username = decode(text.slice(0, at));
  return { ...(username === "" ? {} : { username }), password: decode(text.slice(at + 1)) };
}

function readParameters(query: string, allowed: readonly string[]): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of query.split("&").filter((text) => text !== "")) {
    const [, name = "", value = ""] = /^([^=]*)=?(.*)$/.exec(part) ?? [];
    if (!allowed.includes(name) || parameters.has(name)) {
      throw fault(allowed.length === 0 ? "parameters follow" : `parameters other than ${allowed.join(" and ")} follow`);
    }
    parameters.set(name, decode(value));
  }
  return parameters;
}

function readDb(text: string): number | undefined {
  if (text === "") return undefined;
  if (!/^\d{1,5}$/.test(text)) throw fault("the database is no number");
  return Number(text);
}
