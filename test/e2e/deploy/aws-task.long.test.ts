// Long: a process with a store by TLS; secrets/secrets-manager.test.ts has the keys, test/unit/deploy/aws.test.ts the files.
/** The task of deploy/terraform/aws/waiting-room, as ECS would start it: its command, its configuration, Valkey by TLS and token, and a double of Secrets Manager. */
import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { read, terraform } from "../../support/deploy-aws.ts";
import { freePorts } from "../../support/ports.ts";
import { type Running, startProcess } from "../../support/processes.ts";
import { type RedisServer, startRedis } from "../../support/redis-server.ts";
import { type SecretsManagerDouble, startSecretsManager } from "../../support/secrets-manager.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";
import { makeTls } from "../../support/tls.ts";

const TOKEN = "token-of-the-store-0123456789";
const ADMIN_KEY = "key-of-the-operators-0123456789";
const ROOMS = "rooms: [{ id: tickets, inlet: { type: periodic, outflow_per_minute: 600 } }]";

let dir: TempDir;
let store: RedisServer;
let aws: SecretsManagerDouble;
let task: Running;
let visitors = "";
let operators = "";

beforeAll(async () => {
  dir = await makeTempDir("aws-task");
  const tls = await makeTls(dir.path, ["localhost"]);
  const [tlsPort = 0, port = 0, adminPort = 0] = await freePorts(3);
  const files = [
    "--tls-cert-file",
    tls.certificateFile,
    "--tls-key-file",
    tls.keyFile,
    "--tls-ca-cert-file",
    tls.caFile,
  ];
  store = await startRedis(["--tls-port", String(tlsPort), ...files, "--tls-auth-clients", "no"]);
  await store.command("CONFIG", "SET", "requirepass", TOKEN);
  await store.command("CONFIG", "SET", "maxmemory-policy", "noeviction");

  aws = await startSecretsManager();
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const signing = privateKey.export({ type: "pkcs8", format: "pem" });
  aws.put("usher/keys", JSON.stringify({ signing, tickets: "t".repeat(64), cookies: "c".repeat(64) }));

  const values: Record<string, string> = {
    host_name: "queue.example.com",
    trusted_proxies: '["10.0.0.0/20"]',
    keys_secret_arn: aws.arnOf("usher/keys"),
  };
  const written = read("deploy/terraform/aws/waiting-room/usher.yaml.tftpl")
    .replaceAll(/\$\{(\w+)\}/g, (_, name) => values[name] ?? "")
    .replace("drain: 25s", "drain: 0s")
    .replace("port: 3000", `port: ${port}`)
    .replace("port: 3100", `port: ${adminPort}`);
  const { command } = terraform("waiting-room");
  task = startProcess({
    name: "task",
    command: "/bin/sh",
    args: ["-c", command.replaceAll("/var/lib/usher", dir.path).replace(":6379", `:${tlsPort}`)],
    env: {
      PATH: process.env.PATH,
      // ECS and the image.
      AWS_REGION: "eu-west-1",
      CONFIGURATION: `${written}\n${ROOMS}`,
      STORE_HOST: "localhost",
      STORE_TOKEN: TOKEN,
      USHER_ADMIN_API_KEY: ADMIN_KEY,
      USHER_SECRETS_FILE: join(dir.path, "secrets.json"),
      // The doubles.
      AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url,
      AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
      AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
      AWS_EC2_METADATA_DISABLED: "true",
      NODE_EXTRA_CA_CERTS: tls.caFile,
    },
  });
  visitors = `http://127.0.0.1:${port}`;
  operators = `http://127.0.0.1:${adminPort}`;
  await task.waitUntil("readiness", async () => (await statusOf(`${operators}/readyz`)) === 200);
});

afterAll(async () => {
  await task?.stop();
  await aws?.close();
  await store?.stop();
  await dir?.remove();
});

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url).catch(() => null);
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

const asOperator = { headers: { Authorization: `Bearer ${ADMIN_KEY}` } };

test("it has the issuer of the host name, and keys of Secrets Manager", async () => {
  const forwarded = { headers: { Host: "queue.example.com", "X-Forwarded-Proto": "https" } };
  const response = await fetch(`${visitors}/.well-known/openid-configuration`, forwarded);
  expect(await response.json()).toMatchObject({ issuer: "https://queue.example.com" });
  expect(aws.requests.map(({ secretId }) => secretId)).toContain(aws.arnOf("usher/keys"));
});

test("operators are answered at their listener alone", async () => {
  for (const path of ["/admin/rooms", "/console", "/metrics", "/readyz"]) {
    expect([path, await statusOf(visitors + path)]).toEqual([path, 404]);
  }
  expect(await statusOf(`${visitors}/healthz`)).toBe(200);
  expect((await fetch(`${operators}/admin/rooms`, asOperator)).status).toBe(200);
});

test("its first room waits to be resumed, as docs/aws.md says", async () => {
  const room = async () => (await fetch(`${operators}/admin/rooms/tickets`, asOperator)).json();
  expect(await room()).toMatchObject({ phase: "paused" });
  const resumed = await fetch(`${operators}/admin/rooms/tickets/resume`, { method: "POST", ...asOperator });
  expect(resumed.status).toBe(200);
  expect(await room()).toMatchObject({ phase: "open" });
});

test("it is not ready while the store is away, and goes on", async () => {
  store.freeze();
  try {
    await task.waitUntil("loss", async () => (await statusOf(`${operators}/readyz`)) === 503);
    expect(await statusOf(`${visitors}/healthz`)).toBe(200);
  } finally {
    store.thaw();
  }
  await task.waitUntil("readiness", async () => (await statusOf(`${operators}/readyz`)) === 200);
  expect(task.hasExited()).toBe(false);
});
