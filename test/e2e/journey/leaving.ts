import { expect, test } from "vitest";
import { submitForm } from "../form.ts";
import { loggedOutUri, type World } from "../world.ts";

export const leavingRooms = [{ id: "leave" }, { id: "leave-page" }, { id: "logout" }, { id: "stay" }];

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
    const left = await submitForm(visitor, parked);
    expect([left.status, left.notice]).toEqual([200, "left"]);
    expect((await visitor.navigate(site.startLogin().url)).position).toBe(2);
  });

  test.each([
    ["a foreign origin", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["an old browser and a foreign origin", { origin: "https://evil.example", "sec-fetch-site": "" }],
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

  test("logout at the relying party's request ends the admission", async () => {
    const { issuer, admin } = world();
    const site = world().relyingParty("logout");
    const visitor = world().visitor();
    await admin.increment("logout", 1);
    const { claims, idToken } = await site.login(visitor);

    const url = new URL(`${issuer}/logout`);
    url.searchParams.set("id_token_hint", idToken);
    url.searchParams.set("post_logout_redirect_uri", loggedOutUri("logout"));
    url.searchParams.set("state", "see you");
    const question = await visitor.navigate(url);
    expect([question.status, question.notice]).toEqual([200, "logout_confirm"]);
    const stillIn = await site.login(visitor);
    expect(stillIn.claims.sub).toBe(claims.sub);

    const asked = await visitor.navigate(url);
    const goodbye = await submitForm(visitor, asked, (location) => location.hostname !== "localhost");
    expect(goodbye.location?.href).toBe(`${loggedOutUri("logout")}?state=see+you`);

    const parked = await visitor.navigate(site.startLogin().url, { stopAt: site.isCallback });
    expect(parked.position).toBe(2);
    const admissions = await admin.request("GET", "/rooms/logout/admissions");
    expect(admissions.json()).toMatchObject({ admissions: [{ sub: claims.sub, status: "logout" }] });
  });

  test("logout never redirects to an address that is not registered", async () => {
    const visitor = world().visitor();
    const url = new URL(`${world().issuer}/logout`);
    url.searchParams.set("client_id", "site-logout");
    url.searchParams.set("post_logout_redirect_uri", "https://evil.example/");
    const page = await visitor.navigate(url);
    expect([page.status, page.location, page.notice]).toEqual([400, undefined, "request_refused"]);
  });
}
