/** Secrets from AWS Secrets Manager at the start: through AWS' SDK, against a server that speaks the service's protocol. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ConfigError } from "../../../src/config/checks/faults.ts";
import type { SecretsManagerOptions } from "../../../src/config/secrets/secrets-manager.ts";
import { stubAwsEnvironment } from "../../support/aws-environment.ts";
import { loadConfig } from "../../support/load-config.ts";
import { freePort } from "../../support/ports.ts";
import { type SecretsManagerDouble, startSecretsManager } from "../../support/secrets-manager.ts";

const CURRENT = "current-secret-0123456789abcdef-0123456789";
const PREVIOUS = "previous-secret-0123456789abcdef-0123456789";
const PENDING = "pending-secret-0123456789abcdef-0123456789";

let aws: SecretsManagerDouble;

beforeEach(async () => {
  aws = await startSecretsManager();
  stubAwsEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await aws.close();
});

const reference = (more: Record<string, string> = {}) => ({
  from: "aws_secrets_manager",
  secret_id: "prod/usher",
  ...more,
});

function documentWith(secret: unknown, more: { client?: object; keys?: object; store?: object } = {}) {
  const client = {
    client_id: "shop",
    client_secret: secret,
    redirect_uris: ["https://shop.example/cb"],
    room: "a",
    ...more.client,
  };
  return {
    issuer: "https://q.example",
    rooms: [{ id: "a" }],
    clients: [client],
    ...(more.keys !== undefined && { keys: more.keys }),
    ...(more.store !== undefined && { store: more.store }),
  };
}

async function load(document: unknown, secretsManager: SecretsManagerOptions = {}) {
  const { config, warnings, reloaded } = await loadConfig({ document, env: {}, secretsManager });
  await reloaded.stop();
  const [issuer] = config.issuers;
  return { client: issuer?.clients[0], keys: issuer?.keys, store: config.store, warnings };
}

async function faultsOf(document: unknown, secretsManager: SecretsManagerOptions = {}) {
  const error = await load(document, secretsManager).then(
    () => null,
    (thrown: ConfigError) => thrown,
  );
  expect(error?.message).not.toMatch(/-0123456789abcdef/);
  return error?.faults.map(({ path, value, message }) => ({ path, value, message })) ?? [];
}

describe("a secret in AWS Secrets Manager", () => {
  it("is read as a whole, without the newline at its end, or as binary UTF-8", async () => {
    aws.put("prod/usher", `${CURRENT}\n`);
    expect((await load(documentWith(reference()))).client?.clientSecret).toBe(CURRENT);
    aws.put("prod/binary", Buffer.from(CURRENT));
    expect((await load(documentWith(reference({ secret_id: "prod/binary" })))).client?.clientSecret).toBe(CURRENT);
  });

  it("is a member of a JSON object where key names one", async () => {
    aws.put("prod/usher", JSON.stringify({ shop: CURRENT, other: 5 }));
    expect((await load(documentWith(reference({ key: "shop" })))).client?.clientSecret).toBe(CURRENT);
  });

  it("is asked for once, however many references and members there are", async () => {
    aws.put(
      "prod/usher",
      JSON.stringify(Object.fromEntries([..."0123456789"].map((i) => [`m${i}`, `${i}${CURRENT}`]))),
    );
    const clients = [..."0123456789"].map((i) => ({
      client_id: `c${i}`,
      client_secret: reference({ key: `m${i}` }),
      redirect_uris: ["https://shop.example/cb"],
      room: "a",
    }));
    const { config, reloaded } = await loadConfig({ document: { ...documentWith(""), clients }, env: {} });
    await reloaded.stop();
    expect(config.issuers[0]?.clients.map(({ clientSecret }) => clientSecret?.[0]).join("")).toBe("0123456789");
    expect(aws.requests.map(({ stage }) => stage).toSorted()).toEqual(["AWSCURRENT", "AWSPREVIOUS"]);
  });

  it("takes the region from the reference, else from an ARN, else from the environment", async () => {
    stubAwsEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url, AWS_REGION: "us-east-1" });
    aws.put("prod/usher", CURRENT);
    const [fault] = await faultsOf(documentWith(reference()));
    expect(fault?.message).toContain("the credentials are not accepted (InvalidSignatureException)");
    await load(documentWith(reference({ secret_id: aws.arnOf("prod/usher") })));
    await load(documentWith(reference({ region: "eu-west-1" })));
    expect(aws.requests.every(({ region }) => region === "eu-west-1")).toBe(true);
    stubAwsEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url, AWS_REGION: undefined });
    expect((await faultsOf(documentWith(reference())))[0]?.message).toContain("the region is not known");
  });

  it("is asked for where endpoint says, which wins over the environment", async () => {
    stubAwsEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${await freePort()}` });
    aws.put("prod/usher", CURRENT);
    expect((await load(documentWith(reference({ endpoint: aws.url })))).client?.clientSecret).toBe(CURRENT);
  });

  it("brings a warning where it comes over the network without encryption", async () => {
    aws.put("prod/usher", CURRENT);
    const endpoint = aws.url.replace("127.0.0.1", "0.0.0.0");
    expect((await load(documentWith(reference({ endpoint })))).warnings[0]).toContain("without encryption: use https");
    expect((await load(documentWith(reference({ endpoint: aws.url })))).warnings.join()).not.toContain("encryption");
  });

  it("of the store is the current one alone", async () => {
    aws.put("redis", "redis://:old@redis:6379");
    aws.put("redis", "redis://:new@redis:6379");
    const store = { type: "redis", url: reference({ secret_id: "redis" }) };
    expect((await load(documentWith(CURRENT, { store }))).store).toEqual({
      type: "redis",
      url: "redis://:new@redis:6379",
      prefix: "usher:",
    });
    expect(aws.requests.map(({ stage }) => stage)).toEqual(["AWSCURRENT"]);
  });
});

describe("the versions", () => {
  it("AWSCURRENT and AWSPREVIOUS of a client's secret are accepted, AWSPENDING is not", async () => {
    aws.put("prod/usher", PREVIOUS);
    aws.put("prod/usher", CURRENT);
    aws.put("prod/usher", PENDING, "AWSPENDING");
    const { client } = await load(documentWith(reference()));
    expect([client?.clientSecret, client?.olderClientSecrets]).toEqual([CURRENT, [PREVIOUS]]);
  });

  it("of a key are AWSCURRENT, which signs, AWSPENDING and AWSPREVIOUS, each once", async () => {
    aws.put("prod/usher", PREVIOUS);
    aws.put("prod/usher", CURRENT);
    const keys = { tickets: [reference(), "a-literal-key-0123456789-0123456789-0123456789"], cookies: [reference()] };
    expect((await load(documentWith("s".repeat(16), { keys }))).keys?.cookies).toEqual([CURRENT, PREVIOUS]);
    aws.put("prod/usher", PENDING, "AWSPENDING");
    expect((await load(documentWith("s".repeat(16), { keys }))).keys?.tickets).toEqual([
      CURRENT,
      PENDING,
      PREVIOUS,
      "a-literal-key-0123456789-0123456789-0123456789",
    ]);
    // It stays on the version that it has become.
    aws.put("prod/usher", CURRENT, "AWSPENDING");
    expect((await load(documentWith("s".repeat(16), { keys }))).keys?.cookies).toEqual([CURRENT, PREVIOUS]);
  });

  it("are one alone where version_stage names it", async () => {
    aws.put("prod/usher", PREVIOUS);
    aws.put("prod/usher", CURRENT);
    const { client } = await load(documentWith(reference({ version_stage: "AWSCURRENT" })));
    expect([client?.clientSecret, client?.olderClientSecrets]).toEqual([CURRENT, undefined]);
    const previous = await load(documentWith(reference({ version_stage: "AWSPREVIOUS" })));
    expect(previous.client?.clientSecret).toBe(PREVIOUS);
  });

  it("may be missing, except AWSCURRENT and the only one of a client or a key list", async () => {
    aws.put("prod/usher", CURRENT);
    expect((await load(documentWith(reference()))).client?.clientSecret).toBe(CURRENT);
    aws.put("prod/new", PENDING, "AWSPENDING");
    const absent = reference({ version_stage: "AWSPREVIOUS" });
    const document = documentWith(reference({ secret_id: "prod/new" }), {
      client: { previous_client_secret: absent },
      keys: { tickets: [absent] },
    });
    const faults = await faultsOf(document);
    expect(faults.map(({ path }) => path)).toEqual(["clients[0].client_secret", "keys.tickets"]);
    expect(faults[0]?.message).toMatch(/^prod\/new has no version AWSCURRENT, or there is no such secret: check/);
    const fine = await load(documentWith(CURRENT, { client: { previous_client_secret: absent } }));
    expect(fine.client?.olderClientSecrets).toBeUndefined();
    expect(fine.warnings[0]).toMatch(/^clients\[0\]\.previous_client_secret: prod\/usher has no version AWSPREVIOUS/);
  });

  it("that cannot be used are left out, and a coming one is told", async () => {
    aws.put("prod/usher", JSON.stringify({ other: 1 }));
    aws.put("prod/usher", JSON.stringify({ key: CURRENT }));
    aws.put("prod/usher", JSON.stringify({ key: "short" }), "AWSPENDING");
    const keys = { tickets: [reference({ key: "key" })] };
    const { keys: loaded, warnings } = await load(documentWith("s".repeat(16), { keys }));
    expect(loaded?.tickets).toEqual([CURRENT]);
    expect(warnings[0]).toMatch(/^keys\.tickets\[0\]: the version AWSPENDING of prod\/usher: expected at least 32/);
  });

  it("AWSPENDING can't be named for what signs or is presented", async () => {
    const pending = reference({ version_stage: "AWSPENDING" });
    const faults = await faultsOf(documentWith(pending, { keys: { tickets: [pending] } }));
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^AWSPENDING is a version whose rotation has not ended: leave version_stage out$/),
      expect.stringMatching(/^AWSPENDING .* read by itself, to verify only; leave version_stage out$/),
    ]);
    expect(aws.requests).toEqual([]);
  });
});

describe("what is wrong", () => {
  it.each<[string, string | Buffer, Record<string, string>, RegExp]>([
    ["an empty one", "\n", {}, /^the version AWSCURRENT of prod\/usher is empty/],
    ["no JSON", "s3cret-no-json", { key: "shop" }, /is no JSON, which key asks for/],
    ["a list", '["s3cret"]', { key: "shop" }, /is a list, and key asks for a JSON object/],
    ["no such member", '{"s":"s3cret"}', { key: "toString" }, /has no member toString: add it/],
    ["an object", '{"shop":{"s":"s3cret"}}', { key: "shop" }, /the member shop .* is an object: expected text/],
    ["a number", '{"shop":12345}', { key: "shop" }, /the member shop .* is a number: expected text in quotes/],
    ["an empty member", '{"shop":""}', { key: "shop" }, /the member shop .* is empty/],
    ["binary", Buffer.from([0xff, 0xfe, 0x73]), {}, /is binary and no UTF-8/],
    ["bad for its place", "s3cret\ns3cret", {}, /^expected at most 1024 printable ASCII/],
  ])("in %s is told without the secret", async (_, content, more, message) => {
    aws.put("prod/usher", content);
    const [fault] = await faultsOf(documentWith(reference(more)));
    expect(fault).toEqual({ path: "clients[0].client_secret", value: null, message: expect.stringMatching(message) });
    expect(JSON.stringify(fault)).not.toMatch(/s3cret|12345/);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ secret_id: "arn:aws:s3:::bucket" }, /^secret_id is neither the name nor the ARN/],
    [{ secret_id: "x".repeat(2_049) }, /^secret_id is neither/],
    [{ secret_id: "" }, /needs secret_id, as text/],
    [{ endpoint: "vpce" }, /^endpoint is no address such as/],
    [{ endpoint: "https://user:s3cret@vpce" }, /^endpoint is no address such as/],
    [{ regoin: "eu-west-1" }, /^unknown key, did you mean region\?; allowed: from, secret_id, key, version_stage,/],
    [{ version_stage: "x".repeat(257) }, /^version_stage has more than 256/],
  ])("in a reference is told: %j", async (more, message) => {
    const [fault] = await faultsOf(documentWith(reference(more)));
    expect(fault?.message).toMatch(message);
    expect(aws.requests).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    [
      "AccessDeniedException",
      "User: arn:aws:sts::1:assumed-role/usher/i is not authorized to perform: secretsmanager:GetSecretValue",
      /^prod\/usher can't be read .*: access is denied: allow secretsmanager:GetSecretValue .*assumed-role\/usher\/i/,
    ],
    ["AccessDeniedException", "Access to KMS is not allowed", /access to its KMS key is denied: allow kms:Decrypt/],
    ["DecryptionFailure", "", /its KMS key can't decrypt it/],
    ["InvalidRequestException", "it was marked for deletion", /marked for deletion.*AWS says: it was marked/],
    ["ExpiredTokenException", "", /the credentials are not accepted \(ExpiredTokenException\)/],
    ["SomethingNew", "", /an unexpected answer \(SomethingNew\)/],
  ])("at the service is told: %s %s", async (type, message, expected) => {
    aws.put("prod/usher", CURRENT);
    aws.trouble({ type, message });
    const [fault] = await faultsOf(documentWith(reference()));
    expect(fault?.message).toMatch(expected);
    expect(aws.requests).toHaveLength(1);
  });

  it("is all told at once", async () => {
    aws.put("prod/usher", JSON.stringify({ shop: CURRENT }));
    const keys = { tickets: [reference({ key: "a" })], cookies: [reference({ key: "b" })] };
    const faults = await faultsOf(documentWith(reference({ secret_id: "none" }), { keys }));
    expect(faults.map(({ path }) => path)).toEqual(["clients[0].client_secret", "keys.tickets[0]", "keys.cookies[0]"]);
  });

  it("without credentials is told", async () => {
    const nobody = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined };
    stubAwsEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url, ...nobody });
    const [fault] = await faultsOf(documentWith(reference()));
    expect(fault?.message).toMatch(/no credentials were found: give the task, the pod or the machine a role/);
  });
});

describe("a service that is not well", () => {
  it("is asked again when it throttles, and when it fails", async () => {
    aws.put("prod/usher", CURRENT);
    aws.trouble({ type: "ThrottlingException", message: "Rate exceeded" }, { times: 1 });
    aws.trouble({ type: "InternalServiceError", status: 500 }, { times: 1 });
    expect((await load(documentWith(reference({ version_stage: "AWSCURRENT" })))).client?.clientSecret).toBe(CURRENT);
    expect(aws.requests).toHaveLength(3);
  });

  it("is given up after four attempts", async () => {
    aws.put("prod/usher", CURRENT);
    aws.trouble({ type: "ThrottlingException", message: "Rate exceeded" });
    const [fault] = await faultsOf(documentWith(reference()));
    expect(fault?.message).toMatch(/requests are throttled, and repeating them did not help/);
    expect(aws.requests).toHaveLength(4);
  });

  it("is given up when it never answers: each attempt, and all together", async () => {
    aws.put("prod/usher", CURRENT);
    aws.trouble("silence");
    const [fault] = await faultsOf(documentWith(reference()), { requestTimeoutMs: 100 });
    expect(fault?.message).toMatch(/no answer in time: the address must be reachable/);
    expect(aws.requests).toHaveLength(4);
    const [late] = await faultsOf(documentWith(reference()), { deadlineMs: 500 });
    expect(late?.message).toMatch(/no answer in time/);
    expect(aws.requests).toHaveLength(5);
  });

  it("is given up when nobody listens", async () => {
    stubAwsEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: `http://127.0.0.1:${await freePort()}` });
    const [fault] = await faultsOf(documentWith(reference()));
    expect(fault?.message).toMatch(/no connection \(ECONNREFUSED\)/);
  });

  it("is not quoted when it breaks off in the middle of a secret", async () => {
    aws.put("prod/usher", CURRENT);
    aws.trouble("half");
    const [fault] = await faultsOf(documentWith(reference()));
    expect(fault?.message).toMatch(/an unexpected answer \(SyntaxError\)/);
    expect(JSON.stringify(fault)).not.toContain("half-of");
  });
});

it("a further secret of a client is written by hand as previous_client_secret", async () => {
  const { client } = await load(documentWith(CURRENT, { client: { previous_client_secret: PREVIOUS } }));
  expect([client?.clientSecret, client?.olderClientSecrets]).toEqual([CURRENT, [PREVIOUS]]);
  const same = await load(documentWith(CURRENT, { client: { previous_client_secret: CURRENT } }));
  expect(same.warnings[0]).toMatch(/previous_client_secret: is the same as clients\[0\]\.client_secret: leave it out/);
  const isPublic = { token_endpoint_auth_method: "none", client_secret: undefined, previous_client_secret: PREVIOUS };
  expect(await faultsOf(documentWith(undefined, { client: isPublic }))).toEqual([
    { path: "clients[0].previous_client_secret", value: "(hidden)", message: expect.stringContaining("public client") },
  ]);
});

it("keys of two issuers are apart in all their versions", async () => {
  aws.put("one", PREVIOUS);
  aws.put("one", CURRENT);
  aws.put("two", PREVIOUS);
  const issuers = ["one", "two"].map((name) => ({
    issuer: `https://${name}.example`,
    rooms: [{ id: name }],
    keys: { cookies: [reference({ secret_id: name })] },
  }));
  expect(await faultsOf({ issuers })).toEqual([
    { path: "issuers[1].keys.cookies[0]", value: "a mapping", message: expect.stringContaining("the same key as") },
  ]);
});
