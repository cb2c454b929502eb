import { expect, test } from "vitest";
import { attribute } from "../../support/visitor.ts";
import { leaveLine, submitForm } from "../form.ts";
import type { World } from "../world.ts";

export const leavingRooms = ["leave", "leave-page", "stay", "again"].map((id) => ({ id }));

export function describeLeaving(world: () => World): void {
  test("leaving gives the place up; coming again is the end of the line", async () => {
    const { issuer, admin } = world();
    const site = world().relyingParty("leave");
    const visitor = world().visitor();
    const { url } = site.startLogin();
    await visitor.navigate(url);
    const kept = visitor.jar.copy();
    expect((await world().visitor().navigate(site.startLogin().url)).position).toBe(2);
    const left = await visitor.fetch(`${issuer}/rooms/leave/tickets/me`, { method: "DELETE" });
    expect(left.status).toBe(204);
    expect((await visitor.fetch(`${issuer}/rooms/leave/tickets/me`)).status).toBe(401);
    expect((await visitor.navigate(url)).position).toBe(3);

    // A copy of the ticket from before is void as well.
    await admin.increment("leave", 1);
    const copy = await world().visitor({ jar: kept }).navigate(url, { stopAt: site.isCallback });
    expect([copy.status, copy.notice, copy.location]).toEqual([200, "place_left", undefined]);
  });

  test("the waiting page's button leaves without scripts; the page says so", async () => {
    const site = world().relyingParty("leave-page");
    const visitor = world().visitor();
    const parked = await visitor.navigate(site.startLogin().url);
    const left = await leaveLine(visitor, parked);
    expect([left.status, left.notice]).toEqual([200, "left"]);
    expect((await visitor.navigate(site.startLogin().url)).position).toBe(2);
  });

  test("the page of a place that was left offers to join again, where the browser says what for", async () => {
    const { issuer } = world();
    const site = world().relyingParty("leave-page");
    const visitor = world().visitor();
    const parked = await visitor.navigate(site.startLogin().url);
    const headers = { origin: issuer, referer: parked.url.href };
    const left = await visitor.navigate(`${issuer}/rooms/leave-page/leave`, {
      method: "POST",
      body: "",
      headers,
      from: parked.url,
    });
    const href = attribute(left.body.match(/<a\b[^>]*class="button[^>]*>/)?.[0] ?? "", "href") ?? "";
    const again = await visitor.navigate(new URL(href, left.url), { from: left.url });
    expect(again.position).toBe(Number(parked.position) + 1);
  });

  test("joining again in a second tab gives up the place that the page spoke of, and no other", async () => {
    const { issuer, admin } = world();
    const site = world().relyingParty("again");
    const visitor = world().visitor();
    const { url } = site.startLogin();
    expect((await visitor.navigate(url)).position).toBe(1);
    await world().visitor({ jar: visitor.jar.copy() }).fetch(`${issuer}/rooms/again/tickets/me`, { method: "DELETE" });
    await admin.increment("again", 1);
    const page = await visitor.navigate(url);
    expect(page.notice).toBe("place_left");
    expect((await submitForm(visitor, page)).position).toBe(2);
    expect((await submitForm(visitor, page)).position).toBe(2);
    expect((await world().visitor().navigate(site.startLogin().url)).position).toBe(3);
  });

  test.each([
    ["a foreign origin", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["an old browser and a foreign origin", { origin: "https://evil.example", "sec-fetch-site": "" }],
    [
      "a client that calls all it does same-origin",
      { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
    ],
    ["no origin at all", { "sec-fetch-site": "" }],
  ])("leaving from %s is refused and changes nothing", async (_, given) => {
    const { issuer } = world();
    const site = world().relyingParty("stay");
    const visitor = world().visitor();
    const { position } = await visitor.navigate(site.startLogin().url);
    const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
    const cookie = visitor.jar.header(new URL(issuer)) ?? "";
    for (const [method, path] of [
      ["DELETE", "tickets/me"],
      ["POST", "leave"],
      ["POST", "rejoin"],
    ]) {
      const options = { method: method ?? "", headers: { cookie, ...headers } };
      expect((await world().http.request(`${issuer}/rooms/stay/${path}`, options)).status, path).toBe(403);
    }
    expect((await visitor.navigate(site.startLogin().url)).position).toBe(position);
  });
}
