/** A Redis server: its name in messages, and what it reports of itself. */
import { parseRedisUrl } from "../../lib/redis-url.ts";
import type { ServerFacts, ServerFinding } from "../contract/shared.ts";

/** The server in messages to an operator, without its password. */
export interface ServerName {
  /** Such as `Redis at db.example:6379`. */
  readonly name: string;
  /** What its commands begin with; asks for the password where there is one. */
  readonly cli: string;
  readonly arrangement: "single" | "sentinel" | "cluster";
}

export function nameServer(url: string): ServerName {
  const { kind, nodes, master, connection } = parseRedisUrl(url);
  const { host = "", port = 0 } = nodes[0] ?? {};
  const options = [
    // Only the Sentinels know where the master is.
    kind === "sentinel" ? "-h MASTER" : `-h ${host} -p ${port}`,
    connection.tls === undefined ? "" : "--tls",
    connection.username === undefined ? "" : `--user ${connection.username}`,
    connection.password === undefined ? "" : "--askpass",
  ];
  return {
    name:
      kind === "sentinel" ? `Redis (master ${master} of the Sentinels at ${host}:${port})` : `Redis at ${host}:${port}`,
    cli: ["redis-cli", ...options.filter((option) => option !== "")].join(" "),
    arrangement: kind,
  };
}

/** Of the memory that it may use. */
const nearlyFull = 0.85;

/** @param info the sections that are there */
export function readServerFacts(info: string, arrangement: ServerFacts["arrangement"]): ServerFacts {
  const text = textsOf(info);
  const number = (name: string) => {
    const value = text(name);
    return value === null ? null : Number(value);
  };
  const valkey = text("valkey_version");
  const savedSec = number("rdb_last_save_time");
  const role = text("role");
  return {
    software: valkey === null ? "Redis" : "Valkey",
    version: valkey ?? text("redis_version") ?? "",
    arrangement,
    runId: text("run_id") ?? "",
    upSec: number("uptime_in_seconds"),
    usedBytes: number("used_memory"),
    maxBytes: number("maxmemory"),
    evictionPolicy: text("maxmemory_policy"),
    isAppendOnly: flagOf(text("aof_enabled")),
    savedMs: savedSec === null ? null : savedSec * 1_000,
    role: role === null ? null : role === "master" ? "master" : "replica",
    replicas: number("connected_slaves"),
  };
}

/** What is not as Usher needs it, each with what to do. */
export function serverFindings(info: string, server: ServerName): ServerFinding[] {
  return [...evictionFindings(info, server), ...persistenceFindings(info, server), ...memoryFindings(info, server)];
}

/** A store that evicts would forget rooms and admissions; it must refuse writes instead. */
export function evictionFindings(info: string, { name, cli }: ServerName): ServerFinding[] {
  const policy = textsOf(info)("maxmemory_policy");
  if (policy === "noeviction") return [];
  if (policy === null) {
    const text =
      `${name} does not show its maxmemory-policy: make sure that it is noeviction, by ${cli} INFO memory (maxmemory_policy), ` +
      "or in the settings of the provider that runs it for you";
    return [{ code: "store_eviction_unknown", text }];
  }
  const text =
    `${name} has maxmemory-policy ${policy} and would forget rooms when its memory is full: ` +
    `${cli} CONFIG SET maxmemory-policy noeviction, and the same in its redis.conf (where Redis is run for you, in its parameters)`;
  return [{ code: "store_evicts", text }];
}

/** Whether it keeps what it has over a restart. */
export function persistenceFindings(info: string, { name, cli }: ServerName): ServerFinding[] {
  const text = textsOf(info);
  const findings: ServerFinding[] = [];
  if (text("aof_enabled") === "0") {
    findings.push({
      code: "store_not_append_only",
      text:
        `${name} writes no append-only file, so a restart loses what came after its last snapshot, and every room recovers for some seconds: ` +
        `${cli} CONFIG SET appendonly yes, and the same in its redis.conf`,
    });
  } else if (text("aof_last_write_status") === "err") {
    findings.push({
      code: "store_append_fails",
      text: `${name} could not write its append-only file: make room on its disk`,
    });
  }
  if (text("rdb_last_bgsave_status") === "err") {
    findings.push({
      code: "store_save_fails",
      text: `${name} could not save its last snapshot, and may soon take no writes: see its log, and make room on its disk`,
    });
  }
  return findings;
}

function memoryFindings(info: string, { name, cli }: ServerName): ServerFinding[] {
  const text = textsOf(info);
  const [used, max] = [Number(text("used_memory") ?? 0), Number(text("maxmemory") ?? 0)];
  if (max === 0 || used < nearlyFull * max) return [];
  const share = `${Math.floor((100 * used) / max)} %`;
  const advice = `give it more before it takes no writes: ${cli} CONFIG SET maxmemory BYTES`;
  return [{ code: "store_nearly_full", text: `${name} uses ${share} of its memory: ${advice}` }];
}

/** The value of a line of INFO; null where it has none. */
function textsOf(info: string) {
  return (name: string): string | null => new RegExp(`^${name}:([^\\r\\n]+)`, "m").exec(info)?.[1] ?? null;
}

function flagOf(text: string | null): boolean | null {
  return text === null ? null : text === "1";
}
