/**
 * Forward authentication, by requests as proxies make them. Traefik: doc.traefik.io/traefik/middlewares/http/forwardauth,
 * "Forward-Request Headers". Caddy: caddyserver.com/docs/caddyfile/directives/forward_auth, "Expanded form". Envoy:
 * envoyproxy.io, extensions.filters.http.ext_authz.v3.HttpService, path_prefix, and AuthorizationRequest. nginx:
 * nginx.org/en/docs/http/ngx_http_auth_request_module.html, with the headers of docs/forward-auth.md.
 */
import { request } from "node:http";
import { decodeJwt, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import type { HttpResponse } from "../../support/http-client.ts";
import { targetTricks } from "../../support/target-tricks.ts";
import { queued } from "../line.ts";
import { memoryStore, useWorld, type World } from "../world.ts";

const host = "shop.example.test";
const site = `https://${host}`;
const settings = {
  targets: [`${site}/`, `${site}/*`],
  verify: { exempt: ["/assets/*", "/webhooks/*", "/favicon.ico"] },
  admission_token: { validity: "1h" },
};
const rooms = [
  ...["shop", "other", "ends"].map((id) => ({ id, settings })),
  { id: "short", settings: { ...settings, admission_token: { validity: "8s" } } },
  { id: "narrow", settings: { ...settings, targets: [`${site}/`, `${site}/products/*`] } },
];

interface Original {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  host?: string;
}

const page = {
  accept: "text/html,application/xhtml+xml",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
  "user-agent": "Mozilla/5.0",
};

/** How each proxy asks about a request. */
const proxies = {
  async nginx(world: World, room: string, { path, method = "GET", headers = page, host: name = host }: Original) {
    return world.http.get(`${world.issuer}/rooms/${room}/verify?refuse=401`, {
      ...headers,
      "x-original-url": `https://${name}${path}`,
      "x-original-method": method,
    });
  },
  async traefik(world: World, room: string, { path, method = "GET", headers = page, host: name = host }: Original) {
    return world.http.get(`${world.issuer}/rooms/${room}/verify`, {
      ...headers,
      "x-forwarded-method": method,
      "x-forwarded-proto": "https",
      "x-forwarded-host": name,
      "x-forwarded-port": "443",
      "x-forwarded-uri": path,
      "x-forwarded-for": "192.0.2.7",
    });
  },
  async caddy(world: World, room: string, { path, method = "GET", headers = page, host: name = host }: Original) {
    return world.http.get(`${world.issuer}/rooms/${room}/verify`, {
      ...headers,
      host: name,
      "x-forwarded-for": "192.0.2.7",
      "x-forwarded-proto": "https",
      "x-forwarded-host": name,
      "x-forwarded-method": method,
      "x-forwarded-uri": path,
    });
  },
  async envoy(world: World, room: string, { path, method = "GET", headers = page, host: name = host }: Original) {
    return world.http.request(`${world.issuer}/rooms/${room}/verify${path}`, {
      method,
      headers: { ...headers, host: name, "x-forwarded-proto": "https", "content-length": "0" },
    });
  },
};
type ProxyName = keyof typeof proxies;
const names = Object.keys(proxies) as ProxyName[];

describe("forward authentication", () => {
  const world = useWorld(() => ({ store: memoryStore, rooms }));

  const ask = (proxy: ProxyName, room: string, original: Original) => proxies[proxy](world(), room, original);
  const enterAddress = (room: string, target?: string) =>
    `${world().issuer}/rooms/${room}/enter${target === undefined ? "" : `?target=${encodeURIComponent(target)}`}`;
  /** Where a page is sent, whichever way the proxy is told. */
  const sentTo = (answer: HttpResponse) => answer.header("location") ?? answer.header("x-usher-location");

  /** The address that the room sends an admitted visitor to. */
  async function handOver(room: string, target: string, visitor = world().visitor()) {
    await world().admin.increment(room, 1);
    const stopAt = (location: URL) => location.host === host;
    const handed = await visitor.login(enterAddress(room, target), { stopAt });
    const { pathname, search, searchParams } = handed.location ?? new URL(site);
    return { path: pathname + search, token: searchParams.get("usher_token") ?? "" };
  }

  /** The site's cookie, as the browser sends it back. */
  async function siteCookie(room: string): Promise<string> {
    const { path } = await handOver(room, `${site}/`);
    const [cookie = ""] = (await ask("traefik", room, { path })).setCookies;
    return cookie.split(";")[0] ?? "";
  }

  const visit = (cookie: string) => ({ ...page, cookie });

  test.each(names)("%s: without an admission a page leads to the room, and nothing is taken", async (proxy) => {
    const path = "/products/7?a=%20b+c&usher_token=old&d";
    const before = await queued(world(), "shop");
    const answer = await ask(proxy, "shop", { path });
    expect(answer.status).toBe(proxy === "nginx" ? 401 : 302);
    expect(sentTo(answer)).toBe(enterAddress("shop", `${site}/products/7?a=%20b+c&d`));
    expect([answer.header("cache-control"), answer.setCookies]).toEqual(["no-store", []]);
    expect(await queued(world(), "shop")).toBe(before);
  });

  test.each(names)("%s: the token in the address becomes the site's cookie, and the address clean", async (proxy) => {
    const { path, token } = await handOver("shop", `${site}/products/7?a=%20b+c`);
    const answer = await ask(proxy, "shop", { path });
    expect(answer.status).toBe(proxy === "nginx" ? 401 : 302);
    expect([sentTo(answer), answer.header("referrer-policy")]).toEqual([`${site}/products/7?a=%20b+c`, "no-referrer"]);
    const [cookie = "", ...others] = answer.setCookies;
    expect(others).toEqual([]);
    expect(cookie).toMatch(
      /^__Host-usher-shop\.admission=ey[\w.-]+; Max-Age=1\d{3}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );

    const again = await ask(proxy, "shop", { path: "/products/7", headers: visit(cookie.split(";")[0] ?? "") });
    const { sub, admitted_at, queue_position } = decodeJwt(token);
    expect([again.status, again.body, again.setCookies]).toEqual([200, "", []]);
    expect(again.headers).toMatchObject({
      "x-usher-sub": sub,
      "x-usher-room": "shop",
      "x-usher-position": String(queue_position),
      "x-usher-admitted-via": "queue",
      "x-usher-admitted-at": String(admitted_at),
    });
  });

  test("an address with a token lets in one browser, and a cookie's token none", async () => {
    const { path } = await handOver("shop", `${site}/a`);
    const [cookie = ""] = (await ask("traefik", "shop", { path })).setCookies;
    const token = cookie.split(";")[0]?.split("=")[1] ?? "";
    for (const shared of [path, path, `/a?usher_token=${token}`]) {
      const answer = await ask("traefik", "shop", { path: shared });
      expect([sentTo(answer), answer.setCookies]).toEqual([enterAddress("shop", `${site}/a`), []]);
    }
    // Whose cookie it became is in, by that address too.
    const own = await ask("traefik", "shop", { path, headers: visit(cookie.split(";")[0] ?? "") });
    expect([own.status, sentTo(own)]).toEqual([302, `${site}/a`]);
  });

  test.each(names)(
    "%s: a page of an app's browser, and one that the site's service worker passes on, lead to the room",
    async (proxy) => {
      for (const more of [
        { "x-requested-with": "com.example.social" },
        { "sec-fetch-dest": "empty" },
        { "sec-fetch-mode": "", "sec-fetch-dest": "", "x-requested-with": "com.example.social" },
      ]) {
        const answer = await ask(proxy, "shop", { path: "/a", headers: { ...page, ...more } });
        expect([more, answer.status, sentTo(answer)]).toEqual([
          more,
          proxy === "nginx" ? 401 : 302,
          enterAddress("shop", `${site}/a`),
        ]);
      }
    },
  );

  test.each(names)("%s: what is no page passes with the cookie, and is never redirected without", async (proxy) => {
    const cookie = await siteCookie("shop");
    const script = { accept: "application/json", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
    const kinds: Original[] = [
      { path: "/api/cart", headers: script },
      { path: "/api/cart", headers: { accept: "*/*" } },
      { path: "/", headers: { ...page, "x-requested-with": "XMLHttpRequest", "sec-fetch-mode": "" } },
      { path: "/", headers: { ...page, "sec-fetch-dest": "iframe" } },
      { path: "/", headers: { ...page, "sec-purpose": "prefetch" } },
      { path: "/order", method: "POST", headers: page },
      { path: "/order", method: "DELETE", headers: script },
    ];
    for (const original of kinds) {
      const refused = await ask(proxy, "shop", original);
      expect([original, refused.status, sentTo(refused)]).toEqual([original, 401, undefined]);
      expect(refused.header("www-authenticate")).toBe('Bearer realm="shop"');
      expect(refused.json()).toMatchObject({
        error: "admission_required",
        enter: enterAddress("shop", `${site}${original.path}`),
      });
      const headers = { ...original.headers, cookie };
      expect((await ask(proxy, "shop", { ...original, headers })).status).toBe(200);
    }
    const { path } = await handOver("shop", `${site}/order`);
    const posted = await ask(proxy, "shop", { path, method: "POST" });
    expect([posted.status, posted.setCookies.length]).toEqual([200, 1]);
  });

  test.each(names)("%s: payment call-backs, assets and exempt requests of scripts pass at once", async (proxy) => {
    const asked: Original[] = [
      { path: "/webhooks/payment", method: "POST", headers: { "user-agent": "Stripe/1.0", "x-usher-sub": "forged" } },
      {
        path: "/assets/a.css?v=2",
        headers: { accept: "text/css", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "style" },
      },
      { path: "/assets/list.json", headers: { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" } },
      { path: "/favicon.ico", headers: page },
    ];
    for (const original of asked) {
      const answer = await ask(proxy, "shop", original);
      expect([original, answer.status, answer.setCookies]).toEqual([original, 200, []]);
      // So that a visitor's own header of that name does not pass.
      expect([answer.headers["x-usher-sub"], answer.headers["x-usher-room"]]).toEqual(["", "shop"]);
    }
  });

  test.each(names)("%s: a path that only looks exempt is not", async (proxy) => {
    const tricks = [
      "/assets/../checkout",
      "/assets/%2e%2e/checkout",
      "/assets/..%2fcheckout",
      "/assets/..;/checkout",
      "/assets//../checkout",
      "//assets/a.css",
      "/Assets/a.css",
      "/assets",
      "/?/assets/a.css",
      "/favicon.ico/",
    ];
    for (const path of tricks) {
      // As it is: URL parsers would tidy it up.
      const headers = { ...page, "x-forwarded-proto": "https" };
      const answer =
        proxy === "envoy"
          ? await raw(`/rooms/shop/verify${path}`, { ...headers, host })
          : await ask(proxy, "shop", { path });
      expect([path, answer.status]).toEqual([path, proxy === "nginx" ? 401 : 302]);
    }
  });

  async function raw(path: string, headers: Record<string, string>): Promise<{ status: number }> {
    const { port } = new URL(world().issuer);
    return new Promise((resolve, reject) => {
      const outgoing = request({ host: "127.0.0.1", port, path, headers }, (incoming) => {
        incoming.resume();
        resolve({ status: incoming.statusCode ?? 0 });
      });
      outgoing.once("error", reject);
      outgoing.end();
    });
  }

  test("a target that is not on the list is asked for at the room's usual one; no address leads elsewhere", async () => {
    // test/unit/web/room-sites.test.ts has all of them.
    for (const trick of targetTricks(site).filter((_, index) => index % 8 === 0)) {
      if (/[^\x21-\x7e]/.test(trick)) continue;
      const path = trick.startsWith(`${site}/`) ? trick.slice(site.length) : `/${trick}`;
      const answer = await ask("traefik", "narrow", { path });
      const location = answer.header("location");
      const expected = path === "/" ? enterAddress("narrow", `${site}/`) : enterAddress("narrow");
      expect([trick, answer.status, location]).toEqual(
        answer.status === 400 ? [trick, 400, undefined] : [trick, 302, expected],
      );
    }
    const elsewhere = await ask("caddy", "narrow", { path: "/products/7", host: "evil.example" });
    expect(sentTo(elsewhere)).toBe(enterAddress("narrow"));
    const { path } = await handOver("narrow", `${site}/products/7`);
    const atEvil = await ask("caddy", "narrow", { path, host: "evil.example" });
    expect([atEvil.status, sentTo(atEvil), atEvil.setCookies.length]).toEqual([200, undefined, 1]);
  });

  test("headers that name nothing, or different things, or more than one thing, are refused", async () => {
    const url = `${world().issuer}/rooms/shop/verify`;
    const forwarded = { "x-forwarded-host": host, "x-forwarded-proto": "https" };
    const bad: Record<string, string>[] = [
      {},
      { "x-original-url": "/products" },
      { "x-original-url": `${site}/checkout`, "x-forwarded-uri": "/assets/a.css", ...forwarded },
      { "x-original-uri": "/assets/a.css", "x-forwarded-uri": "/checkout", ...forwarded },
      { "x-forwarded-uri": "/", "x-forwarded-host": "shop.example.test, evil.example", "x-forwarded-proto": "https" },
      { "x-forwarded-uri": "/", "x-forwarded-host": "evil.example/x", "x-forwarded-proto": "https" },
      { "x-forwarded-uri": "/", "x-forwarded-host": host, "x-forwarded-proto": "javascript" },
      { "x-original-url": "https://user:pass@shop.example.test/" },
      { "x-original-url": "javascript:alert(1)" },
      { "x-original-url": `${site}/a#b` },
      { "x-original-url": `${site}/a b` },
    ];
    for (const headers of bad) {
      const answer = await world().http.get(url, { accept: "application/json", ...headers });
      expect([headers, answer.status, answer.json()]).toMatchObject([headers, 400, { error: "bad_request" }]);
    }
    const beside = await world().http.get(`${url}/checkout`, { ...page, "x-original-url": `${site}/assets/a.css` });
    expect(beside.status).toBe(400);
    const visitorsQuery = await world().http.get(`${url}/checkout?refuse=401`, { ...page, host });
    expect(visitorsQuery.status).toBe(302);
    const long = await ask("traefik", "shop", { path: `/${"x".repeat(20_000)}` });
    expect(sentTo(long)).toBe(enterAddress("shop"));
    expect((await world().http.get(`${world().issuer}/rooms/nowhere/verify`, page)).status).toBe(404);
  });

  test("what is no admission token of this room is worth nothing", async () => {
    const relyingParty = world().relyingParty("shop");
    await world().admin.increment("shop", 1);
    const login = await relyingParty.login(world().visitor());
    const otherRoom = (await siteCookie("other")).split("=")[1] ?? "";
    // It is good there, and known to be.
    const there = visit(`__Host-usher-other.admission=${otherRoom}`);
    expect((await ask("traefik", "other", { path: "/", headers: there })).status).toBe(200);
    const good = (await siteCookie("shop")).split("=")[1] ?? "";
    const [, claims = "", signature = ""] = good.split(".");
    const header = (fields: object) => Buffer.from(JSON.stringify(fields)).toString("base64url");
    const ownKey = new TextEncoder().encode("a key of somebody's own, long enough");
    const forged = await new SignJWT(decodeJwt(good))
      .setProtectedHeader({ alg: "HS256", typ: "admission+jwt" })
      .sign(ownKey);
    const bad = [
      login.idToken,
      login.accessToken,
      otherRoom,
      forged,
      `${header({ alg: "none", typ: "admission+jwt" })}.${claims}.`,
      `${header({ alg: "RS256", typ: "admission+jwt" })}.${claims}.${signature}`,
      `${good.slice(0, -6)}AAAAAA`,
      good.slice(0, -1),
      `${good}.x`,
      "x".repeat(9_000),
      "..",
      "",
    ];
    for (const token of bad) {
      const cookie = `__Host-usher-shop.admission=${token}`;
      const byCookie = await ask("traefik", "shop", { path: "/", headers: visit(cookie) });
      const byUrl = await ask("traefik", "shop", { path: `/?usher_token=${token}` });
      expect([token, byCookie.status, byUrl.status]).toEqual([token, 302, 302]);
      expect([sentTo(byUrl), byUrl.setCookies]).toEqual([enterAddress("shop", `${site}/`), []]);
      // A bad token in a link does not throw out who is in.
      const path = `/?usher_token=${token}`;
      const both = await ask("traefik", "shop", { path, headers: visit(`__Host-usher-shop.admission=${good}`) });
      expect([both.status, sentTo(both), both.setCookies]).toEqual([302, `${site}/`, []]);
    }
    const plain = await ask("traefik", "shop", { path: "/", headers: visit(`usher-shop.admission=${good}`) });
    expect(plain.status).toBe(302);
    const silent = relyingParty.startLogin({ prompt: "none", id_token_hint: good });
    const answer = await world().visitor().navigate(silent.url, { stopAt: relyingParty.isCallback });
    expect(answer.location?.searchParams.get("error")).toBe("invalid_request");
  });

  test("over http the cookie has a plain name and is not secure", async () => {
    const { path } = await handOver("shop", `${site}/`);
    const url = `${world().issuer}/rooms/shop/verify`;
    const headers = { ...page, "x-forwarded-uri": path, "x-forwarded-host": host, "x-forwarded-proto": "http" };
    const [cookie] = (await world().http.get(url, headers)).setCookies;
    expect(cookie).toMatch(/^usher-shop\.admission=ey[\w.-]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test("an admission that was ended is refused at once, with the cookie and with the address", async () => {
    const visitor = world().visitor();
    const { path, token } = await handOver("ends", `${site}/`, visitor);
    const notTaken = await handOver("ends", `${site}/`, visitor);
    const [cookie = ""] = (await ask("traefik", "ends", { path })).setCookies;
    const headers = visit(cookie.split(";")[0] ?? "");
    expect((await ask("traefik", "ends", { path: "/", headers })).status).toBe(200);
    await world().admin.request("PATCH", `/rooms/ends/admissions/${decodeJwt(token).sub}`, { status: "completed" });
    expect((await ask("traefik", "ends", { path: "/", headers })).status).toBe(302);
    const refused = await ask("traefik", "ends", { path: notTaken.path });
    expect([sentTo(refused), refused.setCookies]).toEqual([enterAddress("ends", `${site}/`), []]);
  });

  test("past half of its validity the cookie is renewed, once; when it is over the room is asked again", async () => {
    const { path } = await handOver("short", `${site}/`);
    const [first = ""] = (await ask("traefik", "short", { path })).setCookies;
    expect(first).toMatch(/Max-Age=[89];/);
    const headers = visit(first.split(";")[0] ?? "");
    const again = (path = "/") => ask("traefik", "short", { path, headers });
    let renewed = await again();
    expect([renewed.status, renewed.setCookies]).toEqual([200, []]);
    while (renewed.status === 200 && renewed.setCookies.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      renewed = await again();
    }
    const { exp = 0, iat = 0 } = decodeJwt(first.split(";")[0]?.split("=")[1] ?? "");
    expect(Date.now() / 1_000).toBeGreaterThanOrEqual((iat + exp) / 2);
    const same = await again("/other");
    expect([renewed.status, renewed.setCookies.length]).toEqual([200, 1]);
    expect(same.setCookies[0]?.split(";")[0]).toBe(renewed.setCookies[0]?.split(";")[0]);
    await expect.poll(async () => (await again()).status, { interval: 100 }).toBe(302);
    expect(Date.now() / 1_000).toBeGreaterThanOrEqual(exp);
    const next = visit(renewed.setCookies[0]?.split(";")[0] ?? "");
    expect((await ask("traefik", "short", { path: "/", headers: next })).status).toBe(200);
  });
});

describe("who may ask", () => {
  const proxied = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "shop", settings }],
    config: { listen: { trusted_proxies: ["10.0.0.0/8"] } },
  }));
  const named = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "shop", settings }],
    config: { listen: { trusted_proxies: ["127.0.0.0/8", "::1"] } },
  }));

  test("only a proxy that is named, where any is", async () => {
    for (const proxy of names) {
      const refused = await proxies[proxy](proxied(), "shop", { path: "/assets/a.css", headers: {} });
      expect([refused.status, refused.body]).toEqual([
        403,
        expect.stringContaining("add it to listen.trusted_proxies"),
      ]);
      expect((await proxies[proxy](named(), "shop", { path: "/assets/a.css" })).status).toBe(200);
    }
  });
});
