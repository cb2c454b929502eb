/** Rehearsals through a real relying party and by the link to a room; what is refused, and a stop in the middle. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDemoSite, type DemoSite, demoSiteUris } from "../../../examples/demo/site.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { freePorts } from "../../support/ports.ts";
import { runUsher, type Surroundings } from "../../support/usher-command.ts";
import { within } from "../../support/within.ts";
import { clientId, clientSecret, memoryStore, startWorld, type World } from "../world.ts";
import type { RehearsalReport } from "./report.ts";

const open = { inlet: { type: "periodic", outflow_per_minute: 600 } };
const rehearsal = { rehearsal: true };
const target = "https://shop.example.test/";

let world: World;
let siteUrl = "";
let saleUrl = "";
const sites: DemoSite[] = [];

beforeAll(async () => {
  const ports = await freePorts(2);
  const [shop, sale] = ports.map(demoSiteUris) as [ReturnType<typeof demoSiteUris>, ReturnType<typeof demoSiteUris>];
  [siteUrl, saleUrl] = [shop.url, sale.url];
  const clientAt = ({ redirectUri, postLogoutRedirectUri, initiateLoginUri }: typeof shop) => ({
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [postLogoutRedirectUri],
    initiate_login_uri: initiateLoginUri,
  });
  world = await startWorld({
    store: memoryStore,
    rooms: [
      { id: "shop", ...open, settings: rehearsal, client: clientAt(shop) },
      { id: "sale", ...open, client: clientAt(sale) },
      // The site of the sale may lead here, if it says so; it does not.
      {
        id: "second",
        ...open,
        settings: rehearsal,
        client: { room: undefined, rooms: ["sale", "second"], ...clientAt(sale) },
      },
      // Its client is of another room, so the link is the only way.
      { id: "links", ...open, settings: { ...rehearsal, targets: [target] }, client: { room: "halted" } },
      { id: "pushed", ...open, settings: rehearsal, client: { require_pushed_authorization_requests: true } },
      { id: "shut", ...open, settings: { ...rehearsal, schedule: { opens_at: "2035-01-01T00:00:00Z" } } },
      { id: "halted", ...open, settings: rehearsal },
    ],
  });
  for (const [index, id] of ["shop", "sale"].entries()) {
    const site = createDemoSite({
      issuer: world.issuer,
      clientId: clientId(id),
      clientSecret: clientSecret(id),
      port: ports[index] ?? 0,
      host: "127.0.0.1",
    });
    await site.start();
    sites.push(site);
  }
  await world.admin.step("halted", "pause");
});
afterAll(async () => {
  for (const site of sites) await site.close();
  await world?.stop();
});

const usher = (args: readonly string[], around: Surroundings = {}) =>
  runUsher(["rehearse", ...args], {
    env: { USHER_ADMIN: world.issuer, USHER_ADMIN_API_KEY: ADMIN_KEY },
    ...around,
  });

async function played(args: readonly string[], around: Surroundings = {}) {
  const run = await usher([...args, "--minutes", "1", "--seed", "1", "--json"], around);
  const report = JSON.parse(run.printed) as RehearsalReport;
  return { ...run, report, mend: report.mend.filter(({ about }) => about !== "latency" && about !== "rehearsal") };
}

const roomOf = async (room: string) =>
  (await world.admin.request("GET", `/rooms/${room}`)).json() as Record<string, number>;

describe.concurrent("a rehearsal", () => {
  test("through a real relying party: each visitor who is let in comes to the site's page", async () => {
    const { report, mend } = await played(["shop", "--visitors", "60", "--site", siteUrl, "--tabs", "30"]);
    expect(mend).toEqual([]);
    const { visitors, requests, gateways } = report;
    const admitted = 60 - visitors.no_shows;
    expect(report.way).toBe("site");
    expect(visitors).toMatchObject({ arrived: 60, joined: 60, admitted, gave_up: 0, waiting: 0, ghosts: 0 });
    expect(visitors.logins).toBeGreaterThanOrEqual(admitted);
    expect(gateways?.differences).toEqual({ joined: 0, admitted: 0 });
    // From the site, back to it, and its page.
    expect(requests.site?.count).toBeGreaterThanOrEqual(60 + 2 * admitted);
    expect(requests.join?.count).toBe(60);
    await within(5_000, async () => expect(await roomOf("shop")).toMatchObject({ live_admissions: 0 }));
    // The gateway keeps the result, for the console.
    const { last } = (await world.admin.request("GET", "/rooms/shop/rehearsal")).json() as { last: object };
    const differences = { joined: 0, admitted: 0 };
    expect(last).toMatchObject({ way: "site", visitors: 60, joined: 60, admitted, differences, changed_since: [] });
    // The other room of the site's host was not touched.
    expect(await roomOf("sale")).toMatchObject({ queued: 0, live_admissions: 0 });
  });

  test("that is stopped says what was seen until then, and its visitors leave", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 8_000);
    const { report, code, failure } = await played(["links", "--visitors", "50"], { stop: stop.signal });
    expect([report.way, report.stopped]).toEqual(["link", true]);
    expect(report.visitors.admitted).toBeGreaterThan(0);
    expect(report.seconds).toBeLessThan(25);
    expect([code, failure]).toEqual([1, expect.stringContaining("stopped before its end")]);
    expect(report.visitors.arrived).toBeLessThan(50);
    expect(report.gateways?.differences).toEqual({ joined: 0, admitted: 0 });
  });
});

describe("refused before anybody comes", () => {
  test.each<[string, string[], number, RegExp]>([
    ["a room that is not marked", ["sale"], 1, /^sale is not marked for rehearsals, .*rehearsal: true/],
    ["no such room", ["nowhere"], 1, /^unknown_room/],
    ["a room before its line", ["shut"], 1, /^shut is idle: usher open shut/],
    ["a paused room", ["halted"], 1, /^halted is paused: usher resume halted/],
    ["a client of another room", ["shop", "--client", "site-sale"], 1, /no client of shop; there are: site-shop/],
    ["a client that pushes", ["pushed"], 1, /pushed authorization requests alone.*--site/],
    [
      "a host that is not the installation's",
      ["shop", "--site", "https://shop.example/"],
      1,
      /no host of this installation/,
    ],
    ["an address of no page", ["shop", "--site", "shop"], 2, /expected the address of a page/],
    [
      "an address with a password",
      ["shop", "--site", "http://me:secret@localhost/"],
      2,
      /expected the address of a page/,
    ],
    ["two ways in", ["shop", "--site", "http://localhost/", "--client", "site-shop"], 2, /exclude each other/],
    ["too many visitors", ["shop", "--visitors", "100001"], 2, /1 to 100000/],
    ["nobody", ["shop", "--visitors", "0"], 2, /1 to 100000/],
    ["a part of a visitor", ["shop", "--visitors", "1.5"], 2, /whole number/],
    ["a day", ["shop", "--minutes", "1440"], 2, /1 to 120/],
    ["a share of more than all", ["shop", "--reloads", "101"], 2, /0 to 100/],
    ["too many connections", ["shop", "--connections", "2001"], 2, /1 to 2000/],
    ["no room", [], 2, /missing required argument/],
  ])("%s", async (_, args, code, words) => {
    const run = await usher(args);
    expect([run.code, run.printed]).toEqual([code, ""]);
    expect(run.failure.replace(/^error: /, "")).toMatch(words);
    expect(run.failure).not.toContain("secret");
  });

  test("a site that leads to another room: nobody takes a place there", async () => {
    const run = await usher(["second", "--site", saleUrl]);
    expect([run.code, run.failure]).toEqual([1, expect.stringContaining("it does not lead to second")]);
    expect(await roomOf("sale")).toMatchObject({ queued: 0 });
  });

  test("a page that the site shows to everybody", async () => {
    const run = await usher(["shop", "--site", `${siteUrl}/?state=logged-out`]);
    expect([run.code, run.failure]).toEqual([1, expect.stringMatching(/answered 200, and not with a login at Usher/)]);
  });

  test("an issuer that nobody answers at", async () => {
    const [port = 0, adminPort = 0] = await freePorts(2);
    const away = await startWorld({
      store: memoryStore,
      rooms: [{ id: "shop", ...open, settings: rehearsal }],
      issuer: `http://localhost:${port}`,
      config: { admin: { listen: { port: adminPort } } },
    });
    const env = { USHER_ADMIN: `http://127.0.0.1:${adminPort}`, USHER_ADMIN_API_KEY: ADMIN_KEY };
    const run = await usher(["shop"], { env }).finally(() => away.stop());
    expect([run.code, run.failure]).toEqual([
      1,
      expect.stringMatching(/does not answer \(ECONNREFUSED\): start the proxy/),
    ]);
  });

  test("without the role for it, and without a key", async () => {
    const weak = { USHER_ADMIN: world.issuer, USHER_ADMIN_API_KEY: "of-nobody-0123456789abcdef0123456789" };
    expect((await usher(["shop"], { env: weak })).failure).toMatch(/^unauthorized/);
    const none = await usher(["shop"], { env: { USHER_ADMIN: world.issuer } });
    expect([none.code, none.failure]).toEqual([1, expect.stringContaining("has the role operator for the room")]);
  });
});
