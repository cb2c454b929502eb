/**
 * What strangers leave in the store: goal is that docs/security/store-keys.md names every key that they can make, and that a crowd of
 * requests without a place leaves none. All routes that are open to strangers are asked, then a visitor goes all ways.
 */
import { readFileSync } from "node:fs";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, test } from "vitest";
import type { Description } from "../../../scripts/lib/openapi/document.ts";
import { roomKeyNames } from "../../../src/store/redis/keys.ts";
import { ownDatabase } from "../redis-store.ts";
import { clientId, redirectUri, useWorld } from "../world.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const description = JSON.parse(read("docs/openapi.json")) as Description;
/** The names in the first column of each table. */
const documented = new Set(
  read("docs/security/store-keys.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)),
);

const publicClient = { client_secret: undefined, token_endpoint_auth_method: "none", refresh_tokens: true };
const rooms = [
  { id: "line", settings: { push: true } },
  { id: "idle", settings: { when_idle: "pass_through", schedule: { opens_at: "2099-01-01T10:00:00Z" } } },
  { id: "draw", settings: { schedule: { prequeue_at: "2020-01-01T10:00:00Z", opens_at: "2099-01-01T11:00:00Z" } } },
  { id: "app", client: publicClient },
];
const redis = ownDatabase();
const world = useWorld(() => ({
  store: redis.store,
  rooms,
  config: { listen: { trusted_proxies: ["127.0.0.0/8", "::1"] } },
}));

async function keys(): Promise<Set<string>> {
  return new Set((await redis.database().command("KEYS", "*")) as string[]);
}

/** Each room has them once. */
const ofRoom = new Set<string>(roomKeyNames);

/** A key's name as the document has it. */
function nameOf(key: string): string {
  const [, room] = /^usher:\{[^}]*\}:([^:]+)/.exec(key) ?? [];
  const [, record] = /^usher:(oidc:\w+|[^:{]+)/.exec(key) ?? [];
  return room ?? record ?? key;
}

/** All that a stranger can ask, in each room, with what a browser sends and with what is no good. */
async function crawl(address: string): Promise<void> {
  const { http, issuer } = world();
  const asked: Promise<unknown>[] = [];
  for (const [path, operations] of Object.entries(description.paths)) {
    for (const [method, { security = [] }] of Object.entries(operations)) {
      if (security.some((each) => "adminKey" in each) && path.startsWith("/admin")) continue;
      for (const { id } of path.includes("{room}") ? rooms : rooms.slice(0, 1)) {
        const url = new URL(path.replace("{room}", id).replace(/\{\w+\}/g, "x"), issuer);
        const fields = {
          client_id: clientId(id),
          redirect_uri: redirectUri(id),
          token: "x.y.z",
          state: "s",
          code: "c",
          grant_type: "authorization_code",
        };
        const isRead = method === "get";
        if (isRead) url.search = new URLSearchParams(fields).toString();
        const body = isRead ? {} : { body: /tickets/.test(path) ? {} : new URLSearchParams(fields) };
        const headers = { "x-forwarded-for": address, accept: "text/html", origin: issuer };
        const isStream = path === "/rooms/{room}/tickets" || path === "/authorize";
        if (!isStream)
          asked.push(http.request(url, { method: method.toUpperCase(), headers, ...body }).catch(() => {}));
      }
    }
  }
  await Promise.all(asked);
}

async function proof(htu: string): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  return new SignJWT({ htm: "POST", htu, jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: await exportJWK(publicKey) })
    .setIssuedAt()
    .sign(privateKey);
}

test("a crowd of requests without a place makes no key", async () => {
  const { http, issuer } = world();
  await crawl("203.0.113.1");
  const before = await keys();
  const logouts = Array.from({ length: 50 }, () => http.get(`${issuer}/logout`));
  for (const { status } of await Promise.all(logouts)) expect(status).toBe(303);
  await Promise.all(Array.from({ length: 2 }, (_, at) => crawl(`203.0.113.${at + 2}`)));
  // Proofs of keys at a client that anybody can name.
  for (let at = 0; at < 10; at++) {
    const body = new URLSearchParams({
      client_id: clientId("app"),
      redirect_uri: redirectUri("app"),
      response_type: "code",
      scope: "openid",
    });
    const headers = { dpop: await proof(`${issuer}/par`) };
    expect((await http.request(`${issuer}/par`, { method: "POST", headers, body })).status).toBeGreaterThanOrEqual(400);
  }
  const after = await keys();
  expect([...after].filter((key) => !before.has(key) && !ofRoom.has(nameOf(key)))).toEqual([]);
  expect([...after].filter((key) => !documented.has(nameOf(key)))).toEqual([]);
});

test("a visitor who goes all ways makes no key that the document does not name", async () => {
  const { admin, http, issuer } = world();
  for (const room of ["line", "app"]) await admin.increment(room, 3);
  const site = world().relyingParty("line");
  const visitor = world().visitor();
  const login = site.startLogin();
  const page = await visitor.navigate(login.url, { stopAt: site.isCallback });
  expect(page.location?.searchParams.get("code")).toBeTruthy();
  const answer = await site.redeem(page.location?.searchParams.get("code") ?? "", login);
  expect(answer.status).toBe(200);
  const take = async (room: string) => {
    const taken = await http.request(`${issuer}/rooms/${room}/tickets`, { method: "POST" });
    return { authorization: `Bearer ${(taken.json() as { ticket: string }).ticket}` };
  };
  for (const room of ["line", "draw"]) {
    const headers = await take(room);
    await http.request(`${issuer}/rooms/${room}/move`, { method: "POST", headers });
    await http.request(`${issuer}/rooms/${room}/tickets/me`, { method: "DELETE", headers });
  }
  const found = [...(await keys())].map(nameOf);
  expect(found).toEqual(expect.arrayContaining(["left_places", "used_entries", "oidc:Grant", "oidc:Session"]));
  expect(found.filter((name) => !documented.has(name))).toEqual([]);
});

test("the document names each key of a room", () => {
  expect(roomKeyNames.filter((name) => !documented.has(name))).toEqual([]);
});
