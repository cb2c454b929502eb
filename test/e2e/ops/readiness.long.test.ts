// Long: a Redis of its own for each fault; ops.test.ts has a gateway that is not ready, outage/store-away.test.ts a store that is away.
/** What a process that cannot do its work says, to whoever asks and in its log. */
import { mkdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../support/gateway.ts";
import { freePort } from "../../support/ports.ts";
import { startRedis } from "../../support/redis-server.ts";
import { makeTempDir } from "../../support/temp-dir.ts";

const rooms = [{ id: "line", inlet: { type: "manual" } }];
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function ready(gateway: Gateway): Promise<[status: number, body: string]> {
  const response = await fetch(`${gateway.origin}/readyz`);
  return [response.status, await response.text()];
}

const said = (gateway: Gateway, event: string) =>
  gateway
    .output()
    .split("\n")
    .filter((line) => line.includes(`"event":"${event}"`));

test("a store that takes no writes is not ready: no memory, or a replica", async () => {
  const redis = await startRedis();
  cleanups.push(() => redis.stop());
  const gateway = await startGateway({ config: { store: { type: "redis", url: redis.url }, rooms } });
  cleanups.push(() => gateway.stop());
  await redis.command("CONFIG", "SET", "maxmemory", "1");
  expect(await ready(gateway)).toEqual([503, expect.stringContaining("no memory left")]);
  await redis.command("CONFIG", "SET", "maxmemory", "0");
  expect((await ready(gateway))[0]).toBe(200);
  await redis.command("REPLICAOF", "127.0.0.1", String(await freePort()));
  expect(await ready(gateway)).toEqual([503, expect.stringMatching(/replica|does not answer/)]);
  await redis.command("REPLICAOF", "NO", "ONE");
  await gateway.waitUntilReady();
});

test("a store that is set up to forget while processes run is warned of, and they go on serving", async () => {
  const redis = await startRedis();
  cleanups.push(() => redis.stop());
  const gateway = await startGateway({ config: { store: { type: "redis", url: redis.url }, rooms } });
  cleanups.push(() => gateway.stop());
  expect(await ready(gateway)).toEqual([200, '{"status":"ok"}']);
  await redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
  expect(await ready(gateway)).toEqual([
    200,
    expect.stringMatching(/"warnings":\["Redis .* maxmemory-policy allkeys-lru/),
  ]);
  await redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
  expect(await ready(gateway)).toEqual([200, '{"status":"ok"}']);
});

test("checkpoints that cannot be written are reported: not ready where they never could be, a warning and a metric later", async () => {
  const folder = await makeTempDir("checkpoints");
  cleanups.push(() => folder.remove());
  const port = await freePort();
  const secretsFile = join(folder.path, "secrets.json");
  // A folder where the file is to be stops root, too.
  const inTheWay = join(dirname(secretsFile), "checkpoints", `${hostname()}-${port}.json`);
  await mkdir(inTheWay, { recursive: true });
  const gateway = await startGateway({ config: { rooms }, port, secretsFile, waitUntilReady: false });
  cleanups.push(() => gateway.stop());
  await expect
    .poll(() => ready(gateway))
    .toEqual([503, expect.stringContaining("checkpoints beside the secrets file cannot be written")]);
  expect(said(gateway, "checkpoints.failed")[0]).toContain('"level":50');
  await rm(inTheWay, { recursive: true });
  await expect.poll(() => ready(gateway)).toEqual([200, '{"status":"ok"}']);
  const metric = async () =>
    /^usher_checkpoints_failing (\d)$/m.exec(await (await fetch(`${gateway.origin}/metrics`)).text())?.[1];
  expect(await metric()).toBe("0");
  await rm(inTheWay);
  await mkdir(inTheWay);
  // Something to write down.
  await fetch(`${gateway.origin}/rooms/line/tickets`, { method: "POST" });
  await expect.poll(() => ready(gateway)).toEqual([200, expect.stringMatching(/"warnings":\["the checkpoints/)]);
  expect(await metric()).toBe("1");
});
