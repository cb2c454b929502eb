/** Goal: a staging gateway that is started on production's Redis is named by the doctor. */
import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../../support/gateway.ts";
import { type RedisDatabase, redisDatabase } from "../../../support/shared-redis.ts";
import { runUsher } from "../../../support/usher-command.ts";

let redis: RedisDatabase;
let production: Gateway;
let staging: Gateway;

beforeAll(async () => {
  redis = await redisDatabase();
  const config = { store: { type: "redis", url: redis.url }, rooms: [{ id: "line" }] };
  production = await startGateway({ config });
  staging = await startGateway({ config, waitUntilReady: false });
});

afterAll(async () => {
  await Promise.all([production.stop(), staging.stop()]);
  await redis.refund();
});

test.each([
  ["its secrets file", () => staging.secretsFile, () => production.secretsFile],
  ["no secrets file on this machine", () => `${staging.secretsFile}.none`, () => `${production.secretsFile}.none`],
])("the doctor says so, with %s", async (_, ofStaging, ofProduction) => {
  const doctor = async (gateway: Gateway, secretsFile: string) => {
    const args = ["doctor", "--config", gateway.configFile, "--json"];
    const { printed } = await runUsher(args, { env: { USHER_SECRETS_FILE: secretsFile } });
    return (JSON.parse(printed) as { about: string; status: string; text: string }[]).filter(
      ({ about, status }) => about === "store" && status === "fault",
    );
  };
  const [found, ...more] = await doctor(staging, ofStaging());
  expect(found?.text).toContain(`belongs to another installation (issuer ${production.issuer}, ticket keys `);
  expect(found?.text).toContain(`and this one is issuer ${staging.issuer}`);
  expect(found?.text).toContain("store.prefix");
  expect(more).toEqual([]);
  expect(await doctor(production, ofProduction())).toEqual([]);
  for (const file of [ofStaging(), ofProduction()]) expect(existsSync(file)).toBe(!file.endsWith(".none"));
});
