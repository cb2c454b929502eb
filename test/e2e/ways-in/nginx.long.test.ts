// Long: starts nginx, and waits until tokens are worth nothing; forward-auth.test.ts shows the rules that nginx asks about.
/** A real nginx with the configuration of docs/forward-auth.md in front of a site, and visitors who come through it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Nginx, startNginx } from "../../support/nginx.ts";
import { freePort } from "../../support/ports.ts";
import { memoryStore, startWorld, type World } from "../world.ts";
import { comesByDeepLink, documentedBlock, letIn, namesTakenForUshers, seen, startEchoSite } from "./proxied-site.ts";

const documented = documentedBlock("nginx");

describe("a site behind nginx with auth_request", () => {
  let world: World;
  let nginx: Nginx;
  /** Cookies know no ports, so the site has a name of its own. */
  let site: string;
  const stopped = [] as (() => Promise<unknown>)[];

  beforeAll(async () => {
    const [sitePort, nginxPort] = [await freePort(), await freePort()];
    site = `http://127.0.0.1:${nginxPort}`;
    const settings = {
      targets: [`${site}/`, `${site}/*`],
      verify: { exempt: ["/assets/*"] },
      admission_token: { validity: "6s" },
    };
    const rooms = [{ id: "tickets", settings, admission: { duration: "5m" } }];
    world = await startWorld({ store: memoryStore, rooms });
    stopped.push(() => world.stop());
    const server = await startEchoSite(sitePort);
    stopped.push(() => server.stop());
    nginx = await startNginx({
      upstreamPorts: [],
      port: nginxPort,
      serverName: "127.0.0.1",
      locations: documented
        .replaceAll("http://shop", `http://127.0.0.1:${sitePort}`)
        .replaceAll("http://usher", `http://127.0.0.1:${world.gateways[0]?.port}`),
    });
    stopped.push(() => nginx.stop());
  });
  afterAll(async () => {
    for (const stop of stopped.reverse()) await stop();
  });

  test("a deep link waits, comes back to its clean address, and the site hears who it is", async () => {
    const page = await comesByDeepLink(world, site);
    expect(page.redirects.map(({ pathname, searchParams }) => [pathname, searchParams.has("usher_token")])).toEqual([
      ["/rooms/tickets/enter", false],
      ["/products/7", true],
    ]);
  });

  test("scripts and forms pass with the cookie; without one they get 401, and no redirect", async () => {
    const { visitor } = await letIn(world, `${site}/`);
    const posted = await visitor.fetch(`${site}/api/cart`, { method: "POST", body: { a: 1 } });
    expect([posted.status, seen(posted).method, seen(posted).body]).toEqual([200, "POST", '{"a":1}']);
    const stranger = world.visitor();
    const refused = await stranger.fetch(`${site}/api/cart`, { method: "POST", body: { a: 1 } });
    expect([refused.status, refused.header("location"), refused.header("www-authenticate")]).toEqual([
      401,
      undefined,
      'Bearer realm="tickets"',
    ]);
    const form = await stranger.navigate(`${site}/order`, { method: "POST", body: new URLSearchParams({ a: "1" }) });
    expect([form.status, form.redirects]).toEqual([401, []]);
  });

  test("payment call-backs and assets pass, and nobody's own claims with them", async () => {
    const { http } = world;
    const headers = Object.fromEntries(namesTakenForUshers.map((name) => [name, "somebody"]));
    const paid = await http.request(`${site}/webhooks/payment`, { method: "POST", body: { paid: true }, headers });
    expect([paid.status, seen(paid).body]).toEqual([200, '{"paid":true}']);
    expect(seen(paid).usher).toEqual({});
    const asset = await http.get(`${site}/assets/a.css`, headers);
    expect([asset.status, seen(asset).usher]).toEqual([200, { "x-usher-room": "tickets" }]);
  });

  test("a visitor's own headers name no exempt path", async () => {
    for (const name of [
      "X-Original-URL",
      "X-Original-URI",
      "X-Forwarded-Uri",
      "X-Original-Method",
      "X-Forwarded-Method",
    ]) {
      const page = await world.visitor().navigate(`${site}/checkout`, { headers: { [name]: "/assets/a.css" } });
      expect([name, page.url.pathname]).toEqual([name, "/rooms/tickets/enter"]);
    }
    // They stand in line now, and the others behind them.
    await world.admin.increment("tickets", 5);
  });

  test("the cookie is renewed while the visit goes on, and refused once the admission has ended", async () => {
    const { visitor, page } = await letIn(world, `${site}/`);
    const { "x-usher-sub": sub } = seen(page).usher;
    const own = () => visitor.jar.all().find(({ host }) => host === "127.0.0.1")?.value;
    const first = own();
    await expect.poll(async () => (await visitor.navigate(`${site}/`)).setCookies.length, { interval: 300 }).toBe(1);
    expect(own()).not.toBe(first);
    await world.admin.request("PATCH", `/rooms/tickets/admissions/${sub}`, { status: "completed" });
    const after = await visitor.navigate(`${site}/`);
    expect([after.url.origin, after.state]).toEqual([world.issuer, "waiting"]);
    await world.admin.increment("tickets", 1);
  });

  test("a wait that is longer than a token is good for ends at the page that was asked for", async () => {
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${site}/late?a=1`);
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    await world.admin.increment("tickets", 1);
    const page = await visitor.waitInLine(parked);
    expect([page.status, page.url.href]).toEqual([200, `${site}/late?a=1`]);
  });

  test("a link as long as they may be, with letters that browsers do not encode, is gone back to as it was", async () => {
    const query = `?filter={a|b}^${"%7C".repeat(1_000)}`;
    const address = `${site}/long${query}${"x".repeat(4_096 - `${site}/long${query}`.length)}`;
    const { page } = await letIn(world, address);
    expect([page.status, page.url.href]).toEqual([200, address]);
    const longer = await world.visitor().navigate(`${address}y`);
    expect(longer.url.search).toBe("");
    await world.admin.increment("tickets", 1);
  });

  test("the back button: the old link to the room leads back in, without another wait", async () => {
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${site}/back`);
    await world.admin.increment("tickets", 1);
    const page = await visitor.waitInLine(parked);
    const again = await visitor.navigate(parked.url);
    expect([again.status, again.url.href]).toEqual([200, `${site}/back`]);
    expect(seen(again).usher).toEqual(seen(page).usher);
    // Browsers keep no address that redirects; this visitor would come in by it, too.
    const handedOver = page.redirects.find(({ searchParams }) => searchParams.has("usher_token"));
    const replayed = await visitor.navigate(handedOver ?? "");
    expect([replayed.status, replayed.url.href]).toEqual([200, `${site}/back`]);
  });

  test("a second tab has the same place, and both get in where they wanted to go", async () => {
    const visitor = world.visitor();
    const tabs = [await visitor.navigate(`${site}/one`), await visitor.navigate(`${site}/two`)];
    expect(tabs[1]?.position).toBe(tabs[0]?.position);
    await world.admin.increment("tickets", 1);
    for (const [index, tab] of tabs.entries()) {
      expect((await visitor.waitInLine(tab)).url.href).toBe(`${site}/${index === 0 ? "one" : "two"}`);
    }
  });

  test("logout: the site's link ends the visit at once and comes back to the site; from elsewhere it asks", async () => {
    const { visitor } = await letIn(world, `${site}/`);
    const leave = `${world.issuer}/rooms/tickets/leave?return=${encodeURIComponent(`${site}/assets/bye.html`)}`;
    const question = await visitor.navigate(leave);
    expect([question.status, question.notice]).toEqual([200, "leave_confirm"]);
    const bye = await visitor.navigate(leave, { from: new URL(`${site}/account`), headers: { referer: `${site}/` } });
    expect([bye.status, bye.url.href]).toEqual([200, `${site}/assets/bye.html`]);
    const after = await visitor.navigate(`${site}/`);
    expect([after.url.origin, after.state]).toEqual([world.issuer, "waiting"]);
    await world.admin.increment("tickets", 1);
    const foreign = `${world.issuer}/rooms/tickets/leave?return=${encodeURIComponent("https://evil.example/")}`;
    expect((await visitor.navigate(foreign)).status).toBe(400);
  });

  test("a 401 of the site's own stays the site's", async () => {
    const { visitor } = await letIn(world, `${site}/`);
    const page = await visitor.navigate(`${site}/own-401`);
    expect([page.status, seen(page).url]).toEqual([401, "/own-401"]);
  });

  test("without an answer of Usher the site is closed, exempt paths too; what nobody is asked about is open", async () => {
    const { http, gateways } = world;
    await gateways[0]?.halt();
    const statusOf = async (path: string) => (await http.request(`${site}${path}`, { method: "POST" })).status;
    expect([await statusOf("/"), await statusOf("/assets/a.css"), await statusOf("/webhooks/payment")]).toEqual([
      500, 500, 200,
    ]);
    await gateways[0]?.start();
    await gateways[0]?.waitUntilReady();
  });
});
