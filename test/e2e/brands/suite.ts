import { request } from "node:http";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { codeIn, type Tokens } from "../../support/relying-party.ts";
import type { Visitor } from "../../support/visitor.ts";
import type { StoreUnderTest } from "../world.ts";
import { type Brand, type BrandsWorld, useBrands } from "./world.ts";

/** Several issuers on one port: each whole by itself, and nothing of one worth anything at another. */
export function describeBrands(store: StoreUnderTest, gateways: number): void {
  describe(`two brands, ${gateways === 1 ? "one process" : `${gateways} processes`}, ${store.name}`, () => {
    const world = useBrands(store, gateways);
    describeLogins(world);
    describeIsolation(world);
    describeHosts(world);
    describeRestart(world);
  });
}

async function logIn({ admin, room, site }: Brand, visitor: Visitor): Promise<Tokens> {
  await admin.increment(room, 1);
  return site.login(visitor);
}

async function keysOf({ issuer }: Brand, { http }: BrandsWorld): Promise<JSONWebKeySet> {
  return (await http.get(`${issuer}/.well-known/jwks.json`)).json() as JSONWebKeySet;
}

/** A ticket for an app, and the admission token that it is exchanged for. */
async function admittedApp({ issuer, room, admin }: Brand, { http }: BrandsWorld) {
  const tickets = `${issuer}/rooms/${room}/tickets`;
  const { ticket } = (await http.request(tickets, { method: "POST" })).json() as { ticket: string };
  await admin.increment(room, 1);
  const headers = { authorization: `Bearer ${ticket}` };
  let token = "";
  await expect
    .poll(async () => {
      const { status, json } = await http.request(`${tickets}/me/token`, { method: "POST", headers });
      token = (json() as { token: string }).token;
      return status;
    })
    .toBe(200);
  return { ticket, token };
}

function describeLogins(world: () => BrandsWorld): void {
  test("a visitor waits and logs in at each, with the same browser; each has its own addresses and keys", async () => {
    const { http, one, two } = world();
    const visitor = world().visitor();
    const ids: string[] = [];
    for (const brand of [one, two]) {
      const { issuer, room, admin, site } = brand;
      const login = site.startLogin();
      const parked = await visitor.navigate(login.url, { stopAt: site.isCallback });
      expect([parked.status, parked.state]).toEqual([200, "waiting"]);
      // Whichever process answers, the place is the same.
      for (let reload = 0; reload < 4; reload++) {
        expect((await visitor.navigate(login.url)).position).toBe(parked.position);
      }
      await admin.increment(room, 1);
      const tokens = await site.finishLogin(await visitor.waitInLine(parked, { stopAt: site.isCallback }), login);
      expect(tokens.claims).toMatchObject({ iss: issuer, room, queue_position: parked.position });
      expect((await site.userinfo(tokens.accessToken)).json()).toMatchObject({ sub: tokens.claims.sub, room });
      ids.push(tokens.header.kid ?? "");

      const metadata = (await http.get(`${issuer}/.well-known/openid-configuration`)).json() as Record<string, unknown>;
      expect(metadata.issuer).toBe(issuer);
      for (const [name, value] of Object.entries(metadata)) {
        if (name.endsWith("_endpoint") || name === "jwks_uri") expect(new URL(String(value)).origin).toBe(issuer);
      }
    }
    expect(new Set(ids).size).toBe(2);
    const kids = [await keysOf(one, world()), await keysOf(two, world())].flatMap(({ keys }) =>
      keys.map(({ kid }) => kid),
    );
    expect(kids.sort()).toEqual(ids.sort());
  });

  test("operators reach every room by each host", async () => {
    const { one, two } = world();
    for (const { admin } of [one, two]) {
      const { rooms } = (await admin.request("GET", "/rooms")).json() as { rooms: { room: string }[] };
      expect(rooms.map(({ room }) => room)).toEqual([one.room, two.room]);
      for (const { room } of [one, two]) await admin.change(room, { message: `Told at ${room}` });
    }
  });

  test("numbers of every room are told at each host and by address", async () => {
    const { http, one, two, gateways } = world();
    for (const origin of [one.issuer, two.issuer, ...gateways.map((gateway) => gateway.origin)]) {
      const { body } = await http.get(`${origin}/metrics`);
      for (const { room } of [one, two]) expect(body).toContain(`usher_waiting{room="${room}"}`);
    }
  });
}

function describeIsolation(world: () => BrandsWorld): void {
  test("a room of another brand is unknown, on every way in", async () => {
    const { http, one, two } = world();
    for (const [here, room] of [
      [one, two.room],
      [two, one.room],
    ] as const) {
      const at = `${here.issuer}/rooms/${room}`;
      for (const [method, path] of [
        ["GET", "/status"],
        ["POST", "/tickets"],
        ["GET", "/tickets/me"],
        ["POST", "/tickets/me/token"],
        ["GET", `/enter?target=${encodeURIComponent(`https://${room}.example.test/x`)}`],
        ["GET", "/leave"],
        ["GET", "/verify"],
      ] as const) {
        const answer = await http.request(`${at}${path}`, { method });
        expect([answer.status, answer.json()], `${method} ${path}`).toMatchObject([404, { error: "unknown_room" }]);
        expect(answer.setCookies).toEqual([]);
      }
      expect((await http.get(`${here.issuer}/rooms/${here.room}/status`)).status).toBe(200);
    }
  });

  test("a client of another brand is unknown: nobody is parked, nothing is redirected, no token is given", async () => {
    const { http, one, two } = world();
    const { url } = two.site.startLogin();
    const page = await world().visitor().navigate(`${one.issuer}${url.pathname}${url.search}`);
    expect([page.status, page.position, page.location]).toEqual([400, undefined, undefined]);
    expect(page.setCookies).toEqual([]);
    const { clientId, clientSecret = "" } = two.site.options;
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: "x",
      redirect_uri: "https://x.example",
    });
    const answer = await http.request(`${one.issuer}/token`, { method: "POST", headers: { authorization }, body });
    expect([answer.status, answer.json()]).toMatchObject([401, { error: "invalid_client" }]);
  });

  test("a ticket is worth nothing at another brand, neither presented nor as a cookie", async () => {
    const { http, one, two } = world();
    const { ticket } = await admittedApp(one, world());
    const headers = { authorization: `Bearer ${ticket}` };
    for (const [method, path] of [
      ["GET", "/tickets/me"],
      ["POST", "/tickets/me/token"],
      ["DELETE", "/tickets/me"],
    ] as const) {
      const there = await http.request(`${two.issuer}/rooms/${two.room}${path}`, { method, headers });
      expect(there.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
    }
    const visitor = world().visitor();
    await logIn(one, visitor);
    const cookie = visitor.jar.all().find(({ name }) => name === `usher-${one.room}`);
    if (cookie === undefined) throw new Error("no ticket");
    // Under the other room's name, at the other host.
    visitor.jar.put({ ...cookie, name: `usher-${two.room}`, host: "127.0.0.1" });
    const page = await visitor.navigate(two.site.startLogin().url, { stopAt: two.site.isCallback });
    expect([page.location, page.state]).toEqual([undefined, undefined]);
    expect(page.notice).toBeDefined();
  });

  test("a code, an access token and a refresh token are worth nothing at another brand, and stay good at their own", async () => {
    const { one, two } = world();
    const visitor = world().visitor();
    await one.admin.increment(one.room, 1);
    const login = one.site.startLogin();
    const page = await visitor.login(login.url, { stopAt: one.site.isCallback });
    const code = codeIn(page, login.state, one.issuer);
    const redirect_uri = one.site.options.redirectUri;
    for (const changes of [{}, { redirect_uri }]) {
      const foreign = await two.site.redeem(code, login, changes);
      expect([foreign.status, foreign.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    }
    const tokens = await one.site.finishLogin(page, login);

    expect((await two.site.userinfo(tokens.accessToken)).status).toBe(401);
    const refresh = await two.site.refresh(tokens.refreshToken ?? "");
    expect([refresh.status, refresh.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    expect((await one.site.userinfo(tokens.accessToken)).status).toBe(200);
    expect((await one.site.refresh(tokens.refreshToken ?? "")).status).toBe(200);
  });

  test("a session is none at another brand: no silent login, and no logout there ends it", async () => {
    const { one, two } = world();
    const visitor = world().visitor();
    const { idToken, claims } = await logIn(one, visitor);
    for (const cookie of visitor.jar.all()) visitor.jar.put({ ...cookie, host: "127.0.0.1" });
    const silent = await visitor.navigate(two.site.startLogin({ prompt: "none" }).url, { stopAt: two.site.isCallback });
    expect(silent.location?.searchParams.get("code")).toBeNull();
    expect(silent.location?.searchParams.get("error")).toMatch(/^(interaction|login)_required$/);

    const hinted = await visitor.navigate(`${two.issuer}/logout?id_token_hint=${idToken}`);
    expect(hinted.status).toBe(400);
    // Whoever has a session is asked.
    expect((await visitor.navigate(`${one.issuer}/logout`)).notice).toBe("logout_confirm");
    expect((await visitor.navigate(`${two.issuer}/logout`)).notice).toBe("logged_out");
    const { admissions } = (await one.admin.request("GET", `/rooms/${one.room}/admissions?limit=500`)).json() as {
      admissions: { sub: string; status: string }[];
    };
    expect(admissions.find(({ sub }) => sub === claims.sub)).toMatchObject({ status: "live" });
    const again = one.site.startLogin({ prompt: "none" });
    const page = await visitor.navigate(again.url, { stopAt: one.site.isCallback });
    expect((await one.site.finishLogin(page, again)).claims.sub).toBe(claims.sub);
  });

  test("an admission token is worth nothing at another brand", async () => {
    const { http, one, two } = world();
    const { token } = await admittedApp(one, world());
    const options = { issuer: one.issuer, audience: `${one.issuer}/rooms/${one.room}` };
    await jwtVerify(token, createLocalJWKSet(await keysOf(one, world())), options);
    await expect(jwtVerify(token, createLocalJWKSet(await keysOf(two, world())), options)).rejects.toThrow();
    const ask = (issuer: string, room: string) => {
      const cookie = `__Host-usher-${room}.admission=${token}`;
      return http.get(`${issuer}/rooms/${room}/verify`, {
        cookie,
        "x-original-url": `https://${room}.example.test/page`,
      });
    };
    expect((await ask(one.issuer, one.room)).status).toBe(200);
    expect((await ask(two.issuer, two.room)).status).toBe(401);
  });

  test("a bypass link is of the room's own brand, whichever host the operator asks, and worth nothing at another", async () => {
    const { one, two, http } = world();
    for (const { admin } of [one, two]) {
      const made = await admin.request("POST", `/rooms/${two.room}/bypass`, {});
      const { url } = made.json() as { url: string };
      expect(url.startsWith(`${two.issuer}/rooms/${two.room}/bypass?link=`)).toBe(true);
      const link = new URL(url).searchParams.get("link") ?? "";
      const press = ({ issuer, room }: Brand) =>
        http.request(`${issuer}/rooms/${room}/bypass`, {
          method: "POST",
          body: new URLSearchParams({ link }),
          headers: { "sec-fetch-site": "same-origin" },
        });
      expect((await press(one)).status).toBe(410);
      expect((await press({ ...two, issuer: one.issuer })).status).toBe(404);
      const entered = await press(two);
      expect([entered.status, entered.header("location")]).toEqual([303, expect.stringContaining(two.room)]);
    }
  });
}

function describeHosts(world: () => BrandsWorld): void {
  const unknownHost: Record<string, string>[] = [
    { host: "evil.example" },
    { host: "evil.example", "x-forwarded-host": "localhost" },
    { host: "localhost" },
    { host: "localhost:1" },
  ];

  test("a host that is not configured gets 421, as a page or as JSON, and no cookie", async () => {
    const { http, one } = world();
    for (const stranger of unknownHost) {
      for (const [method, path] of [
        ["GET", "/"],
        ["GET", `/rooms/${one.room}/status`],
        ["POST", `/rooms/${one.room}/tickets`],
        ["GET", one.site.startLogin().url.pathname + one.site.startLogin().url.search],
        ["GET", "/.well-known/openid-configuration"],
        ["POST", "/token"],
      ] as const) {
        const answer = await http.request(`${one.issuer}${path}`, { method, headers: stranger });
        expect([answer.status, answer.setCookies], `${method} ${path}`).toEqual([421, []]);
        expect(answer.json()).toMatchObject({ error: "bad_request" });
        expect(answer.header("cache-control")).toBe("no-store");
        expect(answer.body).not.toContain(new URL(one.issuer).host);
      }
      const page = await http.get(`${one.issuer}/`, { ...stranger, accept: "text/html" });
      expect([page.status, page.setCookies]).toEqual([421, []]);
      // Where nobody answers, nothing can be chosen.
      expect(page.body).not.toContain("/language");
      expect(page.header("content-type")).toContain("text/html");
      expect(page.header("content-security-policy")).toBeDefined();
    }
  });

  test("whoever looks after the process may ask by any host", async () => {
    const { http, gateways } = world();
    for (const { origin } of gateways) {
      for (const stranger of [{}, ...unknownHost]) {
        for (const path of ["/healthz", "/readyz", "/metrics"]) {
          expect((await http.get(`${origin}${path}`, stranger)).status).toBe(200);
        }
        expect((await http.get(`${origin}/admin/rooms`, stranger)).status).toBe(401);
      }
    }
  });

  test("another brand's address as the target of a request is refused", async () => {
    const { one, two, gateways } = world();
    const [gateway] = gateways;
    const ask = (path: string, host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const outgoing = request({ host: "127.0.0.1", port: gateway?.port, path, headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        outgoing.once("error", reject);
        outgoing.end();
      });
    const { host } = new URL(one.issuer);
    expect(await ask(`${one.issuer}/rooms/${one.room}/status`, host)).toBe(200);
    expect(await ask(`${two.issuer}/rooms/${two.room}/status`, host)).toBe(421);
    expect(await ask(`${one.issuer}/rooms/${one.room}/status`, "evil.example")).toBe(421);
  });

  test("a proxy that asks about a site's request is answered by the brand of the room", async () => {
    const { http, one, two, gateways } = world();
    for (const { origin } of gateways) {
      for (const { issuer, room } of [one, two]) {
        const headers = { host: `${room}.example.test`, "x-original-uri": "/page", "x-forwarded-proto": "https" };
        const answer = await http.get(`${origin}/rooms/${room}/verify`, headers);
        expect([answer.status, answer.json()]).toMatchObject([
          401,
          { enter: expect.stringContaining(`${issuer}/rooms/${room}/enter`) },
        ]);
      }
    }
  });
}

function describeRestart(world: () => BrandsWorld): void {
  test("after a restart the keys are the same, and so are the places", async () => {
    const { one, two, gateways } = world();
    const before = [await keysOf(one, world()), await keysOf(two, world())];
    const visitor = world().visitor();
    const places = new Map<Brand, { url: URL; position: number | undefined }>();
    for (const brand of [one, two]) {
      const { url } = brand.site.startLogin();
      places.set(brand, { url, position: (await visitor.navigate(url)).position });
    }
    for (const gateway of gateways) {
      await gateway.halt();
      await gateway.start();
      await gateway.waitUntilReady();
    }
    expect([await keysOf(one, world()), await keysOf(two, world())]).toEqual(before);
    for (const { url, position } of places.values()) {
      expect(position).toBeGreaterThan(0);
      expect((await visitor.navigate(url)).position).toBe(position);
    }
  });
}
