import { expect, test } from "vitest";
import type { HttpResponse } from "../../support/http-client.ts";
import type { Page, Visitor } from "../../support/visitor.ts";
import { numbers } from "../line.ts";
import type { RoomUnderTest, World } from "../world.ts";

export const claimingRooms: RoomUnderTest[] = [
  { id: "full-house", inlet: { type: "max_active", max_active: 2 }, admission: { logins_per_admission: 1 } },
  // One in twelve seconds: so long the second of them is held for certain.
  { id: "slow-door", inlet: { type: "manual", outflow_per_minute: 5 }, client: { login_timeout: "1s" } },
  { id: "no-door" },
  { id: "app-door" },
];

/** A served visitor who is held asks again by a request of the page's script. */
export function describeClaiming(world: () => World): void {
  const urlOf = (room: string) => `${world().issuer}/rooms/${room}/tickets/me/claim`;
  const claim = (visitor: Visitor, from: Page): Promise<HttpResponse> =>
    visitor.fetch(urlOf(from.url.searchParams.get("client_id")?.replace("site-", "") ?? ""), {
      method: "POST",
      from: from.url,
    });
  const patience = { interval: 100 };

  test("who is held by a full site is admitted as soon as there is room, once, and logs in with the next navigation", async () => {
    const { admin } = world();
    const site = world().relyingParty("full-house");
    const visit = { stopAt: site.isCallback };
    const first = await site.login(world().visitor());
    await admin.step("full-house", "pause");
    const visitor = world().visitor();
    const login = site.startLogin();
    expect((await visitor.navigate(login.url, visit)).position).toBe(2);
    await admin.step("full-house", "resume");
    await expect.poll(async () => (await numbers(world(), "full-house")).serving, patience).toBe(2);
    await admin.change("full-house", { inlet: { max_active: 1 } });

    const page = await visitor.navigate(login.url, visit);
    expect([page.position, page.state]).toEqual([2, "held"]);
    for (let times = 0; times < 2; times++) {
      const answer = await claim(visitor, page);
      expect([answer.status, answer.setCookies, answer.header("cache-control")]).toEqual([200, [], "no-store"]);
      expect(answer.json()).toMatchObject({ state: "served", position: 2, held_by: "capacity", poll_after_ms: 2_000 });
    }
    expect(await numbers(world(), "full-house")).toMatchObject({ live_admissions: 1 });

    await admin.request("POST", "/rooms/full-house/report", { completed: [first.claims.sub] });
    for (let times = 0; times < 2; times++) {
      const answer = await claim(visitor, page);
      expect(answer.json()).toMatchObject({ state: "admitted", position: 2, held_by: null });
      expect(answer.setCookies.join()).toContain("=c1.");
      expect(answer.json()).not.toHaveProperty("ticket");
    }
    expect(await numbers(world(), "full-house")).toMatchObject({ live_admissions: 1, counts: { entered: 2 } });
    // No claim was a login: the one that this admission allows is left.
    const tokens = await site.finishLogin(await visitor.navigate(login.url, { ...visit, from: page.url }), login);
    expect(tokens.claims).toMatchObject({ queue_position: 2, admitted_via: "queue" });
  });

  test("who is held by the limit is told when to ask again; a login that grew old meanwhile is started anew", async () => {
    const site = world().relyingParty("slow-door");
    await world().admin.increment("slow-door", 3);
    await site.login(world().visitor());
    const visitor = world().visitor();
    const login = site.startLogin();
    const page = await visitor.navigate(login.url, { stopAt: site.isCallback });
    expect([page.position, page.state]).toEqual([2, "held"]);
    const held = (await claim(visitor, page)).json() as { held_by: string; poll_after_ms: number };
    expect(held).toMatchObject({ state: "served", held_by: "limit", ahead: 0 });
    // Both are served; who comes after is told that somebody goes in first.
    const other = world().visitor();
    const behind = await other.navigate(site.startLogin().url, { stopAt: site.isCallback });
    expect([behind.position, behind.state]).toEqual([3, "held"]);
    expect(behind.body).toContain("Nearly there: the people ahead of you go in first.");
    expect((await claim(other, behind)).json()).toMatchObject({ state: "served", held_by: "limit", ahead: 1 });
    expect(held.poll_after_ms).toBeLessThanOrEqual(4_000);
    const state = async () => ((await claim(visitor, page)).json() as { state: string }).state;
    await expect.poll(state, patience).toBe("admitted");
    const stopAt = (location: URL) => site.isCallback(location) || location.pathname === "/start";
    expect((await visitor.navigate(login.url, { stopAt, from: page.url })).location?.pathname).toBe("/start");
    const fresh = site.startLogin();
    await site.finishLogin(await visitor.navigate(fresh.url, { stopAt }), fresh);
  });

  test("nobody is admitted by it before their turn, from elsewhere, or without a place", async () => {
    const site = world().relyingParty("no-door");
    const visitor = world().visitor();
    const page = await visitor.navigate(site.startLogin().url);
    expect((await claim(visitor, page)).json()).toMatchObject({ state: "waiting", position: 1, held_by: null });
    await world().admin.increment("no-door", 1);
    const foreign = { method: "POST", from: new URL("https://no-door.example.test/") };
    expect((await visitor.fetch(urlOf("no-door"), foreign)).status).toBe(403);
    expect((await claim(world().visitor(), page)).json()).toMatchObject({ error: "no_ticket" });
    expect(await numbers(world(), "no-door")).toMatchObject({ queued: 1, live_admissions: 0 });
    await expect.poll(async () => (await claim(visitor, page)).json(), patience).toMatchObject({ state: "admitted" });

    await world().admin.step("no-door", "reset");
    await expect.poll(async () => (await claim(visitor, page)).setCookies, patience).toEqual([]);
    expect(await numbers(world(), "no-door")).toMatchObject({ queued: 0 });
  });

  test("an app that is admitted by it is handed the ticket that says so, and no cookie", async () => {
    const { http, issuer, admin } = world();
    const ask = async (method: string, path: string, ticket?: string) => {
      const headers = ticket === undefined ? {} : { authorization: `Bearer ${ticket}` };
      const answer = await http.request(`${issuer}/rooms/app-door/tickets${path}`, { method, headers });
      expect(answer.setCookies).toEqual([]);
      return answer.json() as { ticket?: string; state: string };
    };
    const { ticket = "" } = await ask("POST", "");
    const early = await ask("POST", "/me/claim", ticket);
    expect([early.state, early.ticket]).toEqual(["waiting", undefined]);
    await admin.increment("app-door", 1);
    await expect.poll(async () => (await ask("POST", "/me/claim", ticket)).state, patience).toBe("admitted");
    const admitted = await ask("POST", "/me/claim", ticket);
    expect(admitted).toMatchObject({ state: "admitted", position: 1, held_by: null });
    expect(admitted.ticket).toMatch(/^c1\./);
    expect(await ask("GET", "/me", admitted.ticket)).toMatchObject({ state: "admitted", position: 1 });
    expect(await ask("POST", "/me/claim", admitted.ticket)).toMatchObject({ state: "admitted" });
    expect(await numbers(world(), "app-door")).toMatchObject({ live_admissions: 1 });
  });
}
