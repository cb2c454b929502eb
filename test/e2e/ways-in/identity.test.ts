/** A real login first: the main paths, and answers that nobody has asked for; what else is true is in the long test beside it. */
import { describe, expect, test } from "vitest";
import type { Visitor } from "../../support/visitor.ts";
import { redirectUri } from "../world.ts";
import { useIdentity } from "./identity-world.ts";

const { world, provider, issuer, is, isOutside, startOf, open, openAs, untilCallback, buttonOf, storedTexts, join } =
  await useIdentity();

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
    expect([p, q].toSorted()).toEqual([1, 2]);
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
});
