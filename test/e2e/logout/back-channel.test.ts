/**
 * Back-channel logout (OpenID Connect Back-Channel Logout 1.0): a site is told that an admission has ended, whoever or whatever
 * ended it.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type LogoutListener, startLogoutListener } from "../../support/logout-listener.ts";
import type { Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { clientId, clientSecret, loggedOutUri, memoryStore, redirectUri, useWorld } from "../world.ts";

describe("a site with a back-channel logout URI", () => {
  let listener: LogoutListener;
  let plain: LogoutListener;
  const world = useWorld(async () => {
    listener = await startLogoutListener(() => world().issuer, clientId("shop"));
    plain = await startLogoutListener(() => world().issuer, clientId("plain"));
    const backchannel_logout_uri = `${listener.origin}/logout?from=usher`;
    return {
      store: memoryStore,
      rooms: [{ id: "shop" }, { id: "short", admission: { duration: "3s" } }, { id: "quiet" }],
      config: {
        clients: [
          {
            client_id: clientId("shop"),
            client_secret: clientSecret("shop"),
            redirect_uris: [redirectUri("shop"), redirectUri("short")],
            post_logout_redirect_uris: [loggedOutUri("shop")],
            rooms: ["shop", "short"],
            backchannel_logout_uri,
          },
          {
            client_id: clientId("plain"),
            client_secret: clientSecret("plain"),
            redirect_uris: [redirectUri("plain")],
            room: "shop",
            backchannel_logout_uri: `${plain.origin}/`,
            backchannel_logout_session_required: false,
          },
          {
            client_id: clientId("quiet"),
            client_secret: clientSecret("quiet"),
            redirect_uris: [redirectUri("quiet")],
            room: "quiet",
          },
        ],
      },
    };
  });
  afterAll(() => Promise.all([listener?.stop(), plain?.stop()]));

  const login = async (visitor: Visitor = world().visitor()) => {
    await world().admin.increment("shop", 1);
    return world().relyingParty("shop").login(visitor);
  };
  const told = (sub: unknown) => expect.poll(() => listener.of(sub).length).toBe(1);
  const end = (sub: unknown, status: string) =>
    world().admin.request("PATCH", `/rooms/shop/admissions/${sub}`, { status });

  test("is announced, and so is the session id", async () => {
    const metadata = (await world().http.get(`${world().issuer}/.well-known/openid-configuration`)).json();
    expect(metadata).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      claims_supported: expect.arrayContaining(["sid"]),
    });
  });

  test.each(["completed", "abandoned", "revoked"])(
    "is told when an operator ends the admission (%s)",
    async (status) => {
      const { claims } = await login();
      expect((await end(claims.sub, status)).status).toBe(200);
      await told(claims.sub);
      const [logout] = listener.of(claims.sub);
      expect(logout?.path).toBe("/logout?from=usher");
      expect(logout?.header).toMatchObject({ alg: "RS256", typ: "logout+jwt", kid: expect.any(String) });
      expect(logout?.claims).toMatchObject({ sub: claims.sub, sid: claims.sid, aud: clientId("shop") });
      expect(claims.sid).toMatch(/^[\w-]{22}$/);
    },
  );

  test.each([
    ["at the site", true],
    ["at Usher, which asks", false],
  ])("is told once when its visitor logs out, %s", async (_, hasHint) => {
    const visitor = world().visitor();
    const { claims, idToken } = await login(visitor);
    const url = new URL(`${world().issuer}/logout`);
    if (hasHint) url.searchParams.set("id_token_hint", idToken);
    if (hasHint) url.searchParams.set("post_logout_redirect_uri", loggedOutUri("shop"));
    const isOutside = ({ hostname }: URL) => hostname !== "localhost";
    const page = await visitor.navigate(url, { stopAt: isOutside });
    expect(page.notice).toBe(hasHint ? undefined : "logout_confirm");
    if (!hasHint) await submitForm(visitor, page, isOutside);
    await told(claims.sub);
    await delay(2_500);
    expect(listener.of(claims.sub)).toHaveLength(1);
  });

  test("is told when a site's report ends the admission", async () => {
    const { claims } = await login();
    const report = await world().admin.request("POST", "/rooms/shop/report", { completed: [claims.sub] });
    expect(report.json()).toMatchObject({ completed: 1 });
    await told(claims.sub);
  });

  test("is told when its visitor leaves", async () => {
    const visitor = world().visitor();
    const { claims } = await login(visitor);
    const answer = await visitor.fetch(`${world().issuer}/rooms/shop/tickets/me`, {
      method: "DELETE",
      from: new URL(world().issuer),
    });
    expect(answer.status).toBe(204);
    await told(claims.sub);
  });

  test("is told when the admission lapses", async () => {
    await world().admin.increment("short", 1);
    const site = world().relyingParty("shop");
    const request = site.startLogin({ room: "short" });
    const page = await world().visitor().login(request.url, { stopAt: site.isCallback });
    const { claims } = await site.finishLogin(page, request);
    expect(claims.room).toBe("short");
    await told(claims.sub);
  });

  test("has a session id for each admission, the same for all logins under it", async () => {
    const visitor = world().visitor();
    const first = await login(visitor);
    const again = await world().relyingParty("shop").login(visitor);
    expect(again.claims.sid).toBe(first.claims.sid);
    await end(first.claims.sub, "completed");
    await told(first.claims.sub);
    const later = await login(visitor);
    expect(later.claims.sub).toBe(first.claims.sub);
    expect(later.claims.sid).not.toBe(first.claims.sid);
    expect(listener.of(first.claims.sub).map(({ claims }) => claims.sid)).toEqual([first.claims.sid]);
  });

  test("is told by the visitor alone where it wants no session id, and with the others of the admission", async () => {
    const visitor = world().visitor();
    const { claims } = await login(visitor);
    const there = await world().relyingParty("plain").login(visitor);
    expect([there.claims.sub, there.claims.sid]).toEqual([claims.sub, undefined]);
    await end(claims.sub, "revoked");
    await told(claims.sub);
    await expect.poll(() => plain.of(claims.sub).length).toBe(1);
    expect(plain.of(claims.sub)[0]?.claims.sid).toBeUndefined();
  });

  test("is not told of admissions by which nobody logged in there", async () => {
    await world().admin.increment("quiet", 1);
    const { claims } = await world().relyingParty("quiet").login(world().visitor());
    expect(claims.sid).toBeUndefined();
    const before = listener.requests;
    await world().admin.request("PATCH", `/rooms/quiet/admissions/${claims.sub}`, { status: "revoked" });
    await delay(2_500);
    expect(listener.requests).toBe(before);
  });

  test("is not told again when it refuses, nor followed to another address; both are in the log", async () => {
    const { gateways, http, issuer } = world();
    for (const status of [400, 302]) {
      listener.answerWith(status);
      const { claims } = await login();
      const before = listener.requests;
      await end(claims.sub, "revoked");
      await expect.poll(() => gateways[0]?.output()).toContain(`answered ${status}`);
      expect(listener.requests).toBe(before + 1);
      const line =
        gateways[0]
          ?.output()
          .split("\n")
          .find((each) => each.includes(`answered ${status}`)) ?? "{}";
      expect(JSON.parse(line)).toMatchObject({
        event: "backchannel_logout.failed",
        client_id: clientId("shop"),
        room: "shop",
        sub: claims.sub,
        attempt: 1,
      });
      listener.answerWith(200);
    }
    const { body } = await http.get(`${issuer}/metrics`);
    expect(body).toMatch(/^usher_backchannel_logouts_total\{room="shop",result="sent"\} [1-9]/m);
    expect(body).toContain('usher_backchannel_logouts_total{room="shop",result="lost"} 1');
    expect(body).toContain('usher_backchannel_logouts_total{room="shop",result="failed"} 1');
  });
});
