/** Apache with mod_auth_openidc, started for the test: whole logins. */
import { describe, expect, test } from "vitest";
import { useApaches } from "./apaches.ts";

describe("Apache with mod_auth_openidc", () => {
  const { world, apache } = useApaches([
    { room: "site", client: ({ redirectUri }) => ({ backchannel_logout_uri: `${redirectUri}?logout=backchannel` }) },
  ]);

  test("a visitor is parked, served, let in with their claims, and logs out", async () => {
    const { origin } = apache("site");
    const visitor = world().visitor();
    const parked = await visitor.navigate(`${origin}/?page=7`);
    expect(parked.url.origin).toBe(world().issuer);
    expect(parked.position).toBe(1);

    await world().admin.increment("site", 1);
    const inside = await visitor.waitInLine(parked);
    expect([inside.status, inside.url.href], apache("site").errorLog()).toEqual([200, `${origin}/?page=7`]);
    expect(inside.body).toMatch(/OIDC_CLAIM_sub=site\.[\w-]+/);
    expect(inside.body).toMatch(/OIDC_CLAIM_queue_position=1\b/);
    expect(inside.body).toMatch(/REMOTE_USER=site\.[\w-]+/);

    const logout = `${inside.url.origin}/oidc/callback?logout=${encodeURIComponent(`${origin}/open/`)}`;
    const goodbye = await visitor.navigate(logout);
    expect([goodbye.status, goodbye.url.href]).toEqual([200, `${origin}/open/`]);
    expect((await visitor.navigate(`${origin}/`)).position).toBe(2);
  });

  test("it ends the visitor's session when it is told that the admission has ended", async () => {
    const { origin, errorLog } = apache("site");
    // Who has logged out above stands in line.
    await world().admin.increment("site", 1);
    const [visitor, other] = [world().visitor(), world().visitor()];
    for (const each of [visitor, other]) {
      const parked = await each.navigate(`${origin}/`);
      await world().admin.increment("site", 1);
      expect((await each.waitInLine(parked)).url.origin, errorLog()).toBe(origin);
    }
    const { body } = await visitor.navigate(`${origin}/`);
    const [, sub = ""] = /OIDC_CLAIM_sub=(site\.[\w-]+)/.exec(body) ?? [];
    await world().admin.request("PATCH", `/rooms/site/admissions/${sub}`, { status: "revoked" });
    const isInside = async () => (await visitor.navigate(`${origin}/`)).url.origin === origin;
    await expect.poll(isInside, { message: errorLog() }).toBe(false);
    expect((await visitor.navigate(`${origin}/`)).position).toBeGreaterThan(1);
    expect((await other.navigate(`${origin}/`)).url.origin).toBe(origin);
    expect(world().gateways[0]?.output()).not.toContain("backchannel_logout.failed");
  });

  test("a script's request without a login takes no place", async () => {
    const answer = await world()
      .visitor()
      .fetch(`${apache("site").origin}/api/`);
    expect([answer.status, answer.header("location")]).toEqual([401, undefined]);
  });
});
