// Long: rotates keys and secrets under load, in real time.
/**
 * Goal: not one request fails while keys rotate, secrets rotate and clients change, and nobody in line loses the place.
 * Method: two real gateways on a private Redis, under the logins of many visitors: each request goes to either gateway, codes are
 * redeemed at the other one, ID tokens are verified by a copy of the JWKS that is looked at anew only from time to time, as
 * relying parties do, and never because of an unknown key. What takes a day in life takes seconds here, by `force`.
 */
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Admin, createAdmin } from "../support/admin.ts";
import { type Gateway, startGateways } from "../support/gateway.ts";
import { createHttpClient } from "../support/http-client.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { makeTempDir, type TempDir } from "../support/temp-dir.ts";
import { until } from "./heard.ts";
import { forEach, joinAll, newPerson, redirectUri, visit } from "./people.ts";

const waiting = 40;
const visitorsAtOnce = 6;
/** So often relying parties look at the keys. */
const jwksMs = 1_500;

const http = createHttpClient({ connectionsMax: 100 });
let redis: RedisServer;
let folder: TempDir;
let gateways: Gateway[];
let origins: string[];
let admin: Admin;

/** What the relying parties authenticate with just now, by client id. */
const secrets = new Map<string, string>();
let jwks: ReturnType<typeof createLocalJWKSet>;
let looks = 0;
/** How many logins each visitor has tried. */
const turns: number[] = [];

beforeAll(async () => {
  redis = await startRedis();
  folder = await makeTempDir("rotation");
  await writeSecret("the first secret of the site 0123456789");
  secrets.set("site-open", "the first secret of the site 0123456789");
  const inlet = { type: "manual" };
  gateways = await startGateways(2, {
    asProcess: true,
    config: {
      store: { type: "redis", url: redis.url },
      rooms: ["open", "line"].map((id) => ({ id, inlet })),
      clients: [
        {
          client_id: "site-open",
          client_secret: { from: "file", path: secretFile() },
          redirect_uris: [redirectUri],
          room: "open",
        },
        {
          client_id: "site-line",
          client_secret: "secret-of-the-site-0123456789abcdef",
          redirect_uris: [redirectUri],
          room: "line",
        },
      ],
    },
    env: { USHER_LOG_LEVEL: "info" },
  });
  origins = gateways.map(({ origin }) => origin);
  admin = createAdmin(http, originOf(0));
  await admin.step("open", "passthrough");
  await lookAtKeys();
});

afterAll(async () => {
  http.close();
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  await redis.stop();
  await folder.remove();
});

const secretFile = () => join(folder.path, "site.secret");
/** In one step, as whoever may be read meanwhile should. */
async function writeSecret(secret: string): Promise<void> {
  await writeFile(`${secretFile()}.next`, `${secret}\n`, { mode: 0o600 });
  await rename(`${secretFile()}.next`, secretFile());
}
const originOf = (index: number) => origins[index % origins.length] ?? "";

async function lookAtKeys(): Promise<void> {
  jwks = createLocalJWKSet((await http.get(`${originOf(0)}/.well-known/jwks.json`)).json() as JSONWebKeySet);
  looks++;
}

/** Relying parties have looked at the keys since. */
async function haveLooked(): Promise<void> {
  // One look may have begun before.
  const enough = looks + 2;
  await until(async () => expect(looks).toBeGreaterThanOrEqual(enough));
}

/** Whoever was logging in is through with it. */
async function areThrough(): Promise<void> {
  const enough = turns.map((turn) => turn + 1);
  await until(async () => expect(turns.every((turn, index) => turn >= (enough[index] ?? 0))).toBe(true));
}

/** Each gateway tells this of the key. */
async function isEverywhere(purpose: string, kid: string, state: string): Promise<void> {
  for (const gateway of gateways) {
    const list = () => createAdmin(http, gateway.origin).request("GET", `/keys?purpose=${purpose}`);
    await until(async () => {
      const { keys } = (await list()).json() as { keys: object[] };
      expect(keys).toContainEqual(expect.objectContaining({ kid, state, held: true }));
    });
  }
}

/** An admin request that has to succeed. */
async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await admin.request(method, path, body);
  if (response.status > 299) throw new Error(`${method} ${path}: ${response.status} ${response.body}`);
  return (response.body === "" ? undefined : response.json()) as T;
}

/** One visitor's login from the first request to userinfo; throws at the first answer that is not the right one. */
async function logIn(turn: number, clientId: string): Promise<void> {
  const person = newPerson("open");
  const answer = await visit(http, originOf(turn), person, clientId);
  if (answer.kind !== "code") throw new Error(`${clientId}: no code: ${JSON.stringify(answer)}`);
  const authorization = `Basic ${Buffer.from(`${clientId}:${secrets.get(clientId)}`).toString("base64")}`;
  const body = new URLSearchParams({ grant_type: "authorization_code", code: answer.code, redirect_uri: redirectUri });
  const redeemed = await http.request(`${originOf(turn + 1)}/token`, {
    method: "POST",
    headers: { authorization },
    body,
  });
  if (redeemed.status !== 200) throw new Error(`${clientId}: /token: ${redeemed.status} ${redeemed.body}`);
  const tokens = redeemed.json() as { id_token: string; access_token: string };
  await jwtVerify(tokens.id_token, jwks, { issuer: originOf(0), audience: clientId });
  const userinfo = await http.get(`${originOf(turn)}/userinfo`, { authorization: `Bearer ${tokens.access_token}` });
  if (userinfo.status !== 200) throw new Error(`${clientId}: /userinfo: ${userinfo.status} ${userinfo.body}`);
  // The session of the first gateway is known at the other.
  const again = await visit(http, originOf(turn + 1), person, clientId);
  if (again.kind !== "code") throw new Error(`${clientId}: no second code: ${JSON.stringify(again)}`);
}

/** A new key signs in place of the old one; what that signed is good until it is retired. */
async function rotate(purpose: string, canRetire: boolean): Promise<void> {
  const { keys } = await ask<{ keys: { kid: string; state: string }[] }>("GET", `/keys?purpose=${purpose}`);
  const old = keys.find(({ state }) => state === "active")?.kid;
  const { kid } = await ask<{ kid: string }>("POST", "/keys", { purpose });
  await ask("POST", `/keys/${kid}/stage`, {});
  await isEverywhere(purpose, kid, "staged");
  await haveLooked();
  await ask("POST", `/keys/${kid}/promote`, { force: true });
  await isEverywhere(purpose, kid, "active");
  await areThrough();
  if (canRetire) await ask("POST", `/keys/${old}/retire`, { force: true });
}

/** Each gateway knows of a client's secret that is good until then; null for no end. */
async function isKnownEverywhere(clientId: string, expiresAt: string | null): Promise<void> {
  for (const { origin } of gateways) {
    await until(async () => {
      const { body } = await createAdmin(http, origin).request("GET", `/clients/${clientId}`);
      const { secrets = [] } = JSON.parse(body) as { secrets?: object[] };
      expect(secrets).toContainEqual(expect.objectContaining({ expires_at: expiresAt }));
    });
  }
}

test("while keys and secrets rotate and clients come and go", async () => {
  const line = await joinAll(http, origins, "line", waiting);
  const places = line.map(({ position }) => position);
  const made = await ask<{ client_secret: string }>("POST", "/clients", {
    client_id: "made",
    redirect_uris: [redirectUri],
    room: "open",
  });
  secrets.set("made", made.client_secret);
  await isKnownEverywhere("made", null);

  let isOver = false;
  const failures: unknown[] = [];
  let logins = 0;
  const again = async (work: (turn: number) => Promise<void>) => {
    for (let turn = 0; !isOver; turn++) await work(turn).catch((error: unknown) => failures.push(error));
  };
  const visitors = Array.from({ length: visitorsAtOnce }, (_, start) =>
    again(async (turn) => {
      turns[start] = turn;
      await logIn(start + turn, (start + turn) % 3 === 0 ? "site-open" : "made");
      logins++;
    }),
  );
  const background = [
    again(async (turn) => {
      await forEach(line, 4, async (person, index) => {
        const answer = await visit(http, originOf(turn + index), person);
        if (answer.kind !== "parked") throw new Error(`the place is gone: ${JSON.stringify(answer)}`);
      });
      await delay(300);
    }),
    again(async () => {
      await delay(jwksMs);
      await lookAtKeys();
    }),
    // Clients that come and go beside those that are used.
    again(async (turn) => {
      const id = `passing-${turn % 3}`;
      await ask("POST", "/clients", { client_id: id, redirect_uris: [redirectUri], room: "open" });
      await ask("PATCH", `/clients/${id}`, { redirect_uris: [`${redirectUri}/${turn}`] });
      await ask("DELETE", `/clients/${id}`);
      await delay(400);
    }),
  ];

  try {
    await Promise.all([
      (async () => {
        await rotate("signing", true);
        // What an old key signed may be nowhere any more when it is retired: places in line are.
        await rotate("tickets", false);
        await rotate("cookies", false);
      })(),
      (async () => {
        for (let times = 1; times <= 2; times++) {
          const rotated = await ask<{ client_secret: string; previous_secret_expires_at: string }>(
            "POST",
            "/clients/made/secret",
            { overlap: "30s" },
          );
          await isKnownEverywhere("made", rotated.previous_secret_expires_at);
          secrets.set("made", rotated.client_secret);
          await writeSecret(`secret number ${times} of the site 0123456789`);
          for (const gateway of gateways) {
            const changes = () => gateway.output().match(/"event":"secrets\.changed"/g) ?? [];
            await until(async () => expect(changes().length).toBeGreaterThanOrEqual(times));
          }
          secrets.set("site-open", `secret number ${times} of the site 0123456789`);
        }
      })(),
    ]);
    // However slow the machine is, it is many that nothing happened to.
    await until(async () => expect(logins).toBeGreaterThan(100));
  } finally {
    isOver = true;
    await Promise.all([...visitors, ...background]);
  }

  expect(failures.slice(0, 5)).toEqual([]);
  expect(failures).toHaveLength(0);
  expect(logins).toBeGreaterThan(100);
  expect(line.map(({ position }) => position)).toEqual(places);
  const { keys } = await ask<{ keys: { purpose: string; state: string }[] }>("GET", "/keys");
  for (const purpose of ["tickets", "cookies"]) {
    expect(
      keys
        .filter((key) => key.purpose === purpose)
        .map(({ state }) => state)
        .sort(),
    ).toEqual(["active", "retiring"]);
  }
  for (const gateway of gateways) expect((await http.get(`${gateway.origin}/readyz`)).status).toBe(200);
});
