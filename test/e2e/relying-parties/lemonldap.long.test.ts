// Long: starts LemonLDAP::NG; apache.test.ts has the quick one of the real relying parties.
/** LemonLDAP::NG with the settings of its guide, started for the test: its portal is the relying party of a site behind it. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readGuide } from "../../support/guide.ts";
import { type Lemonldap, lemonldapClient, startLemonldap } from "../../support/lemonldap.ts";
import { freePorts } from "../../support/ports.ts";
import type { Page } from "../../support/visitor.ts";
import { clientId, clientSecret, memoryStore, startWorld, type World } from "../world.ts";

/** Of the portal, in `forgetful` and `misjudged`; it counts whole seconds. */
const STATE_TIMEOUT_SEC = 4;
const SERVED_AFTER_MS = (STATE_TIMEOUT_SEC + 1) * 1000 + 200;
/** `PE_OIDC_AUTH_ERROR`; the page's script puts words in its place. */
const OPENID_CONNECT_ERROR = 106;

const ROOMS = [
  { id: "site", changes: {} },
  { id: "forgetful", changes: { login_timeout: "1s" }, stateTimeoutSec: STATE_TIMEOUT_SEC },
  { id: "misjudged", changes: {}, stateTimeoutSec: STATE_TIMEOUT_SEC },
  { id: "tabs", changes: {} },
  { id: "back", changes: {} },
  { id: "open", changes: {} },
];

describe("LemonLDAP::NG", () => {
  const sites = new Map<string, Lemonldap>();
  let world: World;

  beforeAll(async () => {
    const ports = await freePorts(ROOMS.length);
    const rooms = ROOMS.map(({ id, changes }, index) => {
      const named = { client_id: clientId(id), client_secret: clientSecret(id), room: id };
      return { id, client: { ...lemonldapClient(ports[index] ?? 0), ...named, ...changes } };
    });
    world = await startWorld({ store: memoryStore, rooms });
    for (const [index, { id, stateTimeoutSec }] of ROOMS.entries()) {
      const client = { issuer: world.issuer, clientId: clientId(id), clientSecret: clientSecret(id) };
      const timeout = stateTimeoutSec === undefined ? {} : { stateTimeoutSec };
      sites.set(id, await startLemonldap({ ...client, ...timeout, port: ports[index] ?? 0 }));
    }
  });
  afterAll(async () => {
    await world?.stop();
    await Promise.all([...sites.values()].map((site) => site.stop()));
  });

  function siteOf(room: string): Lemonldap {
    const found = sites.get(room);
    if (found === undefined) throw new Error(`no site for ${room}`);
    return found;
  }

  /** The page of the site, whatever way led there. */
  function seenBySite(page: Page) {
    expect(page.headers["content-type"], `${page.url}: ${page.body.slice(0, 500)}`).toMatch(/^application\/json/);
    return page.json() as { path: string; told: Record<string, unknown> };
  }
  const pathsOf = (page: Page) => page.redirects.map(({ pathname }) => pathname);
  const isCallback = ({ searchParams }: URL) => searchParams.has("openidconnectcallback");

  test("a visitor is parked, served, in at the page they asked for with their claims, and logs out", async () => {
    const { origin } = siteOf("site");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/cart?item=7`);
    expect([parked.url.origin, parked.position]).toEqual([world.issuer, 1]);
    await world.admin.increment("site", 1);
    const inside = seenBySite(await visitor.waitInLine(parked));
    expect(inside.path).toBe("/cart?item=7");
    expect(inside.told).toEqual({
      HTTP_USHER_SUB: expect.stringMatching(/^site\.[\w-]+$/),
      HTTP_USHER_QUEUE_POSITION: 1,
    });
    expect((await visitor.navigate(`${origin}/checkout`)).redirects).toEqual([]);

    const goodbye = await visitor.navigate(`${origin}/logout`);
    expect([goodbye.status, goodbye.url.href]).toEqual([200, `${origin}/auth/?logout=1`]);
    expect((await visitor.navigate(`${origin}/`)).position).toBe(2);
  });

  test("what never queues is open, and nobody says there who they are", async () => {
    const { origin } = siteOf("site");
    const open = await world.visitor().navigate(`${origin}/assets/logo.png`, { headers: { "usher-sub": "somebody" } });
    expect([open.redirects, seenBySite(open)]).toEqual([[], { path: "/assets/logo.png", told: {} }]);
  });

  test("a login that the portal has forgotten during the wait starts afresh, and the place is kept", async () => {
    const { origin } = siteOf("forgetful");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/cart`);
    await world.visitor().navigate(`${origin}/`);
    await delay(SERVED_AFTER_MS);
    await world.admin.increment("forgetful", 1);
    const page = await visitor.waitInLine(parked);
    expect(seenBySite(page)).toMatchObject({ path: "/", told: { HTTP_USHER_QUEUE_POSITION: 1 } });
    // The line, the site's start, the portal, a fresh request, and the only callback.
    expect(pathsOf(page)).toEqual(["/authorize", "/", "/auth/", "/authorize", "/auth/"]);
    expect(page.redirects.filter(isCallback)).toHaveLength(1);
  });

  test("without the restart the portal itself refuses such a login", async () => {
    const { origin } = siteOf("misjudged");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/cart`);
    await delay(SERVED_AFTER_MS);
    await world.admin.increment("misjudged", 1);
    const refused = await visitor.waitInLine(parked);
    expect([refused.url.pathname, isCallback(refused.url)]).toEqual(["/auth/", true]);
    expect(refused.body).toContain(`trmsg="${OPENID_CONNECT_ERROR}"`);
    expect(seenBySite(await visitor.navigate(`${origin}/cart`)).told.HTTP_USHER_QUEUE_POSITION).toBe(1);
  });

  test("two tabs whose turn comes get in, the older one first", async () => {
    const { origin } = siteOf("tabs");
    const visitor = world.visitor();
    const older = await visitor.navigate(`${origin}/one`);
    const newer = await visitor.navigate(`${origin}/two`);
    expect([older.position, newer.position]).toEqual([1, 1]);
    await world.admin.increment("tabs", 1);
    const inOlderTab = seenBySite(await visitor.waitInLine(older));
    const inNewerTab = seenBySite(await visitor.waitInLine(newer));
    expect(inNewerTab).toEqual(inOlderTab);
    expect(inOlderTab.told.HTTP_USHER_QUEUE_POSITION).toBe(1);
  });

  test("the back button: the old request leads in again, and the old callback leaves the visitor in", async () => {
    const { origin } = siteOf("back");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/cart`);
    await world.admin.increment("back", 1);
    const inside = await visitor.waitInLine(parked);
    const { told } = seenBySite(inside);

    const oldRequest = await visitor.navigate(parked.url);
    expect([pathsOf(oldRequest), seenBySite(oldRequest).told]).toEqual([["/authorize"], told]);

    const oldCallback = await visitor.navigate(inside.redirects.find(isCallback) ?? "");
    expect([oldCallback.status, oldCallback.url.pathname]).toEqual([200, "/auth/"]);
    const page = await visitor.navigate(`${origin}/cart`);
    expect([page.redirects, seenBySite(page).told]).toEqual([[], told]);
  });

  test("the waiting room is taken out as the guide says: while everything runs, for those in line too", async () => {
    const { origin, change } = siteOf("open");
    const visitor = world.visitor();
    expect((await visitor.navigate(`${origin}/cart`)).position).toBe(1);
    expect(readGuide("lemonldap-ng").text).toContain("addKey locationRules/shop.example.com default unprotect`");
    await change({ locationRules: { localhost: { default: "unprotect" } } });
    await expect.poll(async () => (await visitor.navigate(`${origin}/cart`)).url.href).toBe(`${origin}/cart`);
  });
});
