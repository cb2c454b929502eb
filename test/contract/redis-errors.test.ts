/** Goal: no error that leaves the Redis store carries what was sent: codes, sessions, visitors. Method: provoked errors. */
import { inspect } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemRandom } from "../../src/lib/clock-and-random.ts";
import { createLogger } from "../../src/lib/logger.ts";
import type { Store } from "../../src/store/contract/store.ts";
import { createRedisStore } from "../../src/store/redis/index.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";

const id = "code-that-nobody-may-read";
let redis: RedisServer;
const stores: Store[] = [];

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await redis.stop();
});

async function storeAs(user: string, commandTimeoutMs = 10_000): Promise<Store> {
  const url = `redis://${user}@127.0.0.1:${redis.port}`;
  const store = createRedisStore({ url, random: systemRandom, logger: createLogger("silent"), commandTimeoutMs });
  stores.push(store);
  await store.start();
  return store;
}

async function errorOf(operation: Promise<unknown>): Promise<string> {
  const error: unknown = await operation.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  const whole = inspect(error, { depth: null, showHidden: true });
  expect(whole).not.toContain(id);
  expect(whole).not.toMatch(/args|usher:(oidc|document)/);
  return whole;
}

it("reports a reply of Redis without the command", async () => {
  const codes = (await storeAs("")).oidcAdapter("AuthorizationCode");
  await redis.command("SET", `usher:oidc:AuthorizationCode:${id}`, "no hash");
  expect(await errorOf(codes.find(id))).toContain("WRONGTYPE");
  expect(await errorOf(codes.consume(id))).toContain("WRONGTYPE");
  const grants = (await storeAs("")).oidcAdapter("Grant");
  await redis.command("HSET", `usher:oidc:Grant:${id}`, "no", "text");
  expect(await errorOf(grants.find(id))).toContain("WRONGTYPE");
});

it("says nothing of a shared document, which may hold secrets", async () => {
  const { documents } = await storeAs("");
  await redis.command("SET", "usher:document:registry", "no hash");
  expect(await errorOf(documents.replace("registry", id, 0))).toContain("WRONGTYPE");
  expect(await errorOf(documents.exchange("registry", { version: 1, text: id }))).toContain("WRONGTYPE");
});

it("reports a refused command without its arguments", async () => {
  await redis.command("ACL", "SETUSER", "limited", "on", ">secret", "~*", "&*", "+@all", "-del");
  const codes = (await storeAs("limited:secret")).oidcAdapter("AuthorizationCode");
  expect(await errorOf(codes.destroy(id))).toContain("can't run this command");
});

it("reports a deadline without the command", async () => {
  const codes = (await storeAs("", 1_000)).oidcAdapter("AuthorizationCode");
  redis.freeze();
  expect(await errorOf(codes.destroy(id))).toContain("Command timed out");
  redis.thaw();
});
