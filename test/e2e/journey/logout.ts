import { expect, test } from "vitest";
import type { Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { loggedOutUri, type World } from "../world.ts";

export const logoutRooms = ["logout", "logout-one", "logout-two", "logout-late"].map((id) => ({ id }));

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

  test("logout ends the admission of the room that asks for it, not of the one entered last", async () => {
    const visitor = world().visitor();
    const one = await login("logout-one", visitor);
    const two = await login("logout-two", visitor);
    const question = await visitor.navigate(logoutUrl("logout-one", one.idToken));
    expect(question.notice).toBe("logout_confirm");
    const goodbye = await submitForm(visitor, question, isOutside);
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
