import { expect, test } from "vitest";
import type { LoginRequest } from "../../support/relying-party.ts";
import { attribute, type Visitor } from "../../support/visitor.ts";
import { initiateLoginUri, type World } from "../world.ts";

const LOGIN_TIMEOUT_MS = 1_000;

export const restartRooms = ["answered", "anew", "tabs", "button"].map((id) => ({ id }));
export const forgottenRooms = ["late", "circle"].map((id) => ({ id, client: { login_timeout: "1s" } }));

const enterIn =
  (world: () => World) =>
  (room: string, visitor: Visitor, { url }: LoginRequest) => {
    const site = world().relyingParty(room);
    const stopAt = (location: URL) => site.isCallback(location) || location.pathname === "/start";
    return visitor.navigate(url, { stopAt });
  };

/** A login that cannot be finished any more is begun anew (DESIGN §6). */
export function describeRestart(world: () => World): void {
  const enter = enterIn(world);

  test("each state is answered once: the back button starts a fresh login", async () => {
    const site = world().relyingParty("answered");
    const visitor = world().visitor();
    await world().admin.increment("answered", 1);
    const login = site.startLogin();
    await site.finishLogin(await enter("answered", visitor, login), login);

    const back = await enter("answered", visitor, login);
    expect([back.status, back.header("location")]).toEqual([303, initiateLoginUri("answered")]);
    const fresh = site.startLogin();
    const tokens = await site.finishLogin(await enter("answered", visitor, fresh), fresh);
    expect(tokens.claims.queue_position).toBe(1);
  });

  test("a request that another tab's ticket does not know is stale when our own page comes back with it", async () => {
    const { issuer, admin } = world();
    const site = world().relyingParty("tabs");
    // Two tabs opened together: each joins, and the later cookie is kept.
    const [first, second] = [site.startLogin(), site.startLogin()];
    const parked = await enter("tabs", world().visitor(), first);
    const visitor = world().visitor();
    expect((await enter("tabs", visitor, second)).position).toBe(2);

    const from = parked.url;
    const stopAt = (location: URL) => location.origin !== issuer;
    expect((await visitor.navigate(first.url, { from, stopAt })).position).toBe(2);
    await admin.increment("tabs", 2);
    for (const how of [{ from, stopAt }, { stopAt }]) {
      const restart = await visitor.navigate(first.url, how);
      expect([restart.status, restart.header("location")]).toEqual([303, initiateLoginUri("tabs")]);
    }
    // From the relying party it is new, whatever the ticket knows; so it is after the button of a notice.
    const fresh = site.startLogin();
    await site.finishLogin(await visitor.navigate(fresh.url, { stopAt }), fresh);
    const joined = site.startLogin();
    await site.finishLogin(await visitor.navigate(`${joined.url}&usher_join=1`, { from, stopAt }), joined);
  });

  test("a login that our own button led to join with is of unknown age: when served, a fresh one is started", async () => {
    const site = world().relyingParty("button");
    const visitor = world().visitor();
    const old = site.startLogin();
    const joined = await visitor.navigate(`${old.url}&usher_join=1`, { from: new URL(world().issuer) });
    expect([joined.position, joined.url.href]).toEqual([1, old.url.href]);
    await world().admin.increment("button", 1);
    const restart = await enter("button", visitor, old);
    expect([restart.status, restart.header("location")]).toEqual([303, initiateLoginUri("button")]);

    const fresh = site.startLogin();
    const tokens = await site.finishLogin(await enter("button", visitor, fresh), fresh);
    expect(tokens.claims.queue_position).toBe(1);
  });

  test.each([
    ["a finished login", {}],
    ["a finished silent login", { prompt: "none" }],
  ])("%s begins the count of restarts anew", async (_, parameters) => {
    const site = world().relyingParty("anew");
    const visitor = world().visitor();
    await world().admin.increment("anew", 1);
    const answered = site.startLogin();
    await site.finishLogin(await enter("anew", visitor, answered), answered);
    const goBack = async () => {
      const page = await enter("anew", visitor, answered);
      return page.notice ?? page.status;
    };
    expect([await goBack(), await goBack()]).toEqual([303, 303]);

    const fresh = site.startLogin(parameters);
    await site.finishLogin(await enter("anew", visitor, fresh), fresh);
    expect([await goBack(), await goBack(), await goBack()]).toEqual([303, 303, 303]);
    expect(await goBack()).toBe("too_many_restarts");
  });
}

/** The relying party forgets its login state before the visitor's turn comes (DESIGN §6). */
export function describeForgottenLogins(world: () => World): void {
  const enter = enterIn(world);
  const outlast = () => new Promise((resolve) => setTimeout(resolve, LOGIN_TIMEOUT_MS + 1_100));

  test("served after the login timeout, the visitor is sent to start a fresh login and is in at once", async () => {
    const site = world().relyingParty("late");
    const visitor = world().visitor();
    const old = site.startLogin();
    expect((await enter("late", visitor, old)).position).toBe(1);
    await outlast();
    await world().admin.increment("late", 1);

    const restart = await enter("late", visitor, old);
    expect([restart.status, restart.header("location")]).toEqual([303, initiateLoginUri("late")]);
    expect(restart.header("cache-control")).toContain("no-store");

    const fresh = site.startLogin();
    const tokens = await site.finishLogin(await enter("late", visitor, fresh), fresh);
    expect(tokens.claims.queue_position).toBe(1);
  });

  test("after three restarts in a row a page explains, and the count begins anew", async () => {
    const site = world().relyingParty("circle");
    const visitor = world().visitor();
    const old = site.startLogin();
    await enter("circle", visitor, old);
    await outlast();
    await world().admin.increment("circle", 1);
    for (let rounds = 0; rounds < 2; rounds++) {
      for (let restarts = 0; restarts < 3; restarts++) {
        expect((await enter("circle", visitor, old)).status).toBe(303);
      }
      const page = await enter("circle", visitor, old);
      expect([page.status, page.notice]).toEqual([200, "too_many_restarts"]);
      expect(attribute(page.body.slice(page.body.indexOf("<main")), "href")).toBe(initiateLoginUri("circle"));
    }
    const fresh = site.startLogin();
    await site.finishLogin(await enter("circle", visitor, fresh), fresh);
  });
}
