// Long: the demonstration's site through its whole life, and a crowd; openid-client.test.ts has the journeys.
/** The demonstration's site, a genuine relying party built on openid-client, through its whole life with a visitor. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCrowd } from "../../../examples/demo/crowd.ts";
import { createOperator } from "../../../examples/demo/operator.ts";
import { createDemoSite, type DemoSite, demoSiteUris } from "../../../examples/demo/site.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { freePorts } from "../../support/ports.ts";
import { clientId, clientSecret, memoryStore, startWorld, type World } from "../world.ts";

describe("openid-client, by way of the demonstration's site", () => {
  let world: World;
  let uris: ReturnType<typeof demoSiteUris>;
  /** Of the site of the room `line`, in which nobody is served ahead of time. */
  let lineUris: ReturnType<typeof demoSiteUris>;
  const sites: DemoSite[] = [];
  let laterMs = 0;

  beforeAll(async () => {
    const ports = await freePorts(2);
    const rooms = ["demo", "line"].map((id, index) => {
      const { redirectUri, postLogoutRedirectUri, initiateLoginUri } = demoSiteUris(ports[index] ?? 0);
      const client = {
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [postLogoutRedirectUri],
        initiate_login_uri: initiateLoginUri,
      };
      return { id, client };
    });
    [uris, lineUris] = ports.map(demoSiteUris) as [typeof uris, typeof uris];
    world = await startWorld({ store: memoryStore, rooms });
    for (const [index, { id }] of rooms.entries()) {
      const site = createDemoSite({
        issuer: world.issuer,
        clientId: clientId(id),
        clientSecret: clientSecret(id),
        port: ports[index] ?? 0,
        host: "127.0.0.1",
        operator: createOperator({ issuer: world.issuer, room: id, adminKey: ADMIN_KEY }),
        clock: { now: () => Date.now() + laterMs },
      });
      await site.start();
      sites.push(site);
    }
  });
  afterAll(async () => {
    for (const site of sites) await site.close();
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

  describe("its page of the line", () => {
    const serving = async () =>
      ((await world.http.get(`${world.issuer}/rooms/line/status`)).json() as { serving: number }).serving;
    const tokenOf = (body: string) => /name="token" value="([^"]+)"/.exec(body)?.[1] ?? "";

    test("lets the next visitor in by its button, and shows the line; the admin key is not in it", async () => {
      const visitor = world.visitor();
      const parked = await visitor.navigate(lineUris.url);
      expect(parked.state).toBe("waiting");
      const operator = world.visitor();
      const show = () => operator.navigate(`${lineUris.url}/line`);
      await expect.poll(async () => (await show()).body).toMatch(/Waiting<\/th><td>1<\/td>/);
      const shown = await show();
      const before = await serving();
      const page = await operator.navigate(shown.url, {
        method: "POST",
        body: new URLSearchParams({ token: tokenOf(shown.body), count: "1" }),
        from: shown.url,
      });
      expect([page.status, page.url.pathname, page.redirects.length]).toEqual([200, "/line", 1]);
      expect(page.body).not.toContain(ADMIN_KEY);
      await expect.poll(serving).toBe(before + 1);
      expect((await visitor.waitInLine(parked)).body).toContain("You are in");
    });

    test("takes no form of another page, no other count, and no other name of this computer", async () => {
      const before = await serving();
      const token = tokenOf((await world.visitor().navigate(`${lineUris.url}/line`)).body);
      const post = (form: Record<string, string>, headers = {}) =>
        world.http.request(`${lineUris.url}/line`, { method: "POST", body: new URLSearchParams(form), headers });
      const elsewhere = { host: "demo.attacker.example:3001" };
      const answers = [
        await post({ count: "1" }),
        await post({ token: `${token}x`, count: "1" }),
        await post({ token, count: "1" }, elsewhere),
        await world.http.get(`${lineUris.url}/line`, elsewhere),
        await post({ token, count: "1000" }),
        await post({ token, count: "1".repeat(2_000) }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 400, 413]);
      for (const { body } of answers) expect(body).not.toContain(token);
      expect(await serving()).toBe(before);
    });
  });

  test("a crowd stands in line without a warning of Node, is let in, is followed by newcomers, and leaves when it is closed", async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on("warning", onWarning);
    const { issuer } = world;
    const operator = createOperator({ issuer, room: "line", adminKey: ADMIN_KEY });
    const crowd = (size: number) =>
      startCrowd({ size, site: lineUris.url, operator, arriveEveryMs: 0, patienceMs: 50, newcomerEveryMs: 10 });
    const waiting = crowd(12);
    await expect.poll(async () => (await operator.look()).queued, { timeout: 30_000 }).toBe(12);
    await waiting.close();
    // Newcomers would have come: the line stays as long as it was.
    expect([(await operator.look()).waiting, waiting.inside()]).toEqual([12, 0]);
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);

    // The twelve are gone, and no longer ahead of others.
    const all = crowd(6);
    await expect.poll(async () => (await operator.look()).queued, { timeout: 30_000 }).toBe(6);
    await operator.admit(4);
    await expect.poll(() => all.inside(), { timeout: 30_000 }).toBe(4);
    await expect.poll(async () => (await operator.look()).queued, { timeout: 30_000 }).toBe(10);
    await all.close();
    expect(all.inside()).toBe(4);
  });
});
