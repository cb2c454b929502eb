/** Webhooks in the configuration file: two gateways deliver to them once, the API shows and tests them, and changes nothing of them. */
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAdmin } from "../../../support/admin.ts";
import { type Gateway, startGateways } from "../../../support/gateway.ts";
import { createHttpClient } from "../../../support/http-client.ts";
import { type SharedRedis, sharedRedis } from "../../../support/shared-redis.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../support/webhook-receiver.ts";

const secret = `whsec_${Buffer.from("s".repeat(32)).toString("base64")}`;
const http = createHttpClient();
let redis: SharedRedis;
let receiver: WebhookReceiver;
let gateways: Gateway[];
const admin = (index = 0) => createAdmin(http, gateways[index]?.origin ?? "");

beforeAll(async () => {
  [redis, receiver] = await Promise.all([sharedRedis(), startWebhookReceiver()]);
  const ofFile = { url: receiver.url, secret: { from: "env", name: "HOOK_SECRET" }, types: ["usher.room.*"] };
  gateways = await startGateways(2, {
    env: { HOOK_SECRET: secret },
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [{ id: "shop" }],
      clients: [],
      webhooks: { allowed_hosts: ["127.0.0.1"], receivers: [{ id: "pager", note: "of the file", ...ofFile }] },
    },
  });
});
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await receiver.close();
  await redis.refund();
  http.close();
});

const phases = () =>
  receiver.received.filter(({ type }) => type === "usher.room.phase_changed").map(({ id, data }) => [id, data.phase]);

test("are shown beside the others, tested, and neither changed nor removed by the API", async () => {
  const made = await admin(1).request("POST", "/webhooks", { url: receiver.url, enabled: false });
  const listed = await admin().request("GET", "/webhooks");
  const { webhooks } = listed.json() as { webhooks: { id: string; source: string }[] };
  expect(webhooks.map(({ id, source }) => [id, source])).toEqual([
    ["pager", "file"],
    [(made.json() as { id: string }).id, "admin_api"],
  ]);
  const shown = await admin(1).request("GET", "/webhooks/pager");
  expect(shown.json()).toMatchObject({ url: receiver.url, note: "of the file", created_by: null, created_at: null });
  expect(shown.body).not.toContain("whsec_");
  expect((await admin().request("POST", "/webhooks/pager/test")).json()).toMatchObject({ delivered: true });
  const last = receiver.requests.at(-1);
  new Webhook(secret).verify(last?.body ?? "", last?.headers ?? {});
  for (const [method, path, body] of [
    ["PATCH", "/webhooks/pager", { enabled: false }],
    ["DELETE", "/webhooks/pager", undefined],
    ["POST", "/webhooks/pager/secret", {}],
  ] as const) {
    const answer = await admin().request(method, path, body);
    expect([answer.status, answer.body]).toEqual([
      409,
      expect.stringContaining("in the configuration: change it there"),
    ]);
  }
});

test("get each event once and in order, also what happened while no process ran", async () => {
  await admin(0).step("shop", "pause");
  await admin(1).step("shop", "resume");
  await expect.poll(() => phases().map(([, phase]) => phase)).toEqual(["open", "paused", "open"]);
  receiver.usual = "refuse";
  await admin(0).step("shop", "pause");
  await Promise.all(gateways.map((gateway) => gateway.halt()));
  receiver.usual = "accept";
  await gateways[1]?.start();
  await gateways[1]?.waitUntilReady();
  await admin(1).step("shop", "resume");
  await expect.poll(() => phases().map(([, phase]) => phase)).toEqual(["open", "paused", "open", "paused", "open"]);
  expect(new Set(phases().map(([id]) => id)).size).toBe(5);
  expect(gateways.map((gateway) => gateway.output()).join("")).not.toContain(secret);
});
