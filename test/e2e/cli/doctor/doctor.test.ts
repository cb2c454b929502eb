/**
 * Goal: `usher doctor` finds what would spoil a sale, and says the way out of each. Method: a real gateway behind a proxy of the
 * test's own, which is set up wrongly in one way after the other; a real Redis; certificates of an authority of the test's own.
 */

import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import type { Finding } from "../../../../src/cli/doctor/finding.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { freePort } from "../../../support/ports.ts";
import { startProcess } from "../../../support/processes.ts";
import { type RedisServer, startRedis } from "../../../support/redis-server.ts";
import { makeTempDir } from "../../../support/temp-dir.ts";
import { makeTls, type Tls } from "../../../support/tls.ts";
import { runUsher } from "../../../support/usher-command.ts";
import { clientId, clientSecret, loggedOutUri, memoryStore, redirectUri, startWorld, type World } from "../../world.ts";

const main = fileURLToPath(new URL("../../../../dist/main.js", import.meta.url));

interface Told {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string | Buffer;
}
/** What the proxy does to an answer of the gateway. */
type Spoil = (path: string, told: Told) => void | Promise<void>;

let folder: Awaited<ReturnType<typeof makeTempDir>>;
let front: Server;
let issuer: string;
let world: World;
let redis: RedisServer;
let tls: Tls;
let spoil: Spoil = () => {};
/** What the proxy makes of a request's target. */
let targetOf = (target: string) => target;
/** And of its headers. */
let headersOf = (_target: string, headers: IncomingHttpHeaders) => headers;

beforeAll(async () => {
  folder = await makeTempDir("doctor");
  front = createServer(
    (incoming, response) =>
      void passOn(incoming).then(({ status, headers, body }) => {
        response.writeHead(status, headers).end(body);
      }),
  );
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  world = await startWorld({
    store: memoryStore,
    rooms: [{ id: "sale" }],
    issuer,
    config: { admin: { listen: await listenAt() } },
  });
  redis = await startRedis(["--appendonly", "yes"]);
  tls = await makeTls(folder.path, ["localhost"]);
});
afterAll(async () => {
  front.close();
  await Promise.all([world?.stop(), redis?.stop()]);
  await folder.remove();
});

async function listenAt() {
  return { host: "127.0.0.1", port: await freePort() };
}

async function passOn(incoming: IncomingMessage): Promise<Told> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { port = 0 } = world.gateways[0] ?? {};
  const told = await new Promise<Told>((resolve, reject) => {
    const { method = "GET", url = "/", headers } = incoming;
    const path = targetOf(url);
    const passed = request(
      { host: "127.0.0.1", port, method, path, headers: headersOf(url, headers) },
      async (answer) => {
        const parts: Buffer[] = [];
        for await (const part of answer) parts.push(part as Buffer);
        const { "transfer-encoding": _, "content-length": __, ...rest } = answer.headers;
        resolve({ status: answer.statusCode ?? 500, headers: rest, body: Buffer.concat(parts) });
      },
    );
    passed.on("error", reject);
    passed.end(Buffer.concat(chunks));
  });
  await spoil(incoming.url ?? "", told);
  return told;
}

const fileConfig = (): Record<string, unknown> => ({
  issuer,
  store: { type: "redis", url: redis.url },
  admin: { listen: { host: "127.0.0.1", port: Number(new URL(world.gateways[0]?.operatorsOrigin ?? "").port) } },
  rooms: [{ id: "sale", title: "The room sale", inlet: { type: "manual" } }],
  clients: [
    {
      client_id: clientId("sale"),
      client_secret: clientSecret("sale"),
      redirect_uris: [redirectUri("sale")],
      room: "sale",
    },
  ],
});

async function configFile(changes: Record<string, unknown>): Promise<string> {
  const file = join(folder.path, "usher.yaml");
  await writeFile(file, stringify({ ...fileConfig(), ...changes }));
  return file;
}

async function doctor(changes: Record<string, unknown> = {}, wrongly: Spoil = () => {}, more = {}) {
  spoil = wrongly;
  const env = { USHER_SECRETS_FILE: join(folder.path, "secrets.json"), ...more };
  const { code, printed } = await runUsher(["doctor", "--config", await configFile(changes), "--json"], { env });
  spoil = () => {};
  return { code, findings: JSON.parse(printed) as Finding[] };
}

const client = (changes: object) => ({ clients: [{ ...(fileConfig().clients as object[])[0], ...changes }] });
const header =
  (path: string, name: string, value: string | undefined): Spoil =>
  (asked, { headers }) => {
    if (!asked.startsWith(path)) return;
    if (value === undefined) delete headers[name];
    else headers[name] = value;
  };
const answer =
  (path: string, status: number, body: string, headers = {}): Spoil =>
  (asked, told) => {
    if (asked.startsWith(path))
      Object.assign(told, {
        status,
        body,
        headers: { "content-type": "text/html", date: new Date().toUTCString(), ...headers },
      });
  };

test("finds no fault where there is none", async () => {
  const { code, findings } = await doctor();
  expect(findings.filter(({ status }) => status === "fault")).toEqual([]);
  expect(code).toBe(0);
  const good = ["DNS", "discovery", "keys", "operators", "pages", "room", "clock", "store", "client", "readiness"];
  expect(findings.filter(({ status }) => status === "ok").map(({ about }) => about)).toEqual(
    expect.arrayContaining(good),
  );
});

describe("a fault that was planted is found, with the way out:", () => {
  const discoveryPath = "/.well-known/openid-configuration";
  test.each<
    [
      string,
      Finding["status"],
      string,
      RegExp,
      () => Record<string, unknown> | Promise<Record<string, unknown>>,
      Spoil?,
    ]
  >([
    ["a word that no setting has", "fault", "configuration", /colour/, () => ({ colour: "red" })],
    ["a name that leads nowhere", "fault", "DNS", /record A or AAAA/, () => ({ issuer: "https://queue.invalid" })],
    [
      "nobody who answers",
      "fault",
      "discovery",
      /start Usher/,
      async () => ({ issuer: `http://127.0.0.1:${await freePort()}` }),
    ],
    [
      "no TLS at the port",
      "fault",
      "TLS",
      /start the proxy|No TLS/,
      () => ({ issuer: issuer.replace("http:", "https:") }),
    ],
    ["no trusted proxy", "fault", "proxies", /listen\.trusted_proxies/, () => ({ issuer: "https://queue.invalid" })],
    [
      "another server at the address",
      "fault",
      "discovery",
      /whole host to Usher/,
      () => ({}),
      answer("/", 404, "<h1>It works!</h1>"),
    ],
    [
      "a redirect",
      "fault",
      "discovery",
      /do not follow/,
      () => ({}),
      answer("/", 301, "", { location: "https://www.example.com/" }),
    ],
    [
      "a gateway of another issuer",
      "fault",
      "discovery",
      /USHER_ISSUER/,
      () => ({}),
      answer(discoveryPath, 200, '{"issuer":"https://other.example"}'),
    ],
    [
      "keys that are not shown",
      "fault",
      "keys",
      /jwks\.json shows no key/,
      () => ({}),
      answer("/.well-known/jwks.json", 502, "Bad gateway"),
    ],
    [
      "an admin API that is open",
      "fault",
      "operators",
      /\/admin\/rooms answers 401 .*admin\.listen/,
      () => ({}),
      answer("/admin", 401, "{}"),
    ],
    [
      "metrics that are open",
      "fault",
      "operators",
      /\/metrics answers 200/,
      () => ({}),
      answer("/metrics", 200, "usher_waiting 1"),
    ],
    [
      "a CDN that caches pages",
      "fault",
      "pages",
      /each other's places/,
      () => ({}),
      header("/authorize", "cache-control", "max-age=60"),
    ],
    [
      "a page from a cache",
      "fault",
      "pages",
      /each other's places/,
      () => ({}),
      header("/authorize", "x-cache", "HIT from edge"),
    ],
    [
      "a CDN that keeps the status",
      "fault",
      "room",
      /obey Cache-Control/,
      () => ({}),
      header("/rooms/sale/status", "age", "240"),
    ],
    [
      "a proxy that keeps the status, and says no age",
      "fault",
      "room",
      /is (29|30|31) s old: let the CDN obey/,
      () => ({}),
      (asked, told) => {
        if (!asked.startsWith("/rooms/sale/status")) return;
        const updated_at = new Date(Date.now() - 30_000).toISOString();
        told.body = JSON.stringify({ ...JSON.parse(String(told.body)), updated_at });
      },
    ],
    [
      "a cookie of the proxy",
      "warning",
      "room",
      /stickiness/,
      () => ({}),
      header("/rooms/sale/status", "set-cookie", "AWSALB=x"),
    ],
    [
      "a status without Cache-Control",
      "warning",
      "room",
      /send it on/,
      () => ({}),
      header("/rooms/sale/status", "cache-control", undefined),
    ],
    [
      "a room that is not there",
      "fault",
      "room",
      /start it with this file/,
      () => ({
        rooms: [
          { id: "sale", title: "S", inlet: { type: "manual" } },
          { id: "gone", title: "G", inlet: { type: "manual" } },
        ],
      }),
    ],
    [
      "a clock that is a minute off",
      "fault",
      "clock",
      /NTP/,
      () => ({}),
      header("/", "date", new Date(Date.now() - 60_000).toUTCString()),
    ],
    [
      "the wrong secret",
      "fault",
      "client",
      /does not take the secret of site-sale/,
      () => client({ client_secret: "not-the-secret-0123456789abcdef" }),
    ],
    [
      "a client that is not there",
      "fault",
      "client",
      /does not take the secret of site-gone/,
      () => client({ client_id: "site-gone" }),
    ],
    ["a store that one process keeps", "warning", "store", /use Redis/, () => ({ store: { type: "memory" } })],
    [
      "a Redis that does not answer",
      "fault",
      "store",
      /PING/,
      async () => ({ store: { type: "redis", url: `redis://127.0.0.1:${await freePort()}` } }),
    ],
    [
      "a password that is wrong",
      "fault",
      "store",
      /user and password/,
      () => ({ store: { type: "redis", url: redis.url.replace("redis://", "redis://nobody:wrong@") } }),
    ],
    [
      "no process on this machine",
      "warning",
      "readiness",
      /on the gateway's machine/,
      async () => ({ admin: { listen: await listenAt() } }),
    ],
  ])("%s", async (_name, status, about, words, changes, wrongly) => {
    const { code, findings } = await doctor(await changes(), wrongly);
    const found = findings.filter((finding) => finding.about === about && finding.status === status);
    expect(found.map(({ text }) => text).join("\n")).toMatch(words);
    expect(code).toBe(findings.some((finding) => finding.status === "fault") ? 1 : 0);
    expect(JSON.stringify(findings)).not.toContain(clientSecret("sale"));
  });

  test("a Redis that evicts, and one that writes no append-only file", async () => {
    await redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    const evicting = await doctor();
    await redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    await redis.command("CONFIG", "SET", "appendonly", "no");
    const forgetting = await doctor();
    await redis.command("CONFIG", "SET", "appendonly", "yes");
    expect(evicting.code).toBe(1);
    expect(evicting.findings).toContainEqual({
      about: "store",
      status: "fault",
      text: expect.stringContaining("CONFIG SET maxmemory-policy noeviction"),
    });
    expect(forgetting.findings).toContainEqual({
      about: "store",
      status: "warning",
      text: expect.stringContaining("CONFIG SET appendonly yes"),
    });
  });

  test("a certificate that is not trusted, is for another name, or ends soon", async () => {
    const options = { cert: await readFile(tls.certificateFile), key: await readFile(tls.keyFile) };
    const server = createTlsServer(options, (_, response) => response.writeHead(404).end());
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo;
    const told = async (host: string, env: Record<string, string>) => {
      const args = [main, "doctor", "--config", await configFile({ issuer: `https://${host}:${port}` })];
      const { PATH = "" } = process.env;
      const running = startProcess({
        name: "usher doctor",
        command: process.execPath,
        args,
        env: { PATH, USHER_SECRETS_FILE: join(folder.path, "secrets.json"), ...env },
      });
      const { code } = await running.exited;
      return { code, output: running.output() };
    };
    const trusted = { NODE_EXTRA_CA_CERTS: tls.caFile };
    expect(await told("localhost", {})).toEqual({
      code: 1,
      output: expect.stringMatching(/FAULT +TLS .*not trusted .*whole chain/),
    });
    expect(await told("127.0.0.1", trusted)).toEqual({
      code: 1,
      output: expect.stringMatching(/FAULT +TLS .*for other names/),
    });
    expect(await told("localhost", trusted)).toEqual({
      code: 1,
      output: expect.stringMatching(/WARNING +TLS .*ends in [12] days: renew it/),
    });
    server.close();
  });
});

test("check says all faults of a file, and starts nothing", async () => {
  const good = await runUsher(["check", await configFile({})]);
  expect([good.code, good.printed]).toEqual([
    0,
    expect.stringContaining("has no fault: issuers 1, rooms 1, clients 1."),
  ]);
  const bad = await runUsher(["check", await configFile({ colour: "red", issuer: "ftp://x" })]);
  expect([bad.code, bad.failure]).toEqual([
    1,
    expect.stringMatching(/2 faults:[\s\S]*issuer[\s\S]*colour|2 faults:[\s\S]*colour[\s\S]*issuer/),
  ]);
  const env = client({ client_secret: { from: "env", name: "NOT_AT_HAND" } });
  expect((await runUsher(["check", await configFile(env)])).failure).toContain("NOT_AT_HAND");
  expect((await runUsher(["check", await configFile(env), "--without-secrets"])).code).toBe(0);
  expect((await runUsher(["check", join(folder.path, "none.yaml")])).code).toBe(1);
});

describe("a login that is begun at each redirect URI", () => {
  const loginOf = ({ findings }: { findings: readonly Finding[] }) => findings.filter(({ about }) => about === "login");
  const replaced = (from: string | RegExp, to: string): Spoil => {
    return (asked, { headers }) => {
      const { location } = headers;
      if (asked.startsWith("/authorize?") && typeof location === "string")
        headers.location = location.replace(from, to);
    };
  };

  test("comes back, and takes no place", async () => {
    const queued = async () => {
      const answer = await world.http.request(`${issuer}/rooms/sale/status`);
      return (answer.json() as { queued: number }).queued;
    };
    const before = await queued();
    const [found, ...others] = loginOf(await doctor());
    expect([found?.status, others]).toEqual(["ok", []]);
    expect(found?.text).toContain(redirectUri("sale"));
    expect(typeof before).toBe("number");
    expect(await queued()).toBe(before);
  });

  test("of a redirect URI that the gateway does not know is refused", async () => {
    const other = "https://elsewhere.example.test/callback";
    const told = await doctor(client({ redirect_uris: [redirectUri("sale"), other] }));
    expect(told.code).toBe(1);
    expect(loginOf(told).map(({ status }) => status)).toEqual(["ok", "fault"]);
    expect(loginOf(told)[1]?.text).toContain(`register exactly ${other}`);
  });

  test("is refused where the proxy drops the query", async () => {
    targetOf = (target) => target.split("?")[0] ?? "";
    const told = await doctor().finally(() => {
      targetOf = (target) => target;
    });
    expect(told.code).toBe(1);
    expect(loginOf(told)[0]).toMatchObject({ status: "fault", text: expect.stringContaining("send the query on") });
  });

  test.each([
    ["Location is rewritten", replaced(/^[^?]*/, "http://localhost:1/cb"), "proxy_redirect off"],
    ["Location is no address", replaced(/^.*$/, "/"), "proxy_redirect off"],
    ["the answer is another visitor's", replaced(/state=[^&]*/, "state=of-another"), "cache nothing"],
    ["an error of the request comes back", replaced("login_required", "invalid_scope"), "compare the client"],
    ["too much is asked", answer("/authorize?", 429, ""), "try again"],
  ])("tells the way out where %s", async (_, wrongly, wayOut) => {
    const [found] = loginOf(await doctor({}, wrongly));
    expect(found?.status).toBe(wayOut === "try again" ? "warning" : "fault");
    expect(found?.text).toContain(wayOut);
  });
});

describe("a whole login, with an admin key at hand", () => {
  interface Admitted {
    admissions: { status: string; admitted_via: string }[];
  }
  const withKey = { USHER_ADMIN_API_KEY: ADMIN_KEY };
  const live = async () => {
    const answer = await world.admin.request("GET", "/rooms/sale/admissions?status=live");
    return (answer.json() as Admitted).admissions;
  };
  const ended = async () => {
    const answer = await world.admin.request("GET", "/rooms/sale/admissions?status=logout");
    return (answer.json() as Admitted).admissions;
  };
  const wholeOf = (findings: readonly Finding[]) => findings.filter(({ about }) => about === "whole login");
  async function tried(wrongly: Spoil = () => {}) {
    const { findings } = await doctor({}, wrongly, withKey);
    const [found, ...others] = wholeOf(findings);
    expect(others).toEqual([]);
    expect(JSON.stringify(findings)).not.toMatch(new RegExp(`${clientSecret("sale")}|${ADMIN_KEY}|link=`));
    return found;
  }

  test("goes well; its admission is ended, and nobody's place was taken", async () => {
    const before = await ended();
    const queued = async () =>
      ((await world.http.request(`${issuer}/rooms/sale/status`)).json() as { queued: number }).queued;
    const places = await queued();
    expect(await tried()).toMatchObject({ status: "ok", text: expect.stringContaining("goes well") });
    expect([await live(), await queued()]).toEqual([[], places]);
    const after = await ended();
    expect(after.length).toBe(before.length + 1);
    expect(after.every(({ admitted_via }) => admitted_via === "bypass")).toBe(true);
  });

  test("goes well in a room that is paused, and is not tried without a key", async () => {
    await world.admin.step("sale", "pause");
    const found = await tried();
    await world.admin.step("sale", "resume");
    expect(found).toMatchObject({ status: "ok" });
    expect(wholeOf((await doctor()).findings)).toMatchObject([
      { status: "warning", text: expect.stringContaining("USHER_ADMIN_API_KEY") },
    ]);
  });

  test.each([
    ["with client_secret_post", "ok", { token_endpoint_auth_method: "client_secret_post" }],
    [
      "not of a client whose key the site alone has",
      "warning",
      {
        token_endpoint_auth_method: "private_key_jwt",
        client_secret: undefined,
        jwks_uri: "https://sale.example.test/jwks",
      },
    ],
  ])("is played %s", async (_, status, changes) => {
    const { findings } = await doctor(client(changes), () => {}, withKey);
    expect(wholeOf(findings)).toMatchObject([{ status }]);
    expect(await live()).toEqual([]);
  });

  test("says that a room whose limit is reached lets nobody in now", async () => {
    await world.admin.change("sale", { inlet: { outflow_per_minute: 1 } });
    await tried();
    const found = await tried();
    await world.admin.change("sale", { inlet: { outflow_per_minute: null } });
    expect(found).toMatchObject({ status: "warning", text: expect.stringMatching(/lets nobody in now \(503\)/) });
    expect(await live()).toEqual([]);
  });

  /** A proxy that answers for the provider, with keys of its own. */
  test.each([
    ["a clock that is ahead", { iat: 120, exp: 3_600 }, /NTP/],
    ["a token that is over", { iat: -10, exp: -5 }, /NTP/],
    ["a token of long ago", { iat: -600, exp: 3_600 }, /NTP/],
    ["another issuer", { iss: "https://other.example" }, /USHER_ISSUER/],
    ["another client", { aud: "site-of-another" }, /cache nothing of \/token/],
    ["another login", { nonce: "of-another" }, /another nonce/],
  ])("finds an ID token of %s, and leaves no admission", async (_, changes, words) => {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const jwk = { ...(await exportJWK(publicKey)), kid: "own", alg: "ES256", use: "sig" };
    const nowSec = Math.floor(Date.now() / 1_000);
    const own: Spoil = async (asked, told) => {
      if (asked === "/.well-known/jwks.json") told.body = JSON.stringify({ keys: [jwk] });
      if (asked !== "/token" || told.status !== 200) return;
      const tokens = JSON.parse(String(told.body)) as { id_token: string };
      const { iat = 0, exp = 300, ...others } = changes as { iat?: number; exp?: number };
      const claims = { ...decodeJwt(tokens.id_token), ...others, iat: nowSec + iat, exp: nowSec + exp };
      const id_token = await new SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: "own" }).sign(privateKey);
      told.body = JSON.stringify({ ...tokens, id_token });
    };
    expect(await tried(own)).toMatchObject({ status: "fault", text: expect.stringMatching(words) });
    expect(await live()).toEqual([]);
  });

  test("says that it could not be tried with a key that the gateway does not know", async () => {
    const { code, findings } = await doctor({}, () => {}, {
      USHER_ADMIN_API_KEY: "of-nobody-0123456789abcdef0123456789",
    });
    expect([code, wholeOf(findings)]).toEqual([
      0,
      [{ about: "whole login", status: "warning", text: expect.stringContaining("could not be tried: unauthorized") }],
    ]);
  });

  const json = (path: string, change: (body: Record<string, unknown>) => unknown): Spoil => {
    return (asked, told) => {
      if (asked.startsWith(path) && told.status === 200)
        told.body = JSON.stringify(change(JSON.parse(String(told.body))));
    };
  };
  const code = (path: string, from: RegExp, to: string): Spoil => {
    return (asked, { headers }) => {
      const { location } = headers;
      if (asked.startsWith(path) && typeof location === "string" && location.includes("code=")) {
        headers.location = location.replace(from, to);
      }
    };
  };
  const logoutOf = (findings: readonly Finding[]) => findings.filter(({ about }) => about === "logout");
  const location = (from: RegExp, to: string): Spoil => {
    return (asked, { headers }) => {
      if (asked.startsWith("/logout") && headers.location)
        headers.location = String(headers.location).replace(from, to);
    };
  };

  test.each<[string, object, Spoil, Finding["status"], RegExp]>([
    ["leads to the client's address", {}, () => {}, "ok", /leads to https:\/\/sale\.example\.test\/goodbye\.$/],
    ["leads to a page of Usher", { post_logout_redirect_uris: [] }, () => {}, "ok", /leads to a page of Usher/],
    [
      "does not know the address of the file",
      { post_logout_redirect_uris: ["https://sale.example.test/elsewhere"] },
      () => {},
      "fault",
      /answered 400 .*register exactly https:\/\/sale\.example\.test\/elsewhere/,
    ],
    ["is answered by another server", {}, answer("/logout", 404, "none"), "fault", /answered 404 .*lead \/logout/],
    [
      "is too long for the proxy",
      {},
      answer("/logout", 414, ""),
      "fault",
      /answered 414 .*large_client_header_buffers/,
    ],
    ["is rewritten", {}, location(/^[^?]*/, "http://localhost:1/"), "fault", /proxy_redirect off/],
    ["loses its state", {}, location(/state=.*/, ""), "fault", /another state or none/],
    [
      "is answered by a cache",
      {},
      (asked, told) => {
        const state = new URL(asked, issuer).searchParams.get("state");
        const to = `https://sale.example.test/goodbye?state=${state}`;
        if (asked.startsWith("/logout")) Object.assign(told, { status: 303, headers: { location: to }, body: "" });
      },
      "fault",
      /does not end the visitor's admission/,
    ],
  ])("a logout that %s", async (name, changes, wrongly, status, words) => {
    const registered = { post_logout_redirect_uris: [loggedOutUri("sale")], ...changes };
    // The gateway has ended the admission before the proxy spoils the answer; here it never gets the request.
    if (name === "is answered by a cache") targetOf = (target) => (target.startsWith("/logout") ? "/healthz" : target);
    const { findings } = await doctor(client(registered), wrongly, withKey).finally(() => {
      targetOf = (target) => target;
    });
    expect(logoutOf(findings)).toEqual([{ about: "logout", status, text: expect.stringMatching(words) }]);
    expect(await live()).toEqual([]);
  });

  const html: Spoil = (asked, told) => {
    if (asked === "/token" && told.status === 200) {
      Object.assign(told, { body: "<h1>One moment</h1>", headers: { "content-type": "text/html" } });
    }
  };
  test.each<[string, Spoil, RegExp]>([
    ["strips Set-Cookie", header("/rooms/sale/bypass", "set-cookie", undefined), /without its ticket in Set-Cookie/],
    ["answers for /rooms itself", answer("/rooms/sale/bypass", 404, "none"), /bypass link answered 404/],
    ["rewrites the redirect", code("/", /^https:[^?]*/, "http://localhost:1/cb"), /proxy_redirect off/],
    ["names another issuer", code("/", /iss=[^&]*/, "iss=https://other.example"), /one of https:\/\/other\.example/],
    ["mixes up the callbacks of visitors", code("/", /state=[^&]*/, "state=of-another"), /another state/],
    ["answers /token with a page", html, /\/token answered 200 and not as Usher does/],
    [
      "keeps another's tokens",
      json("/token", (body) => ({ ...body, id_token: "e30.e30.e30" })),
      /ID token .* is not valid/,
    ],
    [
      "keeps old keys",
      json("/.well-known/jwks.json", () => ({ keys: [{ kty: "RSA", kid: "old" }] })),
      /same signing keys/,
    ],
    [
      "keeps another's claims",
      json("/userinfo", (body) => ({ ...body, sub: "sale.another" })),
      /\/userinfo answered 200/,
    ],
    ["refuses /userinfo", answer("/userinfo", 401, "{}"), /header Authorization on/],
  ])("finds a proxy that %s, and leaves no admission", async (_, wrongly, words) => {
    expect(await tried(wrongly)).toMatchObject({ status: "fault", text: expect.stringMatching(words) });
    expect(await live()).toEqual([]);
  });

  test.each([
    ["Cookie everywhere", "cookie", "/", /header Cookie on/],
    ["Cookie on the way to /authorize", "cookie", "/authorize", /stays at a page of Usher/],
    ["Origin", "origin", "/rooms", /headers Origin and Cookie on/],
    ["Authorization on the way to /userinfo", "authorization", "/userinfo", /header Authorization on/],
  ])("finds a proxy that strips %s, and leaves no admission", async (_, name, path, words) => {
    headersOf = (target, { [name]: stripped, ...rest }) =>
      target.startsWith(path) ? rest : { ...rest, ...(stripped !== undefined && { [name]: stripped }) };
    const found = await tried().finally(() => {
      headersOf = (_target, headers) => headers;
    });
    expect(found).toMatchObject({ status: "fault", text: expect.stringMatching(words) });
    expect(await live()).toEqual([]);
  });
});
