/** A gateway whose secrets lie in AWS Secrets Manager, before, in and after a rotation, and while the service is away. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { stubAwsEnvironment } from "../../support/aws-environment.ts";
import { type Gateway, type GatewayConfig, startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { createRelyingParty } from "../../support/relying-party.ts";
import { type SecretsManagerDouble, startSecretsManager } from "../../support/secrets-manager.ts";
import { createVisitor } from "../../support/visitor.ts";

const [oldSecret, newSecret] = ["the-old-secret-of-the-shop-01234", "the-new-secret-of-the-shop-01234"];
const [oldKey, newKey] = ["an-old-key-that-signs-tickets-0123456789", "a-new-key-that-signs-tickets-0123456789"];
const redirectUri = "https://shop.example.test/callback";

const http = createHttpClient();
let aws: SecretsManagerDouble;
let gateway: Gateway;
let admin: Admin;
let options: { config: GatewayConfig };

beforeAll(async () => {
  aws = await startSecretsManager();
  stubAwsEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url });
  aws.put("prod/usher", JSON.stringify({ shop: oldSecret }));
  aws.put("prod/usher-tickets", oldKey);
  const from = "aws_secrets_manager";
  options = {
    config: {
      secrets: { refresh: "5s" },
      rooms: [{ id: "tickets", inlet: { type: "manual" } }],
      clients: [
        {
          client_id: "shop",
          client_secret: { from, secret_id: "prod/usher", key: "shop" },
          redirect_uris: [redirectUri],
          room: "tickets",
        },
      ],
      keys: { tickets: [{ from, secret_id: "prod/usher-tickets" }] },
    },
  };
  gateway = await startGateway(options);
  admin = createAdmin(http, gateway.origin);
  // With keys of the configuration nobody knows whether the room is new: it starts paused.
  await admin.step("tickets", "resume");
});

afterAll(async () => {
  http.close();
  await gateway.stop();
  await aws.close();
  vi.unstubAllEnvs();
});

const shop = (clientSecret: string) =>
  createRelyingParty({ http, issuer: gateway.issuer, clientId: "shop", clientSecret, redirectUri });

/** Whether the client is known by this secret; a code that does not exist tells. */
async function isAccepted(clientSecret: string): Promise<boolean> {
  const party = shop(clientSecret);
  const { error } = (await party.redeem("no-such-code", party.startLogin())).json() as { error: string };
  return error !== "invalid_client";
}

test("follows the service's rotation while visitors wait, and goes on without the service", async () => {
  const waiting = createVisitor({ http });
  const login = shop(oldSecret).startLogin();
  const parked = await waiting.navigate(login.url);
  expect([parked.notice, parked.position]).toEqual([undefined, 1]);

  aws.put("prod/usher-tickets", newKey, "AWSPENDING");
  await gateway.waitForOutput(/"secrets\.changed".*keys\.tickets\[0\]/);
  aws.finishRotation("prod/usher-tickets");
  aws.put("prod/usher", JSON.stringify({ shop: newSecret }));
  await expect.poll(() => isAccepted(newSecret), { interval: 200 }).toBe(true);
  expect([await isAccepted(oldSecret), await isAccepted("another-secret-0123456789")]).toEqual([true, false]);

  aws.trouble({ type: "InternalServiceError", status: 500 });
  await gateway.waitForOutput(/"secrets\.failed"/);
  expect((await http.get(`${gateway.origin}/readyz`)).status).toBe(200);
  const { body: metrics } = await http.get(`${gateway.origin}/metrics`);
  expect(metrics).toMatch(/^usher_secrets_failing [1-9]/m);
  expect((await waiting.navigate(login.url)).position).toBe(1);
  await admin.increment("tickets", 1);
  const page = await waiting.login(login.url, { stopAt: shop(newSecret).isCallback });
  const { claims } = await shop(newSecret).finishLogin(page, login);
  expect(claims).toMatchObject({ queue_position: 1, admitted_via: "queue" });

  aws.calm();
  await gateway.waitForOutput(/"secrets\.restored"/);
  await expect
    .poll(async () => (await http.get(`${gateway.origin}/metrics`)).body)
    .toMatch(/^usher_secrets_failing 0$/m);
  for (const secret of [oldSecret, newSecret, oldKey, newKey]) expect(gateway.output()).not.toContain(secret);
});

test("a start without the service ends with what is missing, in bounded time", async () => {
  aws.trouble({ type: "InternalServiceError", status: 500 });
  const started = startGateway(options);
  await expect(started).rejects.toThrow(/clients\[0\]\.client_secret: .*prod\/usher/);
  await expect(started).rejects.toThrow(/keys\.tickets\[0\]: .*prod\/usher-tickets/);
  aws.calm();
});
