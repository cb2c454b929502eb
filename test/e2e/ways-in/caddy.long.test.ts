// Long: starts Caddy; forward-auth.test.ts shows the rules that Caddy asks about.
/** A real Caddy with the configuration of docs/forward-auth.md in front of a site, and visitors who come through it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCaddy } from "../../support/caddy.ts";
import { freePort, freePorts } from "../../support/ports.ts";
import { memoryStore, startWorld, type World } from "../world.ts";
import { comesByDeepLink, documentedBlock, letIn, namesTakenForUshers, seen, startEchoSite } from "./proxied-site.ts";

const documented = documentedBlock("caddyfile");

describe("a site behind Caddy with forward_auth", () => {
  let world: World;
  /** Cookies know no ports, so the site has a name of its own. */
  let site: string;
  /** The documented configuration, with the addresses of the test. */
  let documentedAt: (port: number) => string;
  const stopped = [] as (() => Promise<unknown>)[];

  beforeAll(async () => {
    const [sitePort = 0, caddyPort = 0] = await freePorts(2);
    site = `http://127.0.0.1:${caddyPort}`;
    const settings = {
      targets: [`${site}/`, `${site}/*`],
      verify: { exempt: ["/assets/*"] },
    };
    world = await startWorld({ store: memoryStore, rooms: [{ id: "tickets", settings }] });
    stopped.push(() => world.stop());
    const server = await startEchoSite(sitePort);
    stopped.push(() => server.stop());
    documentedAt = (port) =>
      documented
        .replace("shop.example.com", `http://127.0.0.1:${port}`)
        .replaceAll("usher:3000", `127.0.0.1:${world.gateways[0]?.port}`)
        .replaceAll("shop:8080", `127.0.0.1:${sitePort}`);
    const caddy = await startCaddy({ port: caddyPort, sites: documentedAt(caddyPort) });
    stopped.push(() => caddy.stop());
  });
  afterAll(async () => {
    for (const stop of stopped.reverse()) await stop();
  });

  test("a deep link waits, comes back to its clean address, and the site hears who it is", async () => {
    await comesByDeepLink(world, site);
  });

  test("a page's own requests pass with the cookie; without one they get 401, and no redirect", async () => {
    const { visitor } = await letIn(world, `${site}/`);
    const posted = await visitor.fetch(`${site}/api/cart`, { method: "POST", body: { a: 1 } });
    expect([posted.status, seen(posted).method]).toEqual([200, "POST"]);
    const refused = await world.visitor().fetch(`${site}/api/cart`, { method: "POST", body: { a: 1 } });
    expect([refused.status, refused.header("location")]).toEqual([401, undefined]);
    expect(refused.json()).toMatchObject({ error: "admission_required" });
  });

  test("payment call-backs and assets pass, and nobody's own claims with them", async () => {
    const headers = Object.fromEntries(namesTakenForUshers.map((name) => [name, "somebody"]));
    const paid = await world.http.request(`${site}/webhooks/payment`, {
      method: "POST",
      body: { paid: true },
      headers,
    });
    expect(paid.status).toBe(200);
    expect(seen(paid).usher).toEqual({});
    const asset = await world.http.get(`${site}/assets/a.css`, headers);
    const claims = Object.entries(seen(asset).usher).filter(([, value]) => value !== "");
    expect([asset.status, Object.fromEntries(claims)]).toEqual([200, { "x-usher-room": "tickets" }]);
  });

  test("a visitor's own headers name no exempt path", async () => {
    const names = ["X-Original-URL", "X-Original-URI", "X-Forwarded-Uri", "X-Original-Method", "X-Forwarded-Method"];
    for (const name of names) {
      const page = await world.visitor().navigate(`${site}/checkout`, { headers: { [name]: "/assets/a.css" } });
      expect([name, page.url.pathname]).toEqual([name, "/rooms/tickets/enter"]);
    }
    // They stand in line now, and the others behind them.
    await world.admin.increment("tickets", names.length);
  });

  test("without route the headers are removed after forward_auth, and the claims with them", async () => {
    const port = await freePort();
    const told = documentedAt(port).replace(/ {2}route \{\n([\s\S]*)\n {2}\}\n/, "$1\n");
    expect(told).not.toBe(documentedAt(port));
    const caddy = await startCaddy({ port, sites: told });
    const { visitor } = await letIn(world, `${site}/`);
    const page = await visitor.navigate(`http://127.0.0.1:${port}/`);
    await caddy.stop();
    expect([page.status, seen(page).usher]).toEqual([200, {}]);
  });

  test("without the line for Connection a visitor can take claims away, and add none", async () => {
    const port = await freePort();
    const told = documentedAt(port).replace(/.*request_header Connection .*\n/, "");
    const caddy = await startCaddy({ port, sites: told });
    const { visitor, page } = await letIn(world, `${site}/`);
    const headers = { connection: "X-Usher-Sub" };
    const { "x-usher-sub": sub, ...others } = seen(page).usher;
    const taken = await visitor.navigate(`http://127.0.0.1:${port}/`, { headers });
    expect([sub, seen(taken).usher]).toEqual([expect.stringMatching(/^tickets\./), others]);
    await caddy.stop();
  });

  test("a WebSocket's Connection is left as it is", async () => {
    const { visitor } = await letIn(world, `${site}/`);
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    const page = await visitor.fetch(`${site}/`, { headers });
    expect([page.status, seen(page).upgrade]).toEqual([200, "websocket"]);
  });

  test("without an answer of Usher the site is closed; without forward_auth it is open", async () => {
    const [port = 0, nobody] = await freePorts(2);
    const alone = documentedAt(port).replace(/forward_auth @asked \S+/, `forward_auth @asked 127.0.0.1:${nobody}`);
    for (const [sites, status] of [
      [alone, 502],
      [alone.replace(/ {4}forward_auth [\s\S]*?\n {4}\}\n/, ""), 200],
    ] as const) {
      const caddy = await startCaddy({ port, sites });
      const page = await world
        .visitor()
        .navigate(`http://127.0.0.1:${port}/`, { headers: { "x-usher-sub": "somebody" } });
      expect(page.status).toBe(status);
      expect((await world.http.get(`http://127.0.0.1:${port}/webhooks/payment`)).status).toBe(200);
      if (status === 200) expect(seen(page).usher).toEqual({});
      await caddy.stop();
    }
  });

  test("an admission that has ended is refused", async () => {
    const { visitor, page } = await letIn(world, `${site}/`);
    const { "x-usher-sub": sub } = seen(page).usher;
    await world.admin.request("PATCH", `/rooms/tickets/admissions/${sub}`, { status: "completed" });
    await expect.poll(async () => (await visitor.navigate(`${site}/`)).state).toBe("waiting");
    await world.admin.increment("tickets", 1);
  });
});
