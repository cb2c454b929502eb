// Long: each example is a process of its own; middlewares.long.test.ts shows the library that they use.
/** The examples as they stand, each a process of its own, with tokens of a real gateway. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accepts, freePort } from "../../support/ports.ts";
import { type Running, startProcess } from "../../support/processes.ts";
import { memoryStore, startWorld, type World } from "../world.ts";

describe("the examples", () => {
  let world: World;
  let express: { origin: string; process: Running };
  let koa: { origin: string; process: Running };
  const stopped = [] as (() => Promise<unknown>)[];

  async function startExample(name: string, room: string, port: number, env: Record<string, string> = {}) {
    const process_ = startProcess({
      name,
      command: process.execPath,
      args: [fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url))],
      env: { PATH: process.env.PATH, ISSUER: world.issuer, ROOM: room, PORT: String(port), ...env },
    });
    stopped.push(() => process_.stop());
    await process_.waitUntil(`${name} on port ${port}`, () => accepts(port));
    return { origin: `http://localhost:${port}`, process: process_ };
  }

  beforeAll(async () => {
    const [sitePort, apiPort] = [await freePort(), await freePort()];
    // Cookies know no ports, so the site has a name of its own.
    const site = `http://127.0.0.1:${sitePort}`;
    const settings = { targets: [`${site}/`, `${site}/products/*`, `${site}/goodbye`] };
    const rooms = [
      { id: "shop", settings },
      { id: "api", settings: { admission_token: { audience: "the-api", validity: "3s" } } },
    ];
    world = await startWorld({ store: memoryStore, rooms });
    stopped.push(() => world.stop());
    express = await startExample("express.mjs", "shop", sitePort, { SITE: site });
    express = { ...express, origin: site };
    koa = await startExample("koa.mjs", "api", apiPort, { AUDIENCE: "the-api" });
  });
  afterAll(async () => {
    for (const stop of stopped.reverse()) await stop();
  });

  test("express: a deep link waits in the room, comes back with a session, and its address is clean", async () => {
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${express.origin}/products/7?colour=blue`);
    expect([parked.position, parked.url.origin]).toEqual([1, world.issuer]);
    await world.admin.increment("shop", 1);
    const page = await visitor.waitInLine(parked);
    expect([page.status, page.body, page.url.href]).toEqual([
      200,
      "Product 7",
      `${express.origin}/products/7?colour=blue`,
    ]);
    const home = await visitor.navigate(express.origin);
    expect([home.redirects, home.body]).toEqual([[], expect.stringMatching(/^Welcome, shop\./)]);
  });

  test("express: a link that is shared lets in one browser, and makes nobody somebody else", async () => {
    await world.admin.increment("shop", 2);
    const visitor = world.visitor();
    const isHandOver = ({ origin }: URL) => origin === express.origin;
    const handed = await visitor.login(`${world.issuer}/rooms/shop/enter?target=${express.origin}/`, {
      stopAt: isHandOver,
    });
    const address = handed.location ?? new URL(express.origin);
    const own = await visitor.navigate(address);
    expect([own.url.href, own.body]).toEqual([`${express.origin}/`, expect.stringMatching(/^Welcome, shop\./)]);
    const friend = await world.visitor().navigate(address, { stopAt: ({ origin }) => origin === world.issuer });
    expect(friend.location?.pathname).toBe("/rooms/shop/enter");
    const other = world.visitor();
    const theirs = await other.login(`${world.issuer}/rooms/shop/enter?target=${express.origin}/`, {
      stopAt: isHandOver,
    });
    const still = await visitor.navigate(theirs.location ?? "");
    expect([still.url.href, still.body]).toEqual([`${express.origin}/`, own.body]);
  });

  test("express: logging out ends the session and the admission", async () => {
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${express.origin}/`);
    await world.admin.increment("shop", 1);
    await visitor.waitInLine(parked);
    const left = await visitor.navigate(`${express.origin}/logout`, { headers: { referer: `${express.origin}/` } });
    expect(left.redirects.map(({ pathname }) => pathname)).toEqual(["/logout", "/rooms/shop/leave"]);
    const after = await visitor.navigate(`${express.origin}/`);
    expect([after.url.origin, after.state]).toEqual([world.issuer, "waiting"]);
    await world.admin.increment("shop", 1);
  });

  test("express: a forged or used-up token sends to the room, and webhooks pass", async () => {
    const visitor = world.visitor();
    const page = await visitor.navigate(`${express.origin}/?usher_token=e30.e30.x&usher_token=y`);
    expect(page.url.pathname).toBe("/rooms/shop/enter");
    expect(page.url.searchParams.get("target")).toBe(`${express.origin}/`);
    const webhook = await world.http.request(`${express.origin}/webhooks/payment`, { method: "POST", body: {} });
    expect(webhook.json()).toEqual({ received: true });
    const trick = await world.http.get(`${express.origin}//evil.example/?usher_token=x`);
    expect(trick.header("location")).toContain(encodeURIComponent(`${express.origin}/evil.example/`));
  });

  test("koa: a token admits until it expires; refusals are told", async () => {
    const get = (token?: string) =>
      world.http.get(koa.origin, token === undefined ? {} : { authorization: `Bearer ${token}` });
    const none = await get();
    expect([none.status, none.header("www-authenticate"), none.json()]).toMatchObject([
      401,
      'Bearer realm="api"',
      { error: "missing" },
    ]);
    const tickets = `${world.issuer}/rooms/api/tickets`;
    const { ticket } = (await world.http.request(tickets, { method: "POST" })).json() as { ticket: string };
    expect((await get(ticket)).json()).toMatchObject({ error: "malformed" });
    await world.admin.increment("api", 1);
    const ask = () =>
      world.http.request(`${tickets}/me/token`, { method: "POST", headers: { authorization: `Bearer ${ticket}` } });
    await expect.poll(async () => (await ask()).status).toBe(200);
    const { token } = (await ask()).json() as { token: string };
    const admitted = await get(token);
    expect([admitted.status, admitted.json()]).toEqual([
      200,
      { sub: expect.stringMatching(/^api\./), queue_position: 1 },
    ]);
    expect((await get(`${token.slice(0, -8)}AAAAAAAA`)).json()).toMatchObject({ error: "forged" });
    // Its three seconds, and the five by which clocks may differ.
    await expect.poll(async () => (await get(token)).json(), { interval: 500 }).toMatchObject({ error: "expired" });
  });
});
