// Long: what else is true of logins before a place; identity.test.ts has the main paths and refusals.
import { describe, expect, test } from "vitest";
import { startPeopleProvider } from "../../support/people-provider.ts";
import type { Visitor } from "../../support/visitor.ts";
import { clientId, loggedOutUri } from "../world.ts";
import { useIdentity } from "./identity-world.ts";

const {
  world,
  database,
  provider,
  issuer,
  providerAway,
  callbackOf,
  is,
  isAtProvider,
  startOf,
  open,
  openAs,
  untilCallback,
  buttonOf,
  join,
} = await useIdentity();

test("people take their places, which the last test looks for", async () => {
  const positions = [];
  for (const sub of ["ann", "bob", "carl"]) positions.push((await openAs(sub, "people")).position);
  expect(positions).toEqual([1, 2, 3]);
});

describe("a room whose visitors sign in first", () => {
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
    expect(text).toMatch(new RegExp(`usher_visitor_sign_ins_total\\{room="tabs",outcome="${outcome}"\\} [1-9]`));
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

test("each person has the same place after all gateways were restarted and the store was emptied", async () => {
  for (const gateway of world().gateways) await gateway.halt();
  await database().reset();
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
