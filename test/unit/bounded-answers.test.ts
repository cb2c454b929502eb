/**
 * No answer that Usher fetches is read beyond a bound: each part that fetches meets a server whose answers have 400 MiB. And no file
 * fetches in a way of its own.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { generateKeyPair, SignJWT } from "jose";
import { afterEach, describe, expect, test, vi } from "vitest";
import { isHealthy } from "../../src/app/probes.ts";
import { createSecretsManager } from "../../src/config/secrets/secrets-manager.ts";
import { createBoundedFetch, createDocumentFetch } from "../../src/lib/bounded-fetch.ts";
import { systemClock } from "../../src/lib/clock-and-random.ts";
import { createProviderLogin, type ProviderClient } from "../../src/lib/openid/login.ts";
import { createSend } from "../../src/lib/send.ts";
import { createSiteVerify } from "../../src/oidc/check/site-verify.ts";
import { createInvitationVerifier } from "../../src/oidc/gate/invitation-verifier.ts";
import { sendLogoutToken } from "../../src/oidc/logout/backchannel-logout.ts";
import { createSignInProvider } from "../../src/operate/admin-api/sign-in/provider.ts";
import { askGateway, openStream } from "../../src/operate/commands/gateway.ts";
import { stubAwsEnvironment } from "../support/aws-environment.ts";
import { LONG_ANSWER_READ_MAX, type LongAnswer, startLongAnswer } from "../support/long-answer.ts";
import { fetches } from "./import-boundary/fetches.ts";

let source: LongAnswer | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await source?.close();
});

const never = new AbortController().signal;
const refused = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    () => "refused",
  );

/** A provider whose discovery document is in order, and all else is too long. */
const provider = () =>
  startLongAnswer((request, response) => {
    if (request.url !== "/.well-known/openid-configuration") return false;
    const issuer = `http://${request.headers.host}`;
    const at = { token_endpoint: "token", authorization_endpoint: "auth", jwks_uri: "keys", userinfo_endpoint: "user" };
    const endpoints = Object.entries(at).map(([name, path]) => [name, `${issuer}/${path}`]);
    response.end(JSON.stringify({ issuer, ...Object.fromEntries(endpoints) }));
    return true;
  });

const clientOf = (issuer: string): ProviderClient => ({
  issuer,
  clientId: "usher",
  clientSecret: "secret-of-the-test",
  tokenEndpointAuthMethod: "client_secret_post",
  scopes: ["openid"],
});
const transaction = { state: "s", nonce: "n", verifier: "v".repeat(43) };
const es256 = async () => {
  const { privateKey } = await generateKeyPair("ES256");
  return new SignJWT({ room: "shop", sub: "ann", admitted_at: 1 })
    .setProtectedHeader({ alg: "ES256", kid: "one", typ: "admission+jwt" })
    .setIssuedAt()
    .setExpirationTime("1h")
    .setAudience("https://queue.example")
    .sign(privateKey);
};

const fetchers: readonly (readonly [string, unknown, (url: string) => Promise<unknown>])[] = [
  ["a discovery document", "refused", (url) => refused(createProviderLogin(clientOf(url), url, systemClock).begin())],
  [
    "a provider's tokens",
    "refused",
    (url) => refused(createProviderLogin(clientOf(url), url, systemClock).finish("?code=c&state=s", transaction)),
  ],
  [
    "the keys of a logout token",
    "refused",
    async (url) =>
      refused(createSignInProvider(clientOf(url) as never, url, systemClock).readLogoutToken(await es256())),
  ],
  [
    "the keys of invitations",
    "away",
    async (url) => {
      const settings = { secrets: [], jwksUri: `${url}/keys`, classes: [] } as never;
      const where = { room: "shop", audience: "https://queue.example" };
      return createInvitationVerifier(where, settings, systemClock)(await es256());
    },
  ],
  [
    "a challenge's provider",
    "busy",
    async (url) => {
      const own = { id: "own", provider: "custom", siteKey: "k", secret: "s", timeoutMs: 10_000 } as const;
      const config = { ...own, verifyUrl: url, scriptUrl: url };
      const { verdict } = await createSiteVerify(config, "queue.example", systemClock).verify("right", null, () => {});
      return verdict;
    },
  ],
  [
    "a webhook or a push service",
    true,
    async (url) => {
      const message = { url, contentType: "application/json", headers: {}, body: "{}" };
      return (await createSend(["localhost"])(message)).isAccepted;
    },
  ],
  ["a probe", true, (url) => isHealthy({ url, timeoutMs: 10_000 }, never, "usher-health")],
  ["a logout", "sent", async (url) => (await sendLogoutToken(url, "token", never)).result],
  [
    "a command that asks a gateway",
    "refused",
    (url) => refused(askGateway({ url, key: "key" }, (api) => api.GET("/admin/rooms"))),
  ],
  [
    "a command that keeps what a gateway streams",
    "refused",
    (url) =>
      refused(
        (async () => {
          for await (const _ of await openStream({ url, key: "key" }, "/audit/export", { bytesMax: 100_000 }));
        })(),
      ),
  ],
  [
    "AWS Secrets Manager",
    "refused",
    (url) => {
      stubAwsEnvironment({ AWS_ENDPOINT_URL_SECRETS_MANAGER: url });
      const manager = createSecretsManager({ deadlineMs: 10_000 });
      const address = { secretId: "prod/usher", region: "eu-west-1", endpoint: null };
      return refused(manager.read(address, "AWSCURRENT")).finally(() => manager.close());
    },
  ],
];

describe("an answer of 400 MiB", () => {
  test.each(fetchers)("to %s is not read to its end", async (what, outcome, fetchIt) => {
    source = await (/provider's tokens|logout token/.test(what) ? provider() : startLongAnswer());
    expect(await fetchIt(source.url)).toEqual(outcome);
    expect(source.requests).toBeGreaterThan(0);
    expect(source.sent).toBeLessThan(LONG_ANSWER_READ_MAX * source.requests);
  });
});

describe("a document that many want", () => {
  test("is fetched once at a time, and after a failure not before a second has passed", async () => {
    source = await startLongAnswer();
    let nowMs = 0;
    const fetchIt = createDocumentFetch({}, () => nowMs);
    const askMany = () => Promise.all(Array.from({ length: 20 }, () => refused(fetchIt(source?.url ?? ""))));
    expect(new Set(await askMany())).toEqual(new Set(["refused"]));
    expect(source.requests).toBe(1);
    nowMs += 999;
    await askMany();
    expect(source.requests).toBe(1);
    nowMs += 1;
    await askMany();
    expect(source.requests).toBe(2);
  });

  test("reaches all of them whole, though the first gives up, and is fetched anew afterwards", async () => {
    let answered = 0;
    source = await startLongAnswer((_, response) => {
      answered++;
      setTimeout(() => response.end('{"keys":[]}'), 20);
      return true;
    });
    const fetchIt = createDocumentFetch();
    const answers = Array.from({ length: 3 }, () => fetchIt(source?.url ?? "", { signal: AbortSignal.abort() }));
    for (const answer of answers) expect(await (await answer).json()).toEqual({ keys: [] });
    await fetchIt(source.url);
    expect(answered).toBe(2);
  });

  test("is none where the status is another than 200", async () => {
    source = await startLongAnswer((_, response) => void response.writeHead(503).end("{}") === undefined);
    await expect(createDocumentFetch()(source.url)).rejects.toThrow("answered 503");
  });
});

describe("a whole answer", () => {
  test("of the most bytes is taken, and has to be there in time", async () => {
    source = await startLongAnswer((request, response) => {
      if (request.url === "/slow") response.writeHead(200).write("{");
      else response.end("x".repeat(1_000));
      return true;
    });
    const exact = await createBoundedFetch({ bytesMax: 1_000 })(source.url);
    expect((await exact.text()).length).toBe(1_000);
    await expect(createBoundedFetch({ bytesMax: 999 })(source.url)).rejects.toThrow("more than 999 bytes");
    const slow = createBoundedFetch({ timeoutMs: 50 })(`${source.url}/slow`);
    await expect(slow).rejects.toMatchObject({ name: "TimeoutError" });
  });
});

describe("the source", () => {
  const src = fileURLToPath(new URL("../../src/", import.meta.url));
  /** All but what went with a feature. */
  const isThere = (file: string) => !file.startsWith("features/") || existsSync(join(src, file));
  /** Each bounds what it reads; all others go by the first three. */
  const mayFetch = [
    "lib/bounded-fetch.ts",
    "lib/send.ts",
    "lib/streamed-fetch.ts",
    // A package of its own, for sites.
    "features/verify/package/verifier.ts",
    // The crowd of a rehearsal, whose connections are counted.
    "features/rehearsal/visitor/web.ts",
  ].filter(isThere);

  test.each([
    "await fetch(url);",
    "globalThis.fetch(url);",
    "const { ask = fetch } = options;",
    "const ask = fetch;",
    "statusOf(fetch, url);",
    'import { request as requestHttp } from "node:http";',
    'import https from "node:https";',
    'import axios from "axios";',
    "createRemoteJWKSet(new URL(uri));",
    "createRemoteJWKSet(new URL(uri), { cacheMaxAge: 1 });",
  ])("fetches by: %s", (code) => expect(fetches(code)).toBe(true));

  test.each([
    "await source.fetch(url);",
    'import { createServer, type request } from "node:http";',
    "createRemoteJWKSet(new URL(uri), { [customFetch]: fetchKeys });",
  ])("does not fetch by: %s", (code) => expect(fetches(code)).toBe(false));

  test("fetches in no other place", () => {
    const files = readdirSync(src, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => relative(src, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .filter((file) => !/^(web\/browser|operate\/console|features\/[^/]+\/(browser|console))\//.test(file));
    const own = files.filter((file) => fetches(readFileSync(join(src, file), "utf8"), file));
    expect(own.sort()).toEqual([...mayFetch].sort());
  });
});
