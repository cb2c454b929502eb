import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/config/checks/faults.ts";
import { type LoadOptions, loadConfig } from "../../support/load-config.ts";
import { nextRsaKey } from "../../support/rsa-keys.ts";

async function faultsOf(options: LoadOptions): Promise<Record<string, string>> {
  const outcome = await loadConfig(options).catch((error: unknown) => error);
  if (!(outcome instanceof ConfigError)) throw new Error("no fault was found");
  return Object.fromEntries(outcome.faults.map(({ path, value, message }) => [path, `${value} | ${message}`]));
}

function brand(name: string, changes: Record<string, unknown> = {}) {
  return {
    issuer: `https://queue.${name}.example`,
    rooms: [{ id: name, inlet: { type: "manual" } }],
    clients: [
      {
        client_id: `${name}-shop`,
        client_secret: `secret-of-the-shop-${name}`,
        redirect_uris: [`https://${name}.example/callback`],
        room: name,
      },
    ],
    ...changes,
  };
}

const signingKey = nextRsaKey();
const pem = signingKey.export({ type: "pkcs8", format: "pem" }).toString();

describe("a list of issuers", () => {
  it("gives each its rooms, clients, keys and secrets file; all else is common", async () => {
    const document = {
      listen: { port: 4000 },
      shared_outflows: [{ id: "all", outflow_per_minute: 100 }],
      issuers: [
        brand("one", { keys: { tickets: [{ from: "env", name: "ONE_KEY" }] } }),
        brand("two", {
          issuer: "http://[::1]:4000",
          rooms: [{ id: "two", inlet: { type: "periodic", shared_outflow: "all" } }],
        }),
      ],
      admin: { keys: [{ id: "ops", key_sha256: "ab".repeat(32), rooms: ["one", "two"] }] },
    };
    const { config, warnings } = await loadConfig({ document, env: { ONE_KEY: "1".repeat(32) } });
    expect(warnings).toEqual([]);
    expect(config.listen.port).toBe(4000);
    expect(config.secretsFile).toBe(resolve(".usher/secrets.json"));
    expect(config.issuers).toMatchObject([
      {
        issuer: "https://queue.one.example",
        rooms: [{ id: "one" }],
        clients: [{ clientId: "one-shop", clientSecret: "secret-of-the-shop-one", rooms: ["one"] }],
        keys: { tickets: ["1".repeat(32)], signing: [], cookies: [] },
        secretsFile: resolve(".usher/secrets.queue.one.example.json"),
      },
      {
        issuer: "http://[::1]:4000",
        rooms: [{ id: "two", settings: { inlet: { sharedOutflow: { id: "all" } } } }],
        clients: [{ clientId: "two-shop", clientSecret: "secret-of-the-shop-two", rooms: ["two"] }],
        keys: { tickets: [], signing: [], cookies: [] },
        secretsFile: resolve(".usher/secrets.%5B%3A%3A1%5D%3A4000.json"),
      },
    ]);
  });

  it("is explained by an example that works", async () => {
    const guide = readFileSync(new URL("../../../docs/brands.md", import.meta.url), "utf8");
    const text = /```yaml\n(.*?)```/s.exec(guide)?.[1] ?? "";
    const secret = "a-long-enough-secret";
    const env = { TICKETS_CLIENT_SECRET: secret, SHOES_CLIENT_SECRET: secret, USHER_ADMIN_API_KEY: secret };
    const { config, warnings } = await loadConfig({ text, env });
    expect(warnings).toEqual([]);
    expect(config.issuers.map(({ rooms }) => rooms.map(({ id }) => id))).toEqual([["tickets"], ["shoes"]]);
    expect(guide).toContain(`.usher/${basename(config.issuers[0]?.secretsFile ?? "")}`);
  });

  it("names the place of a warning", async () => {
    const slow = brand("two", { clients: [{ ...brand("two").clients[0], profile: "alb", login_timeout: "20m" }] });
    const { warnings } = await loadConfig({ document: { issuers: [brand("one"), slow] }, env: {} });
    expect(warnings[0]).toMatch(/^issuers\[1\]\.clients\[0\]\.login_timeout: /);
  });

  it("has all its faults told at once, with their paths", async () => {
    const own = brand("two").clients[0];
    const document = {
      issuer: "https://queue.old.example",
      keys: { tickets: ["left over, and secret"] },
      issuers: [
        brand("one", { keys: { tickets: [{ from: "env", name: "A" }], signing: [pem] } }),
        brand("two", {
          issuer: "https://queue.one.example:443/",
          rooms: [{ id: "one" }, { id: "two", titel: "x" }],
          clients: [own, { ...own, client_id: "one-shop", room: "tow" }],
          keys: { tickets: ["too-short"] },
        }),
        brand("one", {
          issuer: "http://queue.one.example",
          rooms: [{ id: "three", inlet: { type: "periodic" } }],
          clients: [{ ...own, client_id: "three", room: "one", client_secret: { from: "env", name: "UNSET" } }],
          keys: { tickets: [{ from: "env", name: "B" }], signing: [pem] },
          listen: { port: 1 },
        }),
        { issuer: "https://queue.one.example" },
        { rooms: "none", clients: [] },
      ],
      admin: { keys: [{ id: "ops", key_sha256: "ab".repeat(32), rooms: ["three", "four"] }] },
    };
    const env = { USHER_ISSUER: "https://queue.env.example", A: "a".repeat(32), B: "a".repeat(32) };
    const found = await faultsOf({ document, env });
    const expected: Record<string, RegExp> = {
      USHER_ISSUER: /^"https:\/\/queue.env.example" \| the file has a list of issuers, and this names one/,
      issuer: /^"https:\/\/queue.old.example" \| issuers is given too, .*: leave one of the two out/,
      keys: /^a mapping \| issuers is given too/,
      "issuers[1].issuer": /expected a bare origin/,
      "issuers[1].rooms[0].id": /^"one" \| another room has the same id: issuers\[0\]\.rooms\[0\]/,
      "issuers[1].rooms[1].titel": /^"x" \| unknown key, did you mean title\?/,
      "issuers[1].clients[1].client_id":
        /^"one-shop" \| another client has the same client_id: issuers\[0\]\.clients\[0\]/,
      "issuers[1].clients[1].room": /^"tow" \| no such room, did you mean two\?; rooms: one, two$/,
      "issuers[1].keys.tickets[0]": /^\(hidden\) \| expected at least 32 characters/,
      "issuers[2].issuer": /expected https, or http for localhost/,
      "issuers[2].rooms[0].inlet.outflow_per_minute": /^missing \| required/,
      // A room of another issuer.
      "issuers[2].clients[0].room": /^"one" \| no such room; rooms: three$/,
      "issuers[2].clients[0].client_secret": /^null \| the environment variable UNSET is not set/,
      "issuers[2].keys.tickets[0]":
        /^a mapping \| the same key as issuers\[0\]\.keys\.tickets\[0\]: each issuer needs its own/,
      "issuers[2].keys.signing[0]": /^\(hidden\) \| the same key as issuers\[0\]\.keys\.signing\[0\]: each issuer/,
      "issuers[2].listen": /^a mapping \| unknown key/,
      "issuers[3].issuer": /^"https:\/\/queue.one.example" \| another issuer has the same host: issuers\[0\]\.issuer/,
      "issuers[3].rooms": /^missing \| required: a list of 1 to 1000 items/,
      "issuers[4].issuer": /^missing \| required: the public address of Usher/,
      "issuers[4].rooms": /^"none" \| expected a list of 1 to 1000 items/,
      "admin.keys[0].rooms[1]": /^"four" \| no such room; rooms: one, one, two, three$/,
    };
    for (const [path, pattern] of Object.entries(expected)) expect(found[path], path).toMatch(pattern);
    expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort());
    for (const secret of ["left over", "too-short", "secret-of-the-shop"]) {
      expect(JSON.stringify(found)).not.toContain(secret);
    }
  });

  it.each([
    ["a JWK", JSON.stringify(signingKey.export({ format: "jwk" }))],
    ["PKCS #1", signingKey.export({ type: "pkcs1", format: "pem" }).toString()],
    ["for another algorithm", JSON.stringify({ ...signingKey.export({ format: "jwk" }), alg: "PS256" })],
    ["other line ends", pem.replaceAll("\n", "\r\n")],
  ])("has no signing key twice, in another spelling either: %s", async (_, spelling) => {
    const document = {
      issuers: [brand("one", { keys: { signing: [pem] } }), brand("two", { keys: { signing: [spelling] } })],
    };
    expect(await faultsOf({ document, env: {} })).toEqual({
      "issuers[1].keys.signing[0]": "(hidden) | the same key as issuers[0].keys.signing[0]: each issuer needs its own",
    });
  });

  it.each([
    ["http://localhost:443", "https://localhost"],
    ["http://localhost:3000", "https://localhost:3000"],
  ])("has no two issuers that no request could tell apart: %s and %s", async (first, second) => {
    const document = { issuers: [brand("one", { issuer: first }), brand("two", { issuer: second })] };
    expect(await faultsOf({ document, env: {} })).toEqual({
      "issuers[1].issuer": `"${second}" | another issuer has the same host: issuers[0].issuer; each needs its own`,
    });
  });

  it.each([
    [null, "empty"],
    [{}, "a mapping"],
    [[], "a list of 0"],
  ])("is no %j", async (issuers, value) => {
    const found = await faultsOf({ document: { issuers }, env: {} });
    expect(found).toEqual({ issuers: `${value} | expected a list of 1 to 100 items` });
  });

  it("keeps rooms with a shared outflow out of a cluster, too", async () => {
    const rooms = [{ id: "two", inlet: { type: "periodic", shared_outflow: "all" } }];
    const document = {
      shared_outflows: [{ id: "all", outflow_per_minute: 100 }],
      issuers: [brand("one"), brand("two", { rooms })],
    };
    const env = { USHER_REDIS_URL: "redis-cluster://a:7000" };
    expect(Object.keys(await faultsOf({ document, env }))).toEqual(["issuers[1].rooms[0].inlet.shared_outflow"]);
  });

  it("hides what may be a secret, and shows what is none", async () => {
    const client = { ...brand("one").clients[0], refresh_tokens: "perhaps", client_secrets: "hunter2" };
    const found = await faultsOf({ document: { issuers: [brand("one", { clients: [client] })] }, env: {} });
    expect(found["issuers[0].clients[0].refresh_tokens"]).toMatch(/^"perhaps" \| /);
    expect(found["issuers[0].clients[0].client_secrets"]).toMatch(/^\(hidden\) \| /);
  });
});
