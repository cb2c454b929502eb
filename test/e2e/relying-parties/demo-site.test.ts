/** The demonstration's site, a genuine relying party built on openid-client, through its whole life with a visitor. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDemoSite, type DemoSite, demoSiteUris } from "../../../src/demo/site.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { freePort } from "../../support/ports.ts";
import { clientId, clientSecret, memoryStore, startWorld, type World } from "../world.ts";

describe("openid-client, by way of the demonstration's site", () => {
  let world: World;
  let site: DemoSite;
  let uris: ReturnType<typeof demoSiteUris>;
  let laterMs = 0;

  beforeAll(async () => {
    const port = await freePort();
    uris = demoSiteUris(port);
    const client = {
      redirect_uris: [uris.redirectUri],
      post_logout_redirect_uris: [uris.postLogoutRedirectUri],
      initiate_login_uri: uris.initiateLoginUri,
    };
    const rooms = ["demo"].map((id) => ({ id, client }));
    world = await startWorld({ store: memoryStore, rooms });
    site = createDemoSite({
      issuer: world.issuer,
      clientId: clientId("demo"),
      clientSecret: clientSecret("demo"),
      port,
      host: "127.0.0.1",
      random: systemRandom,
      clock: { now: () => Date.now() + laterMs },
    });
    await site.start();
  });
  afterAll(async () => {
    await site?.close();
    await world?.stop();
  });

  test("a visitor is parked, served, shown their claims, and logs out", async () => {
    const visitor = world.visitor();
    const parked = await visitor.navigate(uris.url);
    expect(parked.url.origin).toBe(world.issuer);
    expect(parked.position).toBe(1);
    await world.admin.increment("demo", 1);
    const inside = await visitor.waitInLine(parked);
    expect([inside.status, inside.url.href]).toEqual([200, `${uris.url}/`]);
    expect(inside.body).toContain("You were number <strong>1</strong> in line");
    expect(inside.body).toMatch(/<th scope="row">sub<\/th><td>demo\.[\w-]+<\/td>/);
    expect(inside.header("content-security-policy")).toContain("default-src 'none'");

    const goodbye = await visitor.navigate(`${uris.url}/logout`);
    expect(goodbye.url.origin).toBe(uris.url);
    expect(goodbye.body).toContain("You have left");
    expect((await visitor.navigate(uris.url)).position).toBe(2);
  });

  test("two tabs of one browser keep one place and both get in", async () => {
    const visitor = world.visitor();
    const [one, two] = [await visitor.navigate(uris.url), await visitor.navigate(uris.url)];
    expect(two.position).toBe(one.position);
    await world.admin.increment("demo", 5);
    for (const tab of [one, two]) expect((await visitor.waitInLine(tab)).body).toContain("You are in");
  });

  test("a callback that the site has forgotten leads to one fresh login, not to an error", async () => {
    const visitor = world.visitor();
    await world.admin.increment("demo", 5);
    const first = await visitor.navigate(uris.url);
    const callback = first.redirects.find(({ pathname }) => pathname === "/callback");
    visitor.jar.delete("usher_demo_session");
    const again = await visitor.navigate(callback ?? "");
    expect(again.body).toContain("You are in");
    expect(again.redirects.length).toBe(3);
  });

  test("a login that the site has forgotten while the visitor waited is started afresh", async () => {
    await world.admin.step("demo", "pause");
    const visitor = world.visitor();
    const parked = await visitor.navigate(uris.url);
    laterMs = 6 * 60_000;
    await world.admin.step("demo", "resume");
    const inside = await visitor.waitInLine(parked);
    expect(inside.body).toContain("You are in");
    laterMs = 0;
  });

  test("without cookies nobody is led round in circles", async () => {
    const visitor = world.visitor({ acceptsCookies: false });
    const page = await visitor.navigate(uris.url);
    expect(page.redirects.length).toBeLessThan(6);
    expect(page.status).toBe(400);
  });
});
