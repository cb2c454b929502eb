// Long: each fault is a Redis of its own; process.test.ts and operators-listener.test.ts have starts that fail.
/** A start that fails says in one sentence why and what to do, and is no history for the next. */
import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type GatewayOptions, startGateway } from "../../support/gateway.ts";
import { freePort } from "../../support/ports.ts";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";
import { makeTempDir } from "../../support/temp-dir.ts";
import { makeTls } from "../../support/tls.ts";

const room = { id: "line", inlet: { type: "periodic", outflow_per_minute: 60 } };
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function server(extra: string[] = []): Promise<RedisServer> {
  const redis = await startRedis(extra);
  cleanups.push(() => redis.stop());
  return redis;
}

async function folder(): Promise<string> {
  const made = await makeTempDir("start");
  cleanups.push(() => made.remove());
  return made.path;
}

/** What a start prints that is expected to fail. */
async function failing(
  options: Omit<GatewayOptions, "config"> & { store?: Record<string, unknown>; admin?: Record<string, unknown> },
): Promise<string> {
  const { store, admin, ...others } = options;
  const started = startGateway({
    config: { rooms: [room], ...(store && { store }), ...(admin && { admin }) },
    ...others,
  });
  return started.then(
    async (gateway) => {
      await gateway.stop();
      throw new Error("it started");
    },
    (error: Error) => error.message,
  );
}

/** The lines that are none of the log's, nor what a library thinks of this Node.js. */
const sentences = (output: string) =>
  output.split("\n").filter((line) => line !== "" && !/^\{|^oidc-provider /.test(line));

async function phaseOf(options: GatewayOptions): Promise<unknown> {
  const gateway = await startGateway(options);
  cleanups.push(() => gateway.stop());
  const { phase, held_until } = (await (await fetch(`${gateway.origin}/rooms/line/status`)).json()) as {
    phase: string;
    held_until: string | null;
  };
  return { phase, held_until };
}

const open = { phase: "open", held_until: null };

describe("after a first start that failed", () => {
  test("because of the store's policy, a room is new", async () => {
    const redis = await server(["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"]);
    const store = { type: "redis", url: redis.url };
    const secretsFile = join(await folder(), "kept", "secrets.json");
    const output = await failing({ store, secretsFile });
    expect(sentences(output)).toEqual([
      expect.stringMatching(/allkeys-lru .*redis-cli -h \S+ -p \d+ CONFIG SET maxmemory-policy noeviction/),
    ]);
    expect(existsSync(dirname(secretsFile))).toBe(false);
    await redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    expect(await phaseOf({ config: { rooms: [room], store }, secretsFile })).toEqual(open);
  });

  test("because of its port, a room is new, and the store was not touched", async () => {
    const redis = await server();
    const store = { type: "redis", url: redis.url };
    const secretsFile = join(await folder(), "kept", "secrets.json");
    const port = await freePort();
    const other = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    const output = await failing({ store, port, secretsFile });
    expect(sentences(output)).toEqual([expect.stringMatching(new RegExp(`^Port ${port} is taken: .*ss -ltnp`))]);
    expect(existsSync(dirname(secretsFile))).toBe(false);
    expect(await redis.command("DBSIZE")).toBe(0);
    await new Promise((resolve) => other.close(resolve));
    expect(await phaseOf({ config: { rooms: [room], store }, port, secretsFile })).toEqual(open);
  });

  test("because of the operators' port, says which setting it is", async () => {
    const admin = { listen: { host: "127.0.0.1", port: await freePort() } };
    const other = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => other.listen(admin.listen.port, "127.0.0.1", resolve));
    cleanups.push(() => new Promise((resolve) => other.close(resolve)));
    expect(sentences(await failing({ admin }))).toEqual([
      expect.stringMatching(/choose another with admin\.listen\.port/),
    ]);
  });
});

describe("a sentence says what to do about", () => {
  test("a password that is wrong or missing", async () => {
    const redis = await server();
    await redis.command("CONFIG", "SET", "requirepass", "right");
    for (const user of ["", ":wrong@"]) {
      const url = `redis://${user}127.0.0.1:${redis.port}`;
      const output = await failing({ store: { type: "redis", url } });
      expect(sentences(output)).toEqual([
        expect.stringMatching(/does not accept the user and password .*redis-cli .*PING/),
      ]);
      expect(output).not.toContain("wrong@");
    }
  });

  test("a certificate that nobody vouches for", async () => {
    const path = await folder();
    const { certificateFile, keyFile } = await makeTls(path, ["localhost"]);
    const port = await freePort();
    await server([
      "--tls-port",
      String(port),
      "--tls-cert-file",
      certificateFile,
      "--tls-key-file",
      keyFile,
      "--tls-auth-clients",
      "no",
    ]);
    const output = await failing({ store: { type: "redis", url: `rediss://localhost:${port}` } });
    expect(sentences(output)).toEqual([
      expect.stringMatching(/certificate that is not to be trusted .*NODE_EXTRA_CA_CERTS/),
    ]);
  });

  test("Sentinels that are away, and does not wait for them", async () => {
    const url = `redis-sentinel://127.0.0.1:${await freePort()}/main`;
    const gateway = await startGateway({
      config: { rooms: [room], store: { type: "redis", url } },
      waitUntilReady: false,
    });
    cleanups.push(() => gateway.stop());
    const [warning] = gateway
      .output()
      .split("\n")
      .filter((line) => line.includes("store.warning"));
    expect(warning).toMatch(/does not answer yet .*Usher goes on trying: .*PING/);
  });

  test("a secrets file and a folder of marks that are closed, or stand where nothing can be made", async () => {
    const path = await folder();
    await writeFile(join(path, "file"), "");
    const output = await failing({ secretsFile: join(path, "file", "secrets.json") });
    expect(sentences(output)).toEqual([expect.stringMatching(/a folder above it is a file .*name another place/)]);
    // Root may open everything.
    if (process.getuid?.() === 0) return;
    const kept = join(path, "kept");
    await mkdir(join(kept, "checkpoints"), { recursive: true });
    await chmod(join(kept, "checkpoints"), 0);
    cleanups.push(() => chmod(join(kept, "checkpoints"), 0o700));
    const closed = await failing({ secretsFile: join(kept, "secrets.json") });
    expect(sentences(closed)).toEqual([expect.stringMatching(/checkpoints is not open to this user .*sudo chown -R/)]);
  });
});
