import { parseRedisUrl } from "../../lib/redis-url.ts";

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
