// Long: a double of the load balancer waits for logins that end; apache.test.ts has the quick one of the relying parties.
/**
 * Whole journeys through an AWS Application Load Balancer with `authenticate-oidc`: a double (test/support/alb.ts) in
 * front of a site, and the real gateway.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import {
  type Alb,
  type AlbOptions,
  type AuthenticateOidcConfig,
  albUris,
  expireSession,
  startAlb,
  verifyOidcData,
} from "../../support/alb.ts";
import { createMovedClock } from "../../support/moved-clock.ts";
import { freePort } from "../../support/ports.ts";
import { enterLink, type Page, type Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { clientId, clientSecret, type RoomUnderTest } from "../world.ts";
import { useHttpsWorld } from "./https-world.ts";

const HOST = "shop.example.test";
/** After so long the load balancer has forgotten a login: by its own clock, which a test moves. */
const LOGIN_TIMEOUT_MS = 15 * 60_000;
/** In place of the profile's 14 minutes, and a wait that is longer. */
const USHER_LOGIN_TIMEOUT = "1s";
const WAIT_MS = 1_100;
/** Of the access tokens that clients with refresh tokens get, and a little. */
const ACCESS_TOKEN_MS = 301_000;

const ROOMS: readonly RoomUnderTest[] = [
  { id: "login" },
  { id: "basic" },
  { id: "wait", client: { login_timeout: USHER_LOGIN_TIMEOUT } },
  { id: "too-late" },
  { id: "back" },
  { id: "callback" },
  { id: "tabs", client: { remembered_logins: "many" } },
  { id: "new-tab" },
  { id: "older-first" },
  { id: "newer-first" },
  { id: "browse", client: { room: undefined, rooms: ["browse", "pay"] } },
  { id: "pay" },
  { id: "ended" },
  { id: "idle", settings: { when_idle: "pass_through" } },
  { id: "session" },
  { id: "no-refresh", client: { refresh_tokens: false } },
  { id: "logout" },
  { id: "unauthenticated" },
  { id: "silent" },
  { id: "claims" },
];

describe("AWS Application Load Balancer", () => {
  const ports = new Map<string, number>();
  const running: Alb[] = [];
  const started = useHttpsWorld([HOST], async () => {
    for (const { id } of ROOMS) ports.set(id, await freePort());
    return ROOMS.map((room) => ({ ...room, client: { ...describeClient(room.id), ...room.client } }));
  });
  afterEach(async () => {
    for (const alb of running.splice(0)) await alb.stop();
  });

  const uris = (room: string) => albUris(HOST, ports.get(room) ?? 0);
  const describeClient = (room: string) => ({
    profile: "alb",
    redirect_uris: [uris(room).redirectUri],
    post_logout_redirect_uris: [`${uris(room).origin}/goodbye`],
    // The profile's own: the root of the site.
    initiate_login_uri: uris(room).startUri,
    ...(room === "browse" && {
      login_timeout: USHER_LOGIN_TIMEOUT,
      initiate_login_uris: { pay: `${uris(room).origin}/pay` },
    }),
  });

  /** The load balancer of a room: `/goodbye` is open to everybody, the rest is behind the line. */
  async function balance(
    room: string,
    config: Partial<AuthenticateOidcConfig> = {},
    changes: Partial<AlbOptions> = {},
  ): Promise<Alb> {
    const { world, tls } = started();
    const authenticate = {
      issuer: world.issuer,
      authorizationEndpoint: `${world.issuer}/authorize`,
      tokenEndpoint: `${world.issuer}/token`,
      userInfoEndpoint: `${world.issuer}/userinfo`,
      clientId: clientId(room),
      clientSecret: clientSecret(room),
      ...config,
    };
    const rules = [{ pathPrefix: "/goodbye" }, { pathPrefix: "/", authenticate }];
    const http = world.http;
    const alb = await startAlb({ host: HOST, port: ports.get(room) ?? 0, tls, http, rules, ...changes });
    running.push(alb);
    return alb;
  }

  /** What the site behind the load balancer got. */
  const seenBySite = (page: Page) => page.json() as { path: string; headers: Record<string, string> };
  const claimsSeen = (alb: Alb, page: Page) => {
    const token = seenBySite(page).headers["x-amzn-oidc-data"] ?? "";
    const { kid } = JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()) as { kid: string };
    return verifyOidcData(token, alb.publicKey(kid) ?? "");
  };
  const pathsOf = (page: Page) => page.redirects.map(({ pathname }) => pathname);
  /** From the site's root to the site, by way of the line. */
  async function enter(room: string, alb: Alb, visitor: Visitor, path = "/"): Promise<Page> {
    await started().world.admin.increment(room, 1);
    const inside = await visitor.login(`${alb.origin}${path}`);
    expect(inside.status, alb.errorReasons.join()).toBe(200);
    return inside;
  }

  test("a visitor is parked, served, and in at the page they asked for, with their claims", async () => {
    const { world } = started();
    const alb = await balance("login");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${alb.origin}/cart?item=7&size=%C3%9F`);
    expect([parked.url.origin, parked.position]).toEqual([world.issuer, 1]);

    await world.admin.increment("login", 1);
    const inside = await visitor.waitInLine(parked);
    expect([inside.status, inside.url.href]).toEqual([200, `${alb.origin}/cart?item=7&size=%C3%9F`]);
    expect(pathsOf(inside)).toEqual(["/authorize", "/oauth2/idpresponse"]);
    const { headers } = seenBySite(inside);
    const { header, claims } = claimsSeen(alb, inside);
    expect(claims).toMatchObject({ room: "login", queue_position: 1, admitted_via: "queue" });
    expect(headers["x-amzn-oidc-identity"]).toBe(claims.sub);
    expect(headers["x-amzn-oidc-accesstoken"]).toMatch(/^[\w-]{20,64}$/);
    expect(header).toMatchObject({ alg: "ES256", iss: world.issuer, client: clientId("login") });
    expect(visitor.jar.refused).toEqual([]);
    const again = await visitor.navigate(`${alb.origin}/checkout`);
    expect([again.status, again.redirects]).toEqual([200, []]);
  });

  test("the authorization request is the one that the load balancer documents, and nothing more", async () => {
    const { world } = started();
    const alb = await balance("login", { authenticationRequestExtraParams: { display: "page" } });
    const answer = await world.http.get(`${alb.origin}/cart`);
    const request = new URL(answer.header("location") ?? "");
    expect([answer.status, `${request.origin}${request.pathname}`]).toEqual([302, `${world.issuer}/authorize`]);
    expect(Object.fromEntries(request.searchParams)).toEqual({
      client_id: clientId("login"),
      redirect_uri: uris("login").redirectUri,
      response_type: "code",
      scope: "openid",
      state: expect.stringMatching(/^[\w-]{100,}$/),
      display: "page",
    });
    expect(answer.setCookies).toEqual([expect.stringMatching(/^AWSALBAuthNonce=.*; Secure; HttpOnly; SameSite=None$/)]);
    expect((await world.visitor().navigate(request)).position).toBeGreaterThan(0);
  });

  test("the client secret may come in the header, too", async () => {
    const alb = await balance("basic", {}, { tokenAuthentication: "basic" });
    await enter("basic", alb, started().world.visitor());
  });

  test("a wait that is longer than the login timeout: the login starts afresh, and the place is kept", async () => {
    const { world } = started();
    const clock = createMovedClock(Date.now());
    const alb = await balance("wait", {}, { clock });
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${alb.origin}/`);
    await world.visitor().navigate(`${alb.origin}/`);
    await delay(WAIT_MS);
    clock.advance(LOGIN_TIMEOUT_MS + 1);
    await world.admin.increment("wait", 1);

    const inside = await visitor.waitInLine(parked);
    expect(inside.status, alb.errorReasons.join()).toBe(200);
    expect(claimsSeen(alb, inside).claims.queue_position).toBe(1);
    // The line, the site's root, a fresh request, and the only callback.
    expect(pathsOf(inside)).toEqual(["/authorize", "/", "/authorize", "/oauth2/idpresponse"]);
    expect(alb.errorReasons).toEqual([]);
  });

  test("without the restart the load balancer would end a wait of more than 15 minutes with 401", async () => {
    const { world } = started();
    const clock = createMovedClock(Date.now());
    const alb = await balance("too-late", {}, { clock });
    const [inTime, late] = [world.visitor(), world.visitor()];
    const parked = [await inTime.navigate(`${alb.origin}/`), await late.navigate(`${alb.origin}/`)] as const;
    await world.admin.increment("too-late", 2);
    clock.advance(LOGIN_TIMEOUT_MS);
    expect((await inTime.waitInLine(parked[0])).status).toBe(200);
    clock.advance(1);
    expect((await late.waitInLine(parked[1])).status).toBe(401);
    expect(alb.errorReasons).toEqual(["ClientLoginTimeout"]);
    // The site's own address still leads in, and the place was not lost.
    const inside = await late.navigate(`${alb.origin}/`);
    expect(claimsSeen(alb, inside).claims.queue_position).toBe(2);
  });

  test("the back button: the old authorization request leads in again", async () => {
    const { world } = started();
    const alb = await balance("back");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${alb.origin}/cart`);
    await world.admin.increment("back", 1);
    await visitor.waitInLine(parked);

    const back = await visitor.navigate(parked.url);
    expect([back.status, back.url.href]).toEqual([200, `${alb.origin}/`]);
    expect(pathsOf(back)).toEqual(["/authorize"]);
    // The load balancer's cookies are gone: a fresh login, by the same admission.
    for (const { name } of visitor.jar.all()) if (name.startsWith("AWS")) visitor.jar.delete(name);
    const afresh = await visitor.navigate(parked.url);
    expect(pathsOf(afresh)).toEqual(["/authorize", "/", "/authorize", "/oauth2/idpresponse"]);
    expect(claimsSeen(alb, afresh).claims.queue_position).toBe(1);
    expect(alb.errorReasons).toEqual([]);
  });

  test("the old callback again: the load balancer refuses it, and the visitor stays in", async () => {
    const { world } = started();
    const clock = createMovedClock(Date.now());
    const alb = await balance("callback", {}, { clock });
    const visitor = world.visitor();
    const inside = await enter("callback", alb, visitor);
    const { sub } = claimsSeen(alb, inside).claims;
    const callback = inside.redirects.find(({ pathname }) => pathname === "/oauth2/idpresponse");
    expect((await visitor.navigate(callback ?? "")).status).toBe(401);
    expect(alb.errorReasons).toEqual(["AuthInvalidGrantError"]);

    expect((await visitor.navigate(`${alb.origin}/`)).status).toBe(200);
    // A code that comes twice costs the tokens that came of it (RFC 6749 4.1.2), and no more than that.
    clock.advance(ACCESS_TOKEN_MS);
    const later = await visitor.navigate(`${alb.origin}/cart`);
    expect([later.status, later.url.pathname]).toEqual([200, "/cart"]);
    expect(claimsSeen(alb, later).claims).toMatchObject({ sub, queue_position: 1 });
  });

  test("where each tab's login is kept, a second tab has the same place, and both get in", async () => {
    const { world } = started();
    const alb = await balance("tabs");
    const visitor = world.visitor();
    const tabs = [await visitor.navigate(`${alb.origin}/one`), await visitor.navigate(`${alb.origin}/two`)];
    expect(tabs.map(({ position }) => position)).toEqual([1, 1]);
    await world.admin.increment("tabs", 1);
    const inside = [];
    for (const tab of tabs) inside.push(await visitor.waitInLine(tab));
    expect(inside.map(({ status, url }) => [status, url.pathname])).toEqual([
      [200, "/one"],
      [200, "/two"],
    ]);
    const subs = inside.map((page) => claimsSeen(alb, page).claims.sub);
    expect(subs[1]).toBe(subs[0]);
  });

  test("where a newer tab's login takes the older one's place, that tab gets in, and the site is open to both", async () => {
    const { world } = started();
    const alb = await balance("new-tab", {}, { nonce: "replaced" });
    const visitor = world.visitor();
    await visitor.navigate(`${alb.origin}/one`);
    const newer = await visitor.navigate(`${alb.origin}/two`);
    await world.admin.increment("new-tab", 1);
    const inside = await visitor.waitInLine(newer);
    expect([inside.status, inside.url.pathname]).toEqual([200, "/two"]);
    expect((await visitor.navigate(`${alb.origin}/one`)).status).toBe(200);
  });

  test.each([
    ["older-first", [0, 1]],
    ["newer-first", [1, 0]],
  ])(
    "where a newer tab's login takes the older one's place, both tabs get in, whichever is first: %s",
    async (room, order) => {
      const { world } = started();
      const alb = await balance(room, {}, { nonce: "replaced" });
      const visitor = world.visitor();
      const tabs = [await visitor.navigate(`${alb.origin}/one`), await visitor.navigate(`${alb.origin}/two`)];
      await world.admin.increment(room, 1);
      const inside: (readonly [number, string])[] = [];
      for (const index of order) {
        const { status, url } = await visitor.waitInLine(tabs[index] as Page);
        inside[index] = [status, url.pathname];
      }
      expect(alb.errorReasons).toEqual([]);
      // Whoever was overtaken starts at the site's root.
      expect(inside).toEqual([
        [200, "/"],
        [200, room === "newer-first" ? "/two" : "/"],
      ]);
    },
  );

  test("two rooms in sequence: the site's line, then the checkout's, each with a start of its own", async () => {
    const { world } = started();
    const config = {
      issuer: world.issuer,
      authorizationEndpoint: `${world.issuer}/authorize`,
      tokenEndpoint: `${world.issuer}/token`,
      userInfoEndpoint: `${world.issuer}/userinfo`,
      clientId: clientId("browse"),
      clientSecret: clientSecret("browse"),
    };
    const forPay = { sessionCookieName: "PayAuth", authenticationRequestExtraParams: { room: "pay" } };
    const rules = [
      { pathPrefix: "/pay", authenticate: { ...config, ...forPay } },
      { pathPrefix: "/", authenticate: config },
    ];
    const clock = createMovedClock(Date.now());
    const alb = await balance("browse", {}, { rules, clock });
    const visitor = world.visitor();
    const inside = await enter("browse", alb, visitor, "/cart");
    expect([inside.url.pathname, claimsSeen(alb, inside).claims.room]).toEqual(["/cart", "browse"]);

    const parked = await visitor.navigate(`${alb.origin}/pay/card`);
    expect([parked.url.origin, parked.position]).toEqual([world.issuer, 1]);
    expect((await visitor.navigate(`${alb.origin}/cart`)).redirects).toEqual([]);
    await delay(WAIT_MS);
    clock.advance(LOGIN_TIMEOUT_MS + 1);
    await world.admin.increment("pay", 1);
    const paying = await visitor.waitInLine(parked);
    expect([paying.status, paying.url.pathname], alb.errorReasons.join()).toEqual([200, "/pay"]);
    expect(pathsOf(paying)).toEqual(["/authorize", "/pay", "/authorize", "/oauth2/idpresponse"]);
    expect(claimsSeen(alb, paying).claims).toMatchObject({ room: "pay", queue_position: 1 });
    const back = await visitor.navigate(`${alb.origin}/cart`);
    expect([back.redirects, claimsSeen(alb, back).claims.room]).toEqual([[], "browse"]);
  });

  test("a session that the operator ends is over when the access token is: back in line", async () => {
    const { world } = started();
    const clock = createMovedClock(Date.now());
    const alb = await balance("ended", {}, { clock });
    const visitor = world.visitor();
    const inside = await enter("ended", alb, visitor);
    const { sub } = claimsSeen(alb, inside).claims;
    const accessToken = seenBySite(inside).headers["x-amzn-oidc-accesstoken"];

    clock.advance(ACCESS_TOKEN_MS);
    const refreshed = await visitor.navigate(`${alb.origin}/`);
    expect([refreshed.status, refreshed.redirects]).toEqual([200, []]);
    expect(claimsSeen(alb, refreshed).claims).toMatchObject({ sub, queue_position: 1 });
    expect(seenBySite(refreshed).headers["x-amzn-oidc-accesstoken"]).not.toBe(accessToken);

    const ended = await world.admin.request("PATCH", `/rooms/ended/admissions/${sub}`, { status: "completed" });
    expect(ended.json()).toMatchObject({ status: "completed" });
    expect((await visitor.navigate(`${alb.origin}/`)).status).toBe(200);
    clock.advance(ACCESS_TOKEN_MS);
    const parked = await visitor.navigate(`${alb.origin}/`);
    expect([parked.url.origin, parked.position]).toEqual([world.issuer, 2]);
    await world.admin.increment("ended", 1);
    const again = await visitor.waitInLine(parked);
    expect(claimsSeen(alb, again).claims).toMatchObject({ sub, queue_position: 2 });
  });

  test("who passed an idle room is sent into the line when that begins", async () => {
    const { world } = started();
    const clock = createMovedClock(Date.now());
    await world.admin.step("idle", "idle");
    const alb = await balance("idle", {}, { clock });
    const visitor = world.visitor();
    const inside = await visitor.navigate(`${alb.origin}/cart`);
    expect(claimsSeen(alb, inside).claims).toMatchObject({ admitted_via: "idle", queue_position: null });
    clock.advance(ACCESS_TOKEN_MS);
    expect((await visitor.navigate(`${alb.origin}/cart`)).redirects).toEqual([]);

    await world.admin.step("idle", "prequeue");
    clock.advance(ACCESS_TOKEN_MS);
    const parked = await visitor.navigate(`${alb.origin}/cart`);
    expect([parked.url.origin, parked.position, parked.state]).toEqual([world.issuer, 1, "entered"]);
    await world.admin.step("idle", "open");
    await world.admin.increment("idle", 1);
    const again = await visitor.waitInLine(parked);
    expect([again.status, again.url.pathname]).toEqual([200, "/cart"]);
    expect(claimsSeen(alb, again).claims).toMatchObject({ admitted_via: "queue", queue_position: 1 });
  });

  test("a session ends with its timeout, and a live admission renews it unseen", async () => {
    const { world } = started();
    const clock = createMovedClock(Date.now());
    const alb = await balance("session", { sessionTimeoutSec: 60 }, { clock });
    const visitor = world.visitor();
    const { sub } = claimsSeen(alb, await enter("session", alb, visitor)).claims;
    clock.advance(59_000);
    expect((await visitor.navigate(`${alb.origin}/`)).redirects).toEqual([]);
    clock.advance(1_000);
    const again = await visitor.navigate(`${alb.origin}/cart`);
    expect(pathsOf(again)).toEqual(["/cart", "/authorize", "/oauth2/idpresponse"]);
    expect(claimsSeen(alb, again).claims).toMatchObject({ sub, queue_position: 1 });
    // Nor is a cookie a session that the load balancer has not made.
    const cookie = visitor.cookie("AWSELBAuthSessionCookie-0");
    if (cookie !== undefined) visitor.jar.put({ ...cookie, value: `A${cookie.value.slice(1)}B` });
    expect(pathsOf(await visitor.navigate(`${alb.origin}/cart`))).toContain("/oauth2/idpresponse");
  });

  test("without a refresh token the session lasts until its timeout, whatever the operator says", async () => {
    const { world } = started();
    const clock = createMovedClock(Date.now());
    const alb = await balance("no-refresh", { sessionTimeoutSec: 7_200 }, { clock });
    const visitor = world.visitor();
    const { sub } = claimsSeen(alb, await enter("no-refresh", alb, visitor)).claims;
    await world.admin.request("PATCH", `/rooms/no-refresh/admissions/${sub}`, { status: "completed" });
    clock.advance(7_199_000);
    expect((await visitor.navigate(`${alb.origin}/`)).redirects).toEqual([]);
    clock.advance(1_000);
    expect((await visitor.navigate(`${alb.origin}/`)).position).toBe(2);
  });

  test("logout: the site ends the load balancer's session and sends the visitor to the provider's logout", async () => {
    const { world } = started();
    const { origin } = uris("logout");
    const alb = await balance(
      "logout",
      {},
      {
        target(request) {
          if (request.url.pathname !== "/logout") return { status: 200, body: "the site" };
          const location = new URL(`${world.issuer}/logout`);
          location.searchParams.set("client_id", clientId("logout"));
          location.searchParams.set("post_logout_redirect_uri", `${origin}/goodbye`);
          return { status: 302, headers: { location: location.href }, setCookies: expireSession(request) };
        },
      },
    );
    const visitor = world.visitor();
    await enter("logout", alb, visitor);
    const question = await visitor.navigate(`${origin}/logout`);
    expect(question.notice).toBe("logout_confirm");
    const goodbye = await submitForm(visitor, question);
    expect([goodbye.status, goodbye.url.href]).toEqual([200, `${origin}/goodbye`]);
    expect((await visitor.navigate(`${origin}/`)).position).toBe(2);
  });

  test("scripts of a page are refused or let pass without claims, and take no place", async () => {
    const { world } = started();
    const denying = await balance("unauthenticated", { onUnauthenticatedRequest: "deny" });
    expect((await world.visitor().fetch(`${denying.origin}/api`)).status).toBe(401);
    await denying.stop();

    const allowing = await balance("unauthenticated", { onUnauthenticatedRequest: "allow" });
    const forged = { headers: { "x-amzn-oidc-identity": "somebody" } };
    const seen = (await world.visitor().fetch(`${allowing.origin}/api`, forged)).json() as { headers: object };
    expect(Object.keys(seen.headers).filter((name) => name.startsWith("x-amzn-oidc"))).toEqual([]);
    expect((await world.http.get(`${world.issuer}/rooms/unauthenticated/status`)).json()).toMatchObject({ queued: 0 });
  });

  test("what the provider refuses ends in 561", async () => {
    const { world } = started();
    const alb = await balance("silent", { authenticationRequestExtraParams: { prompt: "none" } });
    const refused = await world.visitor().navigate(`${alb.origin}/`);
    expect(refused.status).toBe(561);
    expect(refused.url.searchParams.get("error")).toBe("login_required");
  });

  test("claims in shards: our own fit into one cookie, up to 11 kB into four, and more ends in 500", async () => {
    const { world } = started();
    const fatten = (bytes: number): AlbOptions["http"] => ({
      ...world.http,
      async get(url, headers) {
        const response = await world.http.get(url, headers);
        const claims = { ...(response.json() as object), filling: "x".repeat(bytes) };
        return { ...response, body: JSON.stringify(claims), json: () => claims };
      },
    });
    const visitor = world.visitor();
    const shards = () => visitor.jar.all().filter(({ name }) => name.startsWith("AWSELBAuthSessionCookie-")).length;
    const counts = [];
    for (const bytes of [0, 4_000, 10_000, 1]) {
      const alb = await balance("claims", {}, { http: fatten(bytes) });
      const page = await enter("claims", alb, visitor);
      expect((await visitor.navigate(page.url)).redirects).toEqual([]);
      counts.push(shards());
      await alb.stop();
    }
    expect(counts).toEqual([1, 2, 4, 1]);
    const alb = await balance("claims", {}, { http: fatten(11 * 1_024) });
    expect((await visitor.navigate(`${alb.origin}/`)).status).toBe(500);
  });

  test("the button of the waiting page leads into the site as the page's script does", async () => {
    const { world } = started();
    const alb = await balance("login");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${alb.origin}/cart`);
    await world.admin.increment("login", 10);
    const inside = await visitor.navigate(enterLink(parked), { from: parked.url });
    expect([inside.status, inside.url.pathname]).toEqual([200, "/cart"]);
  });
});
