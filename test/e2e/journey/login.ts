import { decodeProtectedHeader } from "jose";
import { expect, test } from "vitest";
import { codeIn } from "../../support/relying-party.ts";
import type { World } from "../world.ts";

export const expiryRooms = [{ id: "expiry", admission: { duration: "5s" } }];
export const loginRooms = [
  { id: "login" },
  { id: "reload" },
  { id: "few-logins", admission: { logins_per_admission: 2 } },
];

export function describeLogin(world: () => World): void {
  test("a visitor is parked, served, and let in with a verified ID token; later logins do not wait", async () => {
    const { http, issuer, admin } = world();
    const site = world().relyingParty("login");
    const visitor = world().visitor();
    const first = site.startLogin();

    const parked = await visitor.navigate(first.url, { stopAt: site.isCallback });
    expect(parked.status).toBe(200);
    expect(parked.header("content-type")).toMatch(/^text\/html\b/);
    expect(parked.header("cache-control")).toContain("no-store");
    expect(parked.position).toBe(1);
    expect(visitor.jar.refused).toEqual([]);

    const status = await http.get(`${issuer}/rooms/login/status`, { cookie: "a=b" });
    expect(status.status).toBe(200);
    expect(status.header("cache-control")).toBe("public, max-age=1");
    expect(status.header("vary")).toBe("Accept-Encoding");
    expect(status.setCookies).toEqual([]);
    expect(status.json()).toMatchObject({ room: "login", phase: "open", serving: 0, outflow_limit: null, gaps: [] });

    const place = await visitor.fetch(`${issuer}/rooms/login/tickets/me`);
    expect(place.json()).toMatchObject({ state: "waiting", position: 1, ahead: 0, serving: 0 });

    expect(await admin.increment("login", 1)).toMatchObject({ serving: 1, queued: 1 });

    const served = await visitor.waitInLine(parked, { stopAt: site.isCallback });
    const tokens = await site.finishLogin(served, first);
    const { claims } = tokens;
    const nowSec = Date.now() / 1000;
    expect(claims).toMatchObject({ room: "login", queue_position: 1, admitted_via: "queue" });
    expect(String(claims.sub).length).toBeLessThanOrEqual(64);
    for (const time of [claims.admitted_at, claims.auth_time, claims.iat]) {
      expect(Math.abs(Number(time) - nowSec)).toBeLessThan(30);
    }
    const keys = (await http.get(`${issuer}/.well-known/jwks.json`)).json() as { keys: { kid: string }[] };
    expect(keys.keys.map(({ kid }) => kid)).toContain(decodeProtectedHeader(tokens.idToken).kid);

    for (const [path, method] of [
      ["/userinfo", "GET"],
      ["/userInfo", "GET"],
      ["/userinfo", "POST"],
    ]) {
      const userinfo = await site.userinfo(tokens.accessToken, path, method);
      expect(userinfo.status, `${method} ${path}`).toBe(200);
      expect(userinfo.json()).toMatchObject({
        sub: claims.sub,
        room: "login",
        queue_position: 1,
        admitted_via: "queue",
        admitted_at: claims.admitted_at,
        auth_time: claims.auth_time,
      });
    }

    const second = site.startLogin();
    const again = await visitor.navigate(second.url, { stopAt: site.isCallback });
    const later = await site.finishLogin(again, second);
    expect(later.claims).toMatchObject({ sub: claims.sub, queue_position: 1, admitted_at: claims.admitted_at });
  });

  test("reloading, a second tab and another login attempt keep one place", async () => {
    const site = world().relyingParty("reload");
    const visitor = world().visitor();
    const { url } = site.startLogin();
    const positions: (number | undefined)[] = [];
    for (const address of [url, url, site.startLogin().url, url]) {
      positions.push((await visitor.navigate(address)).position);
    }
    expect(new Set(positions)).toEqual(new Set([1]));
    expect((await world().visitor().navigate(site.startLogin().url)).position).toBe(2);
  });

  test("an admission yields as many codes as the room allows, and says so after that", async () => {
    const site = world().relyingParty("few-logins");
    const visitor = world().visitor();
    await world().admin.increment("few-logins", 1);
    await site.login(visitor);
    await site.login(visitor);
    const login = site.startLogin();
    const page = await visitor.navigate(login.url, { stopAt: site.isCallback });
    expect([page.status, page.notice, page.location]).toEqual([429, "too_many_logins", undefined]);
    expect(() => codeIn(page, login.state, world().issuer)).toThrow("no code");
  });
}

export function describeExpiry(world: () => World): void {
  test("when the admission has ended, the visitor is back at the end of the line as the same sub", async () => {
    const { admin } = world();
    const site = world().relyingParty("expiry");
    const visitor = world().visitor();
    await admin.increment("expiry", 1);
    const { claims } = await site.login(visitor);
    expect(claims.queue_position).toBe(1);
    expect((await world().visitor().navigate(site.startLogin().url)).position).toBe(2);

    await new Promise((resolve) => setTimeout(resolve, 5_200));
    const back = site.startLogin();
    const parked = await visitor.navigate(back.url, { stopAt: site.isCallback });
    expect(parked.position).toBe(3);

    await admin.increment("expiry", 2);
    const tokens = await site.finishLogin(await visitor.waitInLine(parked, { stopAt: site.isCallback }), back);
    expect(tokens.claims).toMatchObject({ sub: claims.sub, queue_position: 3 });
    expect(Number(tokens.claims.admitted_at)).toBeGreaterThan(Number(claims.admitted_at));
  });
}
