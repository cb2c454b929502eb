// Long: a double of user pools, and nginx in front; apache.test.ts has the quick one of the relying parties.
/**
 * Whole journeys through an Amazon Cognito user pool: a double (test/support/cognito.ts) between the real gateway and
 * an app, which is a site on openid-client.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { PoolProvider } from "../../support/cognito/provider.ts";
import { startUserPool, type UserPool, type UserPoolOptions, userPoolUris } from "../../support/cognito.ts";
import { fetchBy } from "../../support/fetch-by.ts";
import { createMovedClock } from "../../support/moved-clock.ts";
import { freePort } from "../../support/ports.ts";
import { type OpenidClientSiteOptions, startOpenidClientSite } from "../../support/sites/openid-client.ts";
import { siteUris } from "../../support/sites/site.ts";
import type { Page } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { clientId, clientSecret, type RoomUnderTest } from "../world.ts";
import { useHttpsWorld } from "./https-world.ts";

const HOST = "login.example.test";
const PROVIDER = "Usher";
/** After so long the pool has forgotten a login: by its own clock, which a test moves. */
const REQUEST_TIMEOUT_MS = 5 * 60_000;
/** In place of the profile's 4.5 minutes, and a wait that is longer. */
const USHER_LOGIN_TIMEOUT = "1s";
const WAIT_MS = 1_100;
const MAPPING = { "custom:room": "room", "custom:position": "queue_position", "custom:via": "admitted_via" };

const ROOMS: readonly RoomUnderTest[] = [
  { id: "login" },
  { id: "users" },
  { id: "wait", client: { login_timeout: USHER_LOGIN_TIMEOUT } },
  { id: "too-late" },
  { id: "back" },
  { id: "tabs", client: { remembered_logins: "many" } },
  { id: "older-tab" },
  { id: "ended" },
  { id: "idle", settings: { when_idle: "pass_through" } },
  { id: "logout" },
  { id: "unwelcome" },
];

describe("Amazon Cognito", () => {
  const ports = new Map<string, { pool: number; app: number }>();
  const running: { stop(): Promise<void> }[] = [];
  const started = useHttpsWorld([HOST], async () => {
    for (const { id } of ROOMS) ports.set(id, { pool: await freePort(), app: await freePort() });
    return ROOMS.map((room) => ({ ...room, client: { ...describeClient(room.id), ...room.client } }));
  });
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });

  const pool = (room: string) => userPoolUris(HOST, ports.get(room)?.pool ?? 0);
  const app = (room: string) => siteUris(ports.get(room)?.app ?? 0);
  const describeClient = (room: string) => ({
    profile: "cognito",
    redirect_uris: [pool(room).redirectUri],
    post_logout_redirect_uris: [app(room).loggedOutUri],
    // The app's address: the pool cannot start a login by itself.
    initiate_login_uri: app(room).startUri,
  });

  /** The provider's own logout, which the app can have the pool redirect to. */
  function providerLogout(room: string): string {
    const url = new URL(`${started().world.issuer}/logout`);
    url.searchParams.set("client_id", clientId(room));
    url.searchParams.set("post_logout_redirect_uri", app(room).loggedOutUri);
    return url.href;
  }

  async function startPool(
    room: string,
    provider: Partial<PoolProvider> = {},
    changes: Partial<UserPoolOptions> = {},
  ): Promise<UserPool> {
    const { world, tls, port } = started();
    const userPool = await startUserPool({
      host: HOST,
      port: ports.get(room)?.pool ?? 0,
      tls,
      http: world.http,
      providerPorts: [port],
      provider: {
        name: PROVIDER,
        clientId: clientId(room),
        clientSecret: clientSecret(room),
        issuer: world.issuer,
        attributeMapping: MAPPING,
        ...provider,
      },
      app: {
        clientId: "the-app",
        clientSecret: "secret-of-the-app",
        callbackUrls: [app(room).redirectUri],
        logoutUrls: [providerLogout(room)],
      },
      ...changes,
    });
    running.push(userPool);
    return userPool;
  }

  /** An app that logs its users in by a pool, and only by its provider. */
  async function startApp(room: string, userPool: UserPool, changes: Partial<OpenidClientSiteOptions> = {}) {
    const site = await startOpenidClientSite({
      port: ports.get(room)?.app ?? 0,
      issuer: userPool.issuer,
      clientId: "the-app",
      clientSecret: "secret-of-the-app",
      fetch: fetchBy(started().world.http),
      authorizationParameters: { identity_provider: PROVIDER },
      ...changes,
    });
    running.push(site);
    return site;
  }

  /** The pool of a room and the app behind it. */
  async function federate(room: string, changes: Partial<UserPoolOptions> = {}) {
    const userPool = await startPool(room, {}, changes);
    return { userPool, origin: (await startApp(room, userPool)).origin };
  }

  const claimsIn = (page: Page) => {
    expect(page.status, `${page.url} ${page.body.slice(0, 500)}`).toBe(200);
    return (page.json() as { claims: Record<string, unknown> }).claims;
  };
  const pathsOf = (page: Page) => page.redirects.map(({ pathname }) => pathname);

  test("a visitor is parked, served, and in at the page of the app that they asked for, with mapped attributes", async () => {
    const { world } = started();
    const { userPool, origin } = await federate("login");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/cart?item=7`);
    expect([parked.url.origin, parked.position]).toEqual([world.issuer, 1]);
    expect(Object.fromEntries(parked.url.searchParams)).toEqual({
      client_id: clientId("login"),
      redirect_uri: pool("login").redirectUri,
      scope: "openid",
      response_type: "code",
      state: expect.any(String),
    });

    await world.admin.increment("login", 1);
    const inside = await visitor.waitInLine(parked);
    expect(inside.url.href).toBe(`${origin}/cart?item=7`);
    expect(pathsOf(inside)).toEqual(["/authorize", "/oauth2/idpresponse", "/callback"]);
    expect(claimsIn(inside)).toMatchObject({
      iss: userPool.issuer,
      "cognito:username": expect.stringMatching(/^Usher_login\.[\w-]{1,58}$/),
      "custom:room": "login",
      "custom:position": "1",
      "custom:via": "queue",
    });
    expect(visitor.jar.refused).toEqual([]);
  });

  test("a visitor is one user of the pool, however often they come, and whichever way attributes are asked for", async () => {
    const { world } = started();
    await world.admin.increment("users", 2);
    const visitor = world.visitor();
    const usernames = new Set<string>();
    for (const attributesRequestMethod of ["GET", "POST"] as const) {
      const userPool = await startPool("users", { attributesRequestMethod });
      const { origin, stop } = await startApp("users", userPool);
      for (let login = 0; login < 2; login++) {
        visitor.jar.delete("connect.sid");
        claimsIn(await visitor.login(`${origin}/`));
      }
      expect(userPool.users()).toHaveLength(1);
      for (const { username } of userPool.users()) usernames.add(username);
      await Promise.all([userPool.stop(), stop()]);
    }
    const { userPool, origin } = await federate("users");
    visitor.jar.delete("connect.sid");
    for (const each of [visitor, world.visitor()]) claimsIn(await each.login(`${origin}/`));
    expect(userPool.users()).toHaveLength(2);
    const [sub = ""] = [...usernames].map((username) => username.slice(`${PROVIDER}_`.length));
    expect([usernames.size, usernames.has(userPool.users()[0]?.username ?? "")]).toEqual([1, true]);
    expect(sub.length).toBeLessThanOrEqual(64);
  });

  test("a wait that is longer than the pool's 5 minutes: the app starts the login afresh, and the place is kept", async () => {
    const { world } = started();
    const clock = createMovedClock(Date.now());
    const { origin } = await federate("wait", { clock });
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/`);
    await world.visitor().navigate(`${origin}/`);
    await delay(WAIT_MS);
    clock.advance(REQUEST_TIMEOUT_MS + 1);
    await world.admin.increment("wait", 1);

    const inside = await visitor.waitInLine(parked);
    expect(claimsIn(inside)["custom:position"]).toBe("1");
    // The line, the app, the pool, a fresh request, and the only callbacks.
    const way = ["/authorize", "/", "/oauth2/authorize", "/authorize", "/oauth2/idpresponse", "/callback"];
    expect(pathsOf(inside)).toEqual(way);
  });

  test("without the restart the pool would end a wait of more than 5 minutes with an error page", async () => {
    const { world } = started();
    const clock = createMovedClock(Date.now());
    const { origin } = await federate("too-late", { clock });
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/`);
    await world.admin.increment("too-late", 1);
    clock.advance(REQUEST_TIMEOUT_MS + 1);
    const late = await visitor.waitInLine(parked);
    expect([late.url.href, late.body]).toEqual([`${pool("too-late").origin}/error`, "Something went wrong"]);
    // The app's own address still leads in, and the place was not lost.
    expect(claimsIn(await visitor.navigate(`${origin}/`))["custom:position"]).toBe("1");
  });

  test("the back button: the old request leads in again, and the old callbacks leave the visitor in", async () => {
    const { world } = started();
    const { origin } = await federate("back");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/cart`);
    await world.admin.increment("back", 1);
    const inside = await visitor.waitInLine(parked);
    const { sub } = claimsIn(inside);

    const back = await visitor.navigate(parked.url);
    expect([pathsOf(back), claimsIn(back).sub]).toEqual([["/authorize"], sub]);
    for (const path of ["/oauth2/idpresponse", "/callback"]) {
      const callback = inside.redirects.find(({ pathname }) => pathname === path);
      expect((await visitor.navigate(callback ?? "")).status).toBe(400);
      expect(claimsIn(await visitor.navigate(`${origin}/cart`)).sub).toBe(sub);
    }
    // The app has forgotten the visitor: a fresh login, by the same admission.
    visitor.jar.delete("connect.sid");
    const afresh = await visitor.navigate(`${origin}/cart`);
    expect(claimsIn(afresh)).toMatchObject({ sub, "custom:position": "1" });
  });

  test("of two tabs the older one starts afresh at the app, since a pool may have forgotten its login", async () => {
    const { world } = started();
    const { origin } = await federate("older-tab");
    const visitor = world.visitor();
    const older = await visitor.navigate(`${origin}/one`);
    const newer = await visitor.navigate(`${origin}/two`);
    await world.admin.increment("older-tab", 1);
    const inOlderTab = await visitor.waitInLine(older);
    expect([inOlderTab.status, inOlderTab.url.pathname]).toEqual([200, "/"]);
    const inNewerTab = await visitor.waitInLine(newer);
    expect([inNewerTab.status, inNewerTab.url.pathname]).toEqual([200, "/"]);
  });

  test("where each tab's login is kept, a second tab has the same place, and both get in", async () => {
    const { world } = started();
    const { userPool, origin } = await federate("tabs");
    const visitor = world.visitor();
    const tabs = [await visitor.navigate(`${origin}/one`), await visitor.navigate(`${origin}/two`)];
    expect(tabs.map(({ position }) => position)).toEqual([1, 1]);
    await world.admin.increment("tabs", 1);
    const inside = [];
    for (const tab of tabs) inside.push(await visitor.waitInLine(tab));
    expect(inside.map(({ url }) => url.pathname)).toEqual(["/one", "/two"]);
    expect(inside.map((page) => claimsIn(page)["custom:position"])).toEqual(["1", "1"]);
    expect(userPool.users()).toHaveLength(1);
  });

  test("a session that the operator ends stands at the app until the app asks anew: then back in line", async () => {
    const { world } = started();
    const { userPool, origin } = await federate("ended");
    const visitor = world.visitor();
    await world.admin.increment("ended", 1);
    const { identities } = claimsIn(await visitor.login(`${origin}/`)) as { identities: { userId: string }[] };
    const sub = identities[0]?.userId;
    const ended = await world.admin.request("PATCH", `/rooms/ended/admissions/${sub}`, { status: "completed" });
    expect(ended.json()).toMatchObject({ status: "completed" });
    claimsIn(await visitor.navigate(`${origin}/`));

    visitor.jar.delete("connect.sid");
    const parked = await visitor.navigate(`${origin}/cart`);
    expect([parked.url.origin, parked.position]).toEqual([world.issuer, 2]);
    await world.admin.increment("ended", 1);
    expect(claimsIn(await visitor.waitInLine(parked))["custom:position"]).toBe("2");
    // The same user, with attributes that were updated.
    expect(userPool.users()).toMatchObject([{ attributes: { "custom:position": "2" } }]);
  });

  test("who passed an idle room is sent into the line at the first login after that begins", async () => {
    const { world } = started();
    await world.admin.step("idle", "idle");
    const { userPool, origin } = await federate("idle");
    const visitor = world.visitor();
    expect(claimsIn(await visitor.navigate(`${origin}/`))["custom:via"]).toBe("idle");
    // There is no position, so the pool's user has no such attribute.
    expect(userPool.users()[0]?.attributes).toEqual({ "custom:room": "idle", "custom:via": "idle" });

    await world.admin.step("idle", "prequeue");
    visitor.jar.delete("connect.sid");
    const parked = await visitor.navigate(`${origin}/`);
    expect([parked.position, parked.state]).toEqual([1, "entered"]);
    await world.admin.step("idle", "open");
    await world.admin.increment("idle", 1);
    const inside = claimsIn(await visitor.waitInLine(parked));
    expect(inside).toMatchObject({ "custom:via": "queue", "custom:position": "1" });
  });

  test("logout: from the app by the pool to the provider, and back to the app", async () => {
    const { world } = started();
    const userPool = await startPool("logout");
    const logoutUrl = new URL(pool("logout").logoutUri);
    logoutUrl.searchParams.set("client_id", "the-app");
    logoutUrl.searchParams.set("logout_uri", providerLogout("logout"));
    const { origin } = await startApp("logout", userPool, { logoutUrl: logoutUrl.href });
    const visitor = world.visitor();
    await world.admin.increment("logout", 1);
    claimsIn(await visitor.login(`${origin}/`));

    const question = await visitor.navigate(app("logout").logoutUri);
    expect([pathsOf(question), question.notice]).toEqual([["/logout", "/logout"], "logout_confirm"]);
    const goodbye = await submitForm(visitor, question);
    expect([goodbye.status, goodbye.url.href]).toEqual([200, app("logout").loggedOutUri]);
    expect((await visitor.navigate(`${origin}/`)).position).toBe(2);
  });

  test("a pool takes the provider as it is, and no other", async () => {
    const { world, port } = started();
    await expect(startPool("unwelcome", { issuer: `${world.issuer}/` })).rejects.toThrow("refuses");
    await expect(startPool("unwelcome", { scopes: "profile" })).rejects.toThrow("openid is required");
    await expect(startPool("unwelcome", {}, { providerPorts: [] })).rejects.toThrow(`at port ${port}`);
    const userPool = await startPool("unwelcome", { clientSecret: "not the secret" });
    const { origin } = await startApp("unwelcome", userPool);
    await world.admin.increment("unwelcome", 1);
    const refused = await world.visitor().login(`${origin}/`);
    expect(refused.url.searchParams.get("error_description")).toMatch(/^Usher Error - 401 invalid_client /);
  });
});
