import { expect, test } from "vitest";
import type { Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { loggedOutUri, type World } from "../world.ts";

const roomIds = ["logout", "logout-asked", "logout-other", "logout-one", "logout-two", "logout-late"];
export const logoutRooms = roomIds.map((id) => ({ id }));

/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0). */
export function describeLogout(world: () => World): void {
  const logoutUrl = (room: string, idToken: string) => {
    const url = new URL(`${world().issuer}/logout`);
    url.searchParams.set("id_token_hint", idToken);
    url.searchParams.set("post_logout_redirect_uri", loggedOutUri(room));
    return url;
  };
  const isOutside = (location: URL) => location.origin !== world().issuer;
  const login = async (room: string, visitor: Visitor) => {
    await world().admin.increment(room, 1);
    return world().relyingParty(room).login(visitor);
  };
  const statuses = async (room: string) => {
    const { admissions } = (await world().admin.request("GET", `/rooms/${room}/admissions`)).json() as {
      admissions: { status: string }[];
    };
    return admissions.map(({ status }) => status);
  };
  const forgetSession = ({ jar }: Visitor) => {
    for (const { name } of jar.all()) if (name.includes("usher.session")) jar.delete(name);
  };

  test("logout with the visitor's own ID token ends the admission at once", async () => {
    const { admin } = world();
    const site = world().relyingParty("logout");
    const visitor = world().visitor();
    await admin.increment("logout", 1);
    const { claims, idToken, accessToken } = await site.login(visitor);
    const url = logoutUrl("logout", idToken);
    url.searchParams.set("state", "see you");
    // What no person does ends nothing.
    await visitor.navigate(url, { headers: { "sec-purpose": "prefetch" } });
    await visitor.fetch(url);
    await visitor.navigate(url, { method: "HEAD" });
    expect(await statuses("logout")).toEqual(["live"]);

    const goodbye = await visitor.navigate(url, { stopAt: isOutside });
    expect([goodbye.status, goodbye.location?.href]).toEqual([303, `${loggedOutUri("logout")}?state=see+you`]);
    expect([goodbye.redirects, visitor.jar.all().map(({ name }) => name)]).toEqual([[], ["usher-logout"]]);
    expect((await site.userinfo(accessToken)).status).toBe(401);
    const parked = await visitor.navigate(site.startLogin().url, { stopAt: site.isCallback });
    expect(parked.position).toBe(2);
    const admissions = await admin.request("GET", "/rooms/logout/admissions");
    expect(admissions.json()).toMatchObject({ admissions: [{ sub: claims.sub, status: "logout" }] });
  });

  test("whose ID token it is not is asked, and logs out as themselves", async () => {
    const { admin } = world();
    const site = world().relyingParty("logout-other");
    const [visitor, other] = [world().visitor(), world().visitor()];
    await admin.increment("logout-other", 2);
    const { idToken } = await site.login(visitor);
    await site.login(other);
    // As another site would send them there.
    const question = await other.navigate(logoutUrl("logout-other", idToken));
    expect([question.status, question.notice]).toEqual([200, "logout_confirm"]);
    expect(await statuses("logout-other")).toEqual(["live", "live"]);
    const goodbye = await submitForm(other, question, isOutside);
    expect(goodbye.location?.href).toBe(loggedOutUri("logout-other"));
    expect(await statuses("logout-other")).toEqual(["live", "logout"]);
  });

  test("who is asked and does not answer stays in", async () => {
    const site = world().relyingParty("logout-asked");
    const visitor = world().visitor();
    const { claims } = await login("logout-asked", visitor);
    const question = await visitor.navigate(`${world().issuer}/logout?client_id=site-logout-asked`);
    expect([question.status, question.notice]).toEqual([200, "logout_confirm"]);
    expect((await site.login(visitor)).claims.sub).toBe(claims.sub);
  });

  test("logout never redirects to an address that is not registered", async () => {
    const visitor = world().visitor();
    const url = new URL(`${world().issuer}/logout`);
    url.searchParams.set("client_id", "site-logout");
    url.searchParams.set("post_logout_redirect_uri", "https://evil.example/");
    const page = await visitor.navigate(url);
    expect([page.status, page.location, page.notice]).toEqual([400, undefined, "bad_request"]);
    expect(page.body).not.toContain("This login");
  });

  test("logout ends the admission of the room that asks for it, not of the one entered last", async () => {
    const visitor = world().visitor();
    const one = await login("logout-one", visitor);
    const two = await login("logout-two", visitor);
    const goodbye = await visitor.navigate(logoutUrl("logout-one", one.idToken), { stopAt: isOutside });
    expect(goodbye.location?.href).toBe(loggedOutUri("logout-one"));

    expect([await statuses("logout-one"), await statuses("logout-two")]).toEqual([["logout"], ["live"]]);
    const stillIn = await world().relyingParty("logout-two").login(visitor);
    expect(stillIn.claims.sub).toBe(two.claims.sub);
    expect((await visitor.navigate(world().relyingParty("logout-one").startLogin().url)).position).toBe(2);
  });

  test("when nobody is logged in any more, the ticket says who is to be logged out", async () => {
    const visitor = world().visitor();
    const { idToken } = await login("logout-late", visitor);
    const url = logoutUrl("logout-late", idToken);
    url.searchParams.set("state", "see you");

    // Somebody else who got hold of the ID token ends nothing.
    const stranger = world().visitor();
    const sentOn = await stranger.navigate(url, { stopAt: isOutside });
    expect([sentOn.status, sentOn.location?.href]).toEqual([303, `${loggedOutUri("logout-late")}?state=see+you`]);
    expect(stranger.jar.all()).toEqual([]);
    expect(await statuses("logout-late")).toEqual(["live"]);

    forgetSession(visitor);
    const goodbye = await visitor.navigate(url, { stopAt: isOutside });
    expect(goodbye.location?.href).toBe(`${loggedOutUri("logout-late")}?state=see+you`);
    expect(await statuses("logout-late")).toEqual(["logout"]);
    const back = world().relyingParty("logout-late").startLogin();
    expect((await visitor.navigate(back.url)).position).toBe(2);
  });

  test("logout without a session asks nothing and leaves no cookie", async () => {
    const page = await world().visitor().navigate(`${world().issuer}/logout`);
    expect([page.status, page.notice, page.redirects.length]).toEqual([200, "logged_out", 1]);
    const { setCookies } = await world().http.get(`${world().issuer}/logout`);
    for (const cookie of setCookies) expect(cookie).toMatch(/^usher\.session(\.sig)?=[^;]*;.*expires=Thu, 01 Jan 1970/);
  });

  test("POST /logout answers 303 to the same request by GET, where the visitor's cookies come along", async () => {
    const { http, issuer } = world();
    const body = new URLSearchParams({ client_id: "site-logout", post_logout_redirect_uri: loggedOutUri("logout") });
    const answer = await http.request(`${issuer}/logout`, { method: "POST", body });
    expect([answer.status, answer.setCookies]).toEqual([303, []]);
    expect(answer.header("location")).toBe(`/logout?${body}`);
  });
}
