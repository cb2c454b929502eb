/**
 * A real login first: visitors sign in at the organisation's provider, a real one, by redirects alone; each person has one place, at two
 * gateways, in several browsers at once; what the provider says of them goes on to the site; and no answer of a provider counts that this
 * browser has not asked for.
 */
import { afterAll, describe, expect, test } from "vitest";
import { CLIENT, type PeopleProvider, startPeopleProvider } from "../../support/people-provider.ts";
import { freePort } from "../../support/ports.ts";
import { attribute, type Page, type Visitor } from "../../support/visitor.ts";
import { ownRedis } from "../redis-store.ts";
import { clientId, loggedOutUri, redirectUri, useWorld } from "../world.ts";

const rooms = ["shop", "people", "tabs", "forged", "away", "silent", "pass", "out", "large", "same", "busy", "tokens"];
const ports = [await freePort(), await freePort()];
const issuer = `http://localhost:${ports[0]}`;
const callbackOf = (room: string) => `${issuer}/rooms/${room}/identity/callback`;
const provider: PeopleProvider = await startPeopleProvider([], rooms.map(callbackOf));
const providerAway = `http://localhost:${await freePort()}`;
const target = "https://shop.example.test/";

const redis = ownRedis();
const { store } = redis;
const world = useWorld(() => ({
  asProcess: true,
  store,
  ports,
  gateways: 2,
  config: { listen: { trusted_proxies: ["127.0.0.1", "::1"] } },
  rooms: rooms.map((id) => ({
    id,
    settings: {
      targets: [target],
      identity: {
        issuer: id === "away" ? providerAway : provider.issuer,
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        claims: ["email", "email_verified", "groups", "name"],
      },
    },
    client: { claims: ["email", "email_verified"], refresh_tokens: true },
  })),
}));
const secrets: string[] = ["@people.example.com", "of-the-vip-club"];

afterAll(async () => {
  await provider.stop();
  for (const gateway of world().gateways) {
    expect(gateway.output()).not.toMatch(/uncaught|unhandled/i);
    for (const secret of secrets) expect(gateway.output()).not.toContain(secret);
  }
});

const is = (sub: string, claims: Record<string, unknown> = {}) => {
  provider.person = { sub, claims: { email: `${sub}@people.example.com`, email_verified: true, ...claims } };
};
const isOutside = (location: URL) => location.origin !== issuer && location.origin !== provider.issuer;
const isAtProvider = (location: URL) => location.origin === provider.issuer;
const isCallback = (location: URL) => location.pathname.endsWith("/identity/callback");
const startOf = (room: string) => world().relyingParty(room).startLogin();
const open = (visitor: Visitor, url: string | URL) => visitor.navigate(url, { stopAt: isOutside });
/** Opens a login as this person, in a browser of theirs. */
async function openAs(sub: string, room: string, visitor = world().visitor()): Promise<Page> {
  is(sub);
  return open(visitor, startOf(room).url);
}
/** To where the provider sends the browser back, which it does not follow. */
async function untilCallback(visitor: Visitor, room: string): Promise<URL> {
  const page = await visitor.navigate(startOf(room).url, { stopAt: isCallback });
  if (page.location === undefined) throw new Error(`no callback: ${page.status} ${page.url}`);
  return page.location;
}
/** Where the page's button leads. */
function buttonOf(page: Page): URL {
  const link = page.body.match(/<a\b[^>]*class="button[^>]*>/)?.[0] ?? "";
  return new URL(attribute(link, "href") ?? "", page.url);
}
/** All that Redis keeps in texts and hashes, in one text. */
async function storedTexts(): Promise<string> {
  const ask = async (name: string, ...args: string[]) => redis.server().command(name, ...args);
  const keys = (await ask("KEYS", "*")) as string[];
  const readers: Record<string, string> = { string: "GET", hash: "HGETALL" };
  const texts = await Promise.all(
    keys.map(async (key) => {
      const reader = readers[String(await ask("TYPE", key))];
      return reader === undefined ? "" : String(await ask(reader, key));
    }),
  );
  return texts.join("\n");
}
const join = (room: string, gateway = 0, cookie = "") =>
  world().http.request(`${world().gateways[gateway]?.origin}/rooms/${room}/tickets`, {
    method: "POST",
    ...(cookie !== "" && { headers: { cookie } }),
  });

describe("a room whose visitors sign in first", () => {
  test("leads them to the provider and back to their own login, with what goes on in ID token and userinfo", async () => {
    is("ann", { groups: ["of-the-vip-club"], name: "Ann", realm_access: { roles: ["stays"] } });
    const visitor = world().visitor();
    const login = startOf("shop");
    const parked = await open(visitor, login.url);
    expect([parked.status, parked.position, parked.url.search]).toEqual([200, 1, login.url.search]);
    expect(parked.redirects.map(({ origin }) => origin)).toContain(provider.issuer);
    await world().admin.increment("shop", 1);
    const back = await visitor.waitInLine(parked, { stopAt: isOutside });
    const party = world().relyingParty("shop");
    const tokens = await party.finishLogin(back, login);
    const given = {
      email: "ann@people.example.com",
      email_verified: true,
      groups: ["of-the-vip-club"],
      name: "Ann",
      room: "shop",
      queue_position: 1,
    };
    expect(tokens.claims).toMatchObject(given);
    expect(tokens.claims.sub).toMatch(/^shop\.[\w-]{22}$/);
    expect(tokens.claims).not.toHaveProperty("realm_access");
    expect((await party.userinfo(tokens.accessToken)).json()).toMatchObject({ ...given, sub: tokens.claims.sub });
    const refreshed = (await party.refresh(tokens.refreshToken ?? "")).json() as { access_token: string };
    expect((await party.userinfo(refreshed.access_token)).json()).toMatchObject(given);
    // What the store has of it is encrypted.
    const texts = await storedTexts();
    expect(texts).toContain("identity");
    expect(texts).not.toContain("people.example.com");
  });

  test("gives each person one place, in each browser, and two in one browser their own", async () => {
    expect((await openAs("ann", "people")).position).toBe(1);
    expect((await openAs("bob", "people")).position).toBe(2);
    const shared = world().visitor();
    expect((await openAs("ann", "people", shared)).position).toBe(1);
    is("carl");
    for (const { name } of shared.jar.all()) if (!name.startsWith("usher")) shared.jar.delete(name);
    const again = await open(shared, `${issuer}/rooms/people/identity/start`);
    expect([again.status, again.position]).toEqual([200, 3]);
    expect((await openAs("bob", "people")).position).toBe(2);
  });

  test("keeps the sign-ins of several tabs apart, in whatever order they end", async () => {
    is("tim");
    const visitor = world().visitor();
    const [first, second] = [startOf("tabs"), startOf("tabs")];
    const begun = [];
    for (const { url } of [first, second]) {
      const page = await visitor.navigate(url, { stopAt: isAtProvider });
      begun.push(page.location ?? fail("is not led to the provider"));
    }
    const ends = [];
    for (const url of begun.toReversed()) ends.push(await open(visitor, url));
    expect(ends.map(({ position, url }) => [position, url.search])).toEqual([
      [1, second.url.search],
      [1, first.url.search],
    ]);
  });

  test("answers apps with the address to open, and gives a browser that has signed in its place", async () => {
    const answer = await join("same");
    expect([answer.status, answer.json()]).toEqual([
      403,
      expect.objectContaining({ error: "sign_in_required", sign_in: `${issuer}/rooms/same/identity/start` }),
    ]);
    is("app");
    const visitor = world().visitor();
    const page = await open(visitor, (answer.json() as { sign_in: string }).sign_in);
    expect([page.position, page.url.pathname]).toEqual([1, "/rooms/same/enter"]);
    const key = visitor.cookie("usher-same.key");
    const own = await join("same", 1, `usher-same.key=${key?.value}`);
    expect([own.status, own.json()]).toEqual([201, expect.objectContaining({ position: 1 })]);
    const elsewhere = await join("people", 0, `usher-people.key=${key?.value}`);
    expect(elsewhere.status).toBe(403);
  });

  test("gives a token for a ticket to the person alone", async () => {
    const exchange = (ticket: string, cookie = "") =>
      world().http.request(`${issuer}/rooms/tokens/tickets/me/token`, {
        method: "POST",
        headers: { authorization: `Bearer ${ticket}`, ...(cookie !== "" && { cookie }) },
      });
    const cookieOf = (visitor: Visitor) =>
      ["key", "identity"]
        .map((name) => `usher-tokens.${name}=${visitor.cookie(`usher-tokens.${name}`)?.value}`)
        .join("; ");
    const refused = [403, expect.objectContaining({ error: "sign_in_required", sign_in: expect.any(String) })];
    const [ann, bob] = [world().visitor(), world().visitor()];
    expect((await openAs("ann", "tokens", ann)).position).toBe(1);
    expect((await openAs("bob", "tokens", bob)).position).toBe(2);
    const ticket = ann.cookie("usher-tokens")?.value ?? "";
    await world().admin.increment("tokens", 1);
    await expect.poll(async () => (await exchange(ticket)).status).not.toBe(202);
    for (const answer of [await exchange(ticket), await exchange(ticket, cookieOf(bob))]) {
      expect([answer.status, answer.json()]).toEqual(refused);
    }
    const given = await exchange(ticket, cookieOf(ann));
    expect([given.status, given.json()]).toEqual([200, expect.objectContaining({ token: expect.any(String) })]);
  });

  test("gives the same person one place at two gateways at the same instant", async () => {
    const cookies = [];
    for (const sub of ["p", "q", "p", "q"]) {
      is(sub);
      const visitor = world().visitor();
      const back = await visitor.navigate(await untilCallback(visitor, "same"), { stopAt: () => true });
      expect(back.location?.pathname).toBe("/authorize");
      cookies.push(`usher-same.key=${visitor.cookie("usher-same.key")?.value}`);
    }
    const asked = cookies.flatMap((cookie) => [join("same", 0, cookie), join("same", 1, cookie)]);
    const positions = (await Promise.all(asked)).map((answer) => (answer.json() as { position: number }).position);
    const [p, , q] = positions;
    expect(positions).toEqual([p, p, q, q, p, p, q, q]);
    expect([p, q].toSorted()).toEqual([2, 3]);
  });

  test("never leads away silently, and says then that nobody is logged in", async () => {
    const page = await open(world().visitor(), world().relyingParty("silent").startLogin({ prompt: "none" }).url);
    expect(page.location?.href).toContain(redirectUri("silent"));
    expect(page.location?.searchParams.get("error")).toBe("login_required");
    const visitor = world().visitor();
    is("sim");
    await open(visitor, startOf("silent").url);
    await world().admin.increment("silent", 1);
    for (const name of ["key", "identity"]) visitor.jar.delete(`usher-silent.${name}`);
    const silent = await open(visitor, world().relyingParty("silent").startLogin({ prompt: "none" }).url);
    expect(silent.location?.searchParams.get("error")).toBe("login_required");
    // With a page, they are led to the provider once more, and enter as the same.
    const login = startOf("silent");
    const tokens = await world()
      .relyingParty("silent")
      .finishLogin(await open(visitor, login.url), login);
    expect(tokens.claims).toMatchObject({ queue_position: 1, email: "sim@people.example.com" });
  });

  test("lets people sign in where nobody waits, too, and they are the same in each browser", async () => {
    await world().admin.step("pass", "passthrough");
    const subs = [];
    for (const visitor of [world().visitor(), world().visitor()]) {
      is("pat");
      const login = startOf("pass");
      const page = await open(visitor, login.url);
      expect(page.redirects.map(({ origin }) => origin)).toContain(provider.issuer);
      const tokens = await world().relyingParty("pass").finishLogin(page, login);
      expect(tokens.claims).toMatchObject({ queue_position: null, email: "pat@people.example.com" });
      subs.push(tokens.claims.sub);
    }
    expect(subs[0]).toBe(subs[1]);
  });

  test("gives apps no admission where nobody waits, but to somebody who has signed in", async () => {
    await world().admin.step("pass", "passthrough");
    const refused = await join("pass");
    expect([refused.status, (refused.json() as { error?: string }).error]).toEqual([403, "sign_in_required"]);
    is("pia");
    const visitor = world().visitor();
    await open(visitor, startOf("pass").url);
    const key = visitor.cookie("usher-pass.key")?.value;
    const { ticket } = (await join("pass", 1, `usher-pass.key=${key}`)).json() as { ticket: string };
    const url = `${issuer}/rooms/pass/tickets/me/token`;
    const exchange = async (cookie: string) => {
      const headers = { authorization: `Bearer ${ticket}`, cookie };
      return (await world().http.request(url, { method: "POST", headers })).status;
    };
    const cookies = ["key", "identity"].map(
      (name) => `usher-pass.${name}=${visitor.cookie(`usher-pass.${name}`)?.value}`,
    );
    expect([await exchange(""), await exchange(cookies.join("; "))]).toEqual([403, 200]);
  });

  test("takes what is said of one person for nobody else", async () => {
    const [one, other] = [world().visitor(), world().visitor()];
    for (const [sub, visitor] of [
      ["una", one],
      ["otto", other],
    ] as const)
      await openAs(sub, "pass", visitor);
    const theirs = other.cookie("usher-pass.identity");
    const own = one.cookie("usher-pass.identity");
    if (theirs === undefined || own === undefined) throw new Error("nobody has signed in");
    one.jar.put({ ...own, value: theirs.value });
    is("una");
    const login = startOf("pass");
    const page = await open(one, login.url);
    expect(page.redirects.map(({ origin }) => origin)).toContain(provider.issuer);
    const { claims } = await world().relyingParty("pass").finishLogin(page, login);
    expect(claims.email).toBe("una@people.example.com");
  });

  test("asks who it is again after a logout", async () => {
    await world().admin.step("out", "passthrough");
    is("olga");
    const visitor = world().visitor();
    const login = startOf("out");
    const { idToken } = await world()
      .relyingParty("out")
      .finishLogin(await open(visitor, login.url), login);
    const logout = new URL(`${issuer}/logout`);
    logout.search = String(
      new URLSearchParams({
        id_token_hint: idToken,
        client_id: clientId("out"),
        post_logout_redirect_uri: loggedOutUri("out"),
      }),
    );
    expect((await open(visitor, logout)).location?.href).toContain(loggedOutUri("out"));
    const names = visitor.jar.all().map(({ name }) => name);
    expect(names).not.toContain("usher-out.key");
    expect(names).not.toContain("usher-out.identity");
    expect((await open(visitor, startOf("out").url)).redirects.map(({ origin }) => origin)).toContain(provider.issuer);
  });

  test("leaves out what is too large, and says so in the log by name alone", async () => {
    is("lou", { groups: Array.from({ length: 300 }, (_, index) => `of-the-vip-club-${index}`), name: "Lou" });
    await world().admin.step("large", "passthrough");
    const login = startOf("large");
    const page = await open(world().visitor(), login.url);
    const { claims } = await world().relyingParty("large").finishLogin(page, login);
    expect(claims).toMatchObject({ name: "Lou", email: "lou@people.example.com" });
    expect(claims).not.toHaveProperty("groups");
    await expect.poll(() => world().gateways[0]?.output()).toMatch(/"identity\.claims_dropped".*"claims":\["groups"\]/);
  });
});

test("sign-ins are counted by what became of them", async () => {
  const text = await (await fetch(`${world().gateways[0]?.origin}/metrics`)).text();
  for (const outcome of ["begun", "signed_in"]) {
    expect(text).toMatch(new RegExp(`usher_visitor_sign_ins_total\\{room="people",outcome="${outcome}"\\} [1-9]`));
  }
});

test("an address exchanges no more codes at the provider than may join from it, and no other waits for it", async () => {
  await world().admin.change("busy", { joins_per_address: { per_minute: 1, burst: 2 } });
  const from = (address: string) => world().visitor({ headers: { "x-forwarded-for": address } });
  const statuses = [];
  for (const _ of [1, 2, 3]) statuses.push((await openAs("liz", "busy", from("203.0.113.9"))).status);
  expect(statuses).toEqual([200, 200, 503]);
  expect((await openAs("liz", "busy", from("203.0.113.10"))).position).toBe(1);
  const ranges = [{ range: "198.51.100.0/24", limit: "off" }];
  await world().admin.change("busy", { joins_per_address: { per_minute: 1, burst: 2, ranges } });
  for (const _ of [1, 2, 3]) expect((await openAs("liz", "busy", from("198.51.100.9"))).position).toBe(1);
});

describe("an answer that nobody here has asked for", () => {
  const refused = async (visitor: Visitor, url: URL) => {
    const page = await open(visitor, url);
    expect([page.status, page.notice]).toEqual([403, "sign_in_failed"]);
    expect(visitor.cookie("usher-forged.key")).toBeUndefined();
    return page;
  };

  test("has a state that was made up, or is another browser's, or was used", async () => {
    is("mia");
    const [mine, theirs] = [world().visitor(), world().visitor()];
    const url = await untilCallback(mine, "forged");
    await refused(theirs, url);
    const forged = new URL(url);
    forged.searchParams.set("state", "x".repeat(43));
    await refused(mine, forged);
    forged.searchParams.delete("state");
    await refused(mine, forged);
    expect((await open(mine, url)).position).toEqual(expect.any(Number));
    const used = await open(mine, url);
    expect([used.status, used.notice]).toEqual([403, "sign_in_failed"]);
    expect((await open(mine, buttonOf(used))).position).toEqual(expect.any(Number));
  });

  test("has another person's code, or a code with another nonce", async () => {
    is("max");
    const [victim, attacker] = [world().visitor(), world().visitor()];
    const stolen = await untilCallback(victim, "forged");
    const own = await untilCallback(attacker, "forged");
    own.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    await refused(attacker, own);
    const visitor = world().visitor();
    const begun = (await visitor.navigate(startOf("forged").url, { stopAt: isAtProvider })).location;
    if (begun === undefined) throw new Error("is not led to the provider");
    begun.searchParams.set("nonce", "another-nonce-0123456789");
    await refused(visitor, begun);
  });

  test("leads nowhere but to the room's own ways in", async () => {
    for (const returnTo of [
      "https://evil.example/",
      "//evil.example/",
      "/rooms/other/enter",
      "/admin",
      "/rooms/forged/leave",
    ]) {
      const url = `${issuer}/rooms/forged/identity/start?return=${encodeURIComponent(returnTo)}`;
      expect((await open(world().visitor(), url)).status).toBe(400);
    }
    const none = await world().http.get(`${issuer}/rooms/forged/identity/callback?state=x`, {
      accept: "application/json",
    });
    expect([none.status, none.json()]).toEqual([403, expect.objectContaining({ error: "sign_in_failed" })]);
  });
});

describe("a sign-in that does not come about", () => {
  test("is told on a page with a button that leads to the same login", async () => {
    provider.refusal = "access_denied";
    const visitor = world().visitor();
    is("dan");
    const login = startOf("shop");
    const page = await open(visitor, login.url).finally(() => {
      provider.refusal = null;
    });
    expect([page.status, page.notice]).toEqual([403, "sign_in_failed"]);
    expect(page.body).not.toContain("words of the provider");
    const parked = await open(visitor, buttonOf(page));
    expect([parked.position, parked.url.search]).toEqual([expect.any(Number), login.url.search]);
  });

  test("is told while the provider is away, and works as soon as it is back", async () => {
    is("eva");
    const visitor = world().visitor();
    const login = startOf("away");
    const page = await open(visitor, login.url);
    expect([page.status, page.notice]).toEqual([503, "provider_unavailable"]);
    await expect.poll(() => world().gateways[0]?.output()).toContain('"identity.unavailable"');
    const back = await startPeopleProvider([], [callbackOf("away")], Number(new URL(providerAway).port));
    try {
      back.person = { sub: "eva", claims: {} };
      const parked = await visitor.navigate(buttonOf(page));
      expect([parked.position, parked.url.search]).toEqual([1, login.url.search]);
    } finally {
      await back.stop();
    }
  });
});

test("each person has the same place after all gateways were killed and the store was emptied", async () => {
  for (const gateway of world().gateways) await gateway.kill();
  await redis.server().command("FLUSHALL");
  for (const gateway of world().gateways) await gateway.start();
  for (const gateway of world().gateways) await gateway.waitUntilReady();
  const placeOf = (sub: string) => expect.poll(async () => (await openAs(sub, "people")).position, { timeout: 30_000 });
  await placeOf("bob").toBe(2);
  await placeOf("carl").toBe(3);
  await placeOf("ann").toBe(1);
  await placeOf("dora").toBeGreaterThan(3);
});

function fail(message: string): never {
  throw new Error(message);
}
