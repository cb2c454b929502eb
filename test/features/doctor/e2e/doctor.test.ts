/**
 * Goal: `usher doctor` finds what would spoil a sale, and says the way out of each. Method: a real gateway behind a proxy of the
 * test's own, which is set up wrongly in one way after the other; a real Redis; certificates of an authority of the test's own.
 */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Finding } from "../../../../src/lib/finding.ts";
import { clientSecret } from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { freePort } from "../../../support/ports.ts";
import { runUsher } from "../../../support/usher-command.ts";
import { answer, header, type Spoil, useFront } from "./front.ts";

const { at, client, configFile, doctor, listenAt } = useFront();

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
      () => ({ issuer: at.issuer.replace("http:", "https:") }),
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
      "a CDN that keeps what moves in it",
      "fault",
      "room",
      /What moves in the status of sale \(…\/pace\) is 240 s old/,
      () => ({}),
      header("/rooms/sale/pace", "age", "240"),
    ],
    [
      "a proxy that answers for what moves in it",
      "warning",
      "room",
      /pace does not answer as Usher does \(200\): lead all of \/rooms to Usher/,
      () => ({}),
      (asked, told) => {
        if (asked.startsWith("/rooms/sale/pace")) told.body = "{}";
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
      () => ({ store: { type: "redis", url: at.redis.url.replace("redis://", "redis://nobody:wrong@") } }),
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
    await at.redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    const evicting = await doctor();
    await at.redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    await at.redis.command("CONFIG", "SET", "appendonly", "no");
    const forgetting = await doctor();
    await at.redis.command("CONFIG", "SET", "appendonly", "yes");
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
});

test("a whole login, with an admin key at hand, goes well and leaves nothing; one whose cookies the proxy strips is a fault", async () => {
  const admissions = async (status: string) => {
    const answer = await at.world.admin.request("GET", `/rooms/sale/admissions?status=${status}`);
    return (answer.json() as { admissions: { admitted_via: string }[] }).admissions.map((each) => each.admitted_via);
  };
  const tried = async (wrongly?: Spoil) => {
    const { findings } = await doctor({}, wrongly, { USHER_ADMIN_API_KEY: ADMIN_KEY });
    return findings.filter(({ about }) => about === "whole login");
  };
  expect(await tried()).toMatchObject([{ status: "ok", text: expect.stringContaining("goes well") }]);
  expect([await admissions("live"), await admissions("logout")]).toEqual([[], ["bypass"]]);
  expect(await tried(header("/rooms/sale/bypass", "set-cookie", undefined))).toMatchObject([
    { status: "fault", text: expect.stringMatching(/without its ticket in Set-Cookie/) },
  ]);
  expect(await admissions("live")).toEqual([]);
});

test("check says all faults of a file, and starts nothing", async () => {
  const good = await runUsher(["check", await configFile({})]);
  expect([good.code, good.printed]).toEqual([0, expect.stringContaining("has no fault: 1 issuer, 1 room, 1 client.")]);
  const bad = await runUsher(["check", await configFile({ colour: "red", issuer: "ftp://x" })]);
  expect([bad.code, bad.failure]).toEqual([
    1,
    expect.stringMatching(/2 faults:[\s\S]*issuer[\s\S]*colour|2 faults:[\s\S]*colour[\s\S]*issuer/),
  ]);
  const env = client({ client_secret: { from: "env", name: "NOT_AT_HAND" } });
  expect((await runUsher(["check", await configFile(env)])).failure).toContain("NOT_AT_HAND");
  expect((await runUsher(["check", await configFile(env), "--without-secrets"])).code).toBe(0);
  expect((await runUsher(["check", join(at.folder.path, "none.yaml")])).code).toBe(1);
});
