/** Secrets of AWS Secrets Manager, followed while Usher runs: through AWS' SDK, against a server that speaks the service's protocol. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubAwsEnvironment } from "../../support/aws-environment.ts";
import { type SecretsManagerDouble, startSecretsManager } from "../../support/secrets-manager.ts";
import { clientWith, documentWith, follow } from "./reloading.ts";

const [V1, V2, V3] = ["one", "two", "three"].map((name) => `${name}-0123456789abcdef-0123456789abcdef`) as [
  string,
  string,
  string,
];
const TICKETS = { kind: "keys", issuer: "https://q.example", purpose: "tickets" };

let aws: SecretsManagerDouble;
let stop: () => Promise<void> = async () => {};

beforeEach(async () => {
  aws = await startSecretsManager();
  stubAwsEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url });
});

afterEach(async () => {
  await stop();
  vi.unstubAllEnvs();
  await aws.close();
});

const reference = (more: object = {}) => ({ from: "aws_secrets_manager", secret_id: "prod/usher", ...more });

async function following(document: unknown, fraction?: number) {
  const running = await follow({ document, secretsManager: { requestTimeoutMs: 1_000 } }, fraction);
  stop = () => running.reloaded.stop();
  return running;
}

it("follows a rotation from step to step", async () => {
  aws.put("prod/usher", V1);
  const running = await following(
    documentWith([clientWith(reference())], { keys: { tickets: [reference()], cookies: ["c".repeat(32)] } }),
  );
  const { timers, changes, reports, reloaded } = running;
  await timers.runAll();
  expect(changes).toEqual([]);

  aws.put("prod/usher", V2, "AWSPENDING");
  await timers.runAll();
  expect(changes.splice(0)).toEqual([{ ...TICKETS, keys: [V1, V2] }]);

  aws.finishRotation("prod/usher");
  await timers.runAll();
  expect(changes.splice(0)).toEqual([
    { kind: "client_secret", clientId: "shop", secrets: [V2, V1] },
    { ...TICKETS, keys: [V2, V1] },
  ]);

  aws.put("prod/usher", V3);
  await timers.runAll();
  expect(changes.map((change) => Object.values(change).at(-1))).toEqual([
    [V3, V2],
    [V3, V2],
  ]);
  expect(new Set(reports.map(({ event }) => event))).toEqual(new Set(["secrets.changed"]));
  expect(JSON.stringify([reports, reloaded])).not.toMatch(/0123456789abcdef/);
});

it("asks once for each version and round, whatever the number of references", async () => {
  aws.put("prod/usher", JSON.stringify({ a: V1, b: V2 }));
  const clients = [clientWith(reference({ key: "a" })), clientWith(reference({ key: "b" }), { client_id: "other" })];
  const { timers } = await following(documentWith(clients, { keys: { tickets: [reference({ key: "a" })] } }));
  aws.requests.length = 0;
  await timers.runAll();
  // In this order no version slips through when a rotation ends in between.
  expect(aws.requests.map(({ stage }) => stage)).toEqual(["AWSPENDING", "AWSCURRENT", "AWSPREVIOUS"]);
});

it("lives through an outage on the last values, asks less and less often, and says so once", async () => {
  aws.put("prod/usher", V1);
  const { timers, changes, events, reloaded } = await following(documentWith([clientWith(reference())]));
  expect(timers.delaysMs).toEqual([60_000]);
  aws.trouble({ type: "AccessDeniedException", message: "no more" });
  const delaysMs: number[] = [];
  for (let round = 0; round < 4; round++) {
    await timers.runAll();
    delaysMs.push(...timers.delaysMs);
  }
  expect(delaysMs).toEqual([90_000, 180_000, 225_000, 225_000]);
  expect(reloaded.faults()).toEqual([
    expect.stringMatching(/^clients\[0\]\.client_secret: prod\/usher can't be read .*secretsmanager:GetSecretValue/),
  ]);
  expect(changes).toEqual([]);
  aws.calm();
  aws.put("prod/usher", V2);
  await timers.runAll();
  expect(timers.delaysMs).toEqual([60_000]);
  expect(changes).toEqual([{ kind: "client_secret", clientId: "shop", secrets: [V2, V1] }]);
  expect(reloaded.faults()).toEqual([]);
  expect(events()).toEqual([
    "secrets.failed clients[0].client_secret",
    "secrets.changed clients[0].client_secret",
    "secrets.restored clients[0].client_secret",
  ]);
});

it("lives through a service that is not there any more", async () => {
  aws.put("prod/usher", V1);
  const { timers, changes, reloaded } = await following(documentWith([clientWith(reference())]));
  await aws.close();
  await timers.runAll();
  expect(reloaded.faults()).toEqual([expect.stringContaining("no connection (ECONN")]);
  expect(changes).toEqual([]);
});

it.each([
  [0, 54_000],
  [0.999_999, 66_000],
])("spreads the rounds by a tenth (%d)", async (fraction, delayMs) => {
  aws.put("prod/usher", V1);
  const { timers } = await following(documentWith([clientWith(reference())]), fraction);
  expect(Math.round(timers.delaysMs[0] ?? 0)).toBe(delayMs);
});

it("asks as often as secrets.refresh says, and tells what it may say", async () => {
  aws.put("prod/usher", V1);
  const { timers } = await following(documentWith([clientWith(reference())], { secrets: { refresh: "5s" } }));
  expect(timers.delaysMs).toEqual([5_000]);
  const often = documentWith([clientWith("s".repeat(16))], { secrets: { refresh: "4s" } });
  await expect(follow({ document: often })).rejects.toThrow(
    /secrets\.refresh: "4s": expected a duration from 5s to 1h/,
  );
});

it("keeps the last value where a new one can't be used, for that place alone", async () => {
  aws.put("prod/usher", JSON.stringify({ shop: V1, key: V1 }));
  const document = documentWith([clientWith(reference({ key: "shop" }))], {
    keys: { tickets: [reference({ key: "key" })] },
  });
  const { timers, changes, reloaded, events } = await following(document);
  aws.put("prod/usher", JSON.stringify({ shop: V2, key: "short" }));
  await timers.runAll();
  await timers.runAll();
  expect(changes).toEqual([{ kind: "client_secret", clientId: "shop", secrets: [V2, V1] }]);
  expect(reloaded.faults()).toEqual([expect.stringMatching(/^keys\.tickets\[0\]: expected at least 32 characters/)]);
  expect(events()).toEqual(["secrets.changed clients[0].client_secret", "secrets.failed keys.tickets[0]"]);
});

it("tells of a coming version that can't be used before it comes", async () => {
  aws.put("prod/usher", V1);
  const { timers, changes, reloaded } = await following(
    documentWith([clientWith("s".repeat(16))], { keys: { tickets: [reference()] } }),
  );
  aws.put("prod/usher", "short", "AWSPENDING");
  await timers.runAll();
  expect(reloaded.faults()).toEqual([expect.stringContaining("the version AWSPENDING of prod/usher: expected")]);
  aws.put("prod/usher", V2, "AWSPENDING");
  await timers.runAll();
  expect(reloaded.faults()).toEqual([]);
  expect(changes).toEqual([{ ...TICKETS, keys: [V1, V2] }]);
});

it("ends at once, in the middle of a request", async () => {
  aws.put("prod/usher", V1);
  const { timers, reports, changes, reloaded } = await follow({ document: documentWith([clientWith(reference())]) });
  aws.trouble("silence");
  void timers.runAll();
  await expect.poll(() => aws.requests).toHaveLength(3);
  await reloaded.stop();
  expect([reports, changes, timers.delaysMs]).toEqual([[], [], []]);
});

it("does nothing where nothing is to be followed, the store's address among it", async () => {
  aws.put("redis", "redis://redis:6379");
  const store = { type: "redis", url: reference({ secret_id: "redis" }) };
  const { timers, reloaded } = await following(documentWith([clientWith("s".repeat(16))], { store }));
  expect([timers.delaysMs, reloaded.faults()]).toEqual([[], []]);
});
