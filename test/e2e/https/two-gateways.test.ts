/**
 * The public face: TLS ended by nginx in front of two gateways that share one Redis. Cookies are bound to the
 * host, every address is the issuer's, and forged proxy headers change nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpRequest } from "../../support/http-client.ts";
import { type Nginx, startNginx } from "../../support/nginx.ts";
import { freePort, freePorts } from "../../support/ports.ts";
import { redisStore } from "../redis-store.ts";
import { startWorld, type World } from "../world.ts";

const HOST = "queue.example.test";

describe("https issuer, two gateways behind nginx", () => {
  let nginx: Nginx;
  let world: World;

  beforeAll(async () => {
    const upstreamPorts = await freePorts(2);
    nginx = await startNginx({ upstreamPorts, serverName: HOST, tls: true, port: await freePort() });
    world = await startWorld({
      store: redisStore,
      rooms: [{ id: "tls" }, { id: "networks" }, { id: "spoof" }],
      gateways: 2,
      ports: upstreamPorts,
      issuer: nginx.origin,
      ca: nginx.tls?.ca ?? "",
      config: { listen: { trusted_proxies: ["127.0.0.1/32"] } },
      env: { USHER_LOG_LEVEL: "debug" },
    });
  });
  afterAll(async () => {
    await world?.stop();
    await nginx?.stop();
  });

  test("a whole login works, with every cookie __Host-, Secure, HttpOnly and SameSite=Lax", async () => {
    const site = world.relyingParty("tls");
    const visitor = world.visitor();
    const login = site.startLogin();
    const parked = await visitor.navigate(login.url, { stopAt: site.isCallback });
    expect(parked.position).toBe(1);
    expect(parked.header("strict-transport-security")).toMatch(/max-age=\d{8}/);
    // Both gateways know the visitor, whichever nginx picks.
    for (let reload = 0; reload < 4; reload++) expect((await visitor.navigate(login.url)).position).toBe(1);

    await world.admin.increment("tls", 1);
    const tokens = await site.finishLogin(await visitor.waitInLine(parked, { stopAt: site.isCallback }), login);
    expect(tokens.claims).toMatchObject({ iss: nginx.origin, queue_position: 1 });
    expect((await site.userinfo(tokens.accessToken)).json()).toMatchObject({ sub: tokens.claims.sub });

    expect(visitor.jar.refused).toEqual([]);
    const cookies = visitor.jar.all();
    expect(cookies.length).toBeGreaterThan(1);
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ secure: true, httpOnly: true, hostOnly: true, path: "/", sameSite: "lax" });
      expect(cookie.name).toMatch(/^__Host-/);
    }
  });

  test("a visitor whose network and browser change keeps the place, and comes in from the last one", async () => {
    const site = world.relyingParty("networks");
    const visitor = world.visitor();
    const login = site.startLogin();
    // nginx hands on what it was told, so the gateways take this for where the visitor is.
    const from = (address: string) => ({ "x-forwarded-for": address, "user-agent": `Phone at ${address}` });
    const home = from("192.0.2.7");
    const stopAt = site.isCallback;
    let page = await visitor.navigate(login.url, { headers: home, stopAt });
    const neighbour = await world.visitor().navigate(site.startLogin().url, { headers: home });
    expect([page.position, neighbour.position]).toEqual([1, 2]);
    for (const headers of ["198.51.100.9", "2001:db8::9"].map(from)) {
      page = await visitor.navigate(login.url, { headers, stopAt });
      expect(page.position).toBe(1);
    }
    await world.admin.increment("networks", 1);
    const headers = from("203.0.113.5");
    const { claims } = await site.finishLogin(await visitor.waitInLine(page, { headers, stopAt }), login);
    expect(claims.queue_position).toBe(1);
    const told = () => world.gateways.map((gateway) => gateway.output()).join("");
    await expect.poll(told).toContain('"client_address":"203.0.113.5"');
  });

  test("discovery names the issuer's own addresses only, cacheable, whatever Host the request carries", async () => {
    for (const headers of spoofedHeaders) {
      const answer = await world.http.get(`${nginx.origin}/.well-known/openid-configuration`, headers);
      expect(answer.header("cache-control")).toContain("max-age=3600");
      const metadata = answer.json() as Record<string, unknown>;
      expect(metadata.issuer).toBe(nginx.origin);
      expect(metadata.response_types_supported).toEqual(["code"]);
      expect(metadata.id_token_signing_alg_values_supported).toContain("RS256");
      expect(metadata.token_endpoint_auth_methods_supported).toEqual(
        expect.arrayContaining(["client_secret_basic", "client_secret_post"]),
      );
      for (const [name, value] of Object.entries(metadata)) {
        if (!name.endsWith("_endpoint") && name !== "jwks_uri") continue;
        expect(new URL(String(value)).origin, name).toBe(nginx.origin);
      }
    }
  });

  test("forged Host and X-Forwarded headers change neither pages, redirects nor cookies", async () => {
    const site = world.relyingParty("spoof");
    await world.admin.increment("spoof", spoofedHeaders.length);
    for (const headers of spoofedHeaders) {
      for (const origin of [nginx.origin, ...world.gateways.map((gateway) => gateway.origin)]) {
        const login = site.startLogin();
        const url = `${origin}/authorize${login.url.search}`;
        const options: HttpRequest = { headers: { ...headers, "sec-fetch-mode": "navigate", accept: "text/html" } };
        const answer = await world.http.request(url, options);
        expect(JSON.stringify(answer.headers) + answer.body).not.toContain("evil.example");
        for (const cookie of answer.setCookies) expect(cookie).toMatch(/^__Host-[^;]*;.*secure/i);
      }
    }
  });
});

const spoofedHeaders: Record<string, string>[] = [
  {},
  { host: "evil.example" },
  { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", "x-forwarded-port": "81" },
  { forwarded: "for=1.2.3.4;host=evil.example;proto=http", "x-original-host": "evil.example" },
];
