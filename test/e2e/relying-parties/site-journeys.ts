import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePorts } from "../../support/ports.ts";
import { LOGOUT_PATH, type Site, type SiteOptions, siteUris } from "../../support/sites/site.ts";
import type { Page, Visitor } from "../../support/visitor.ts";
import { clientId, clientSecret, memoryStore, startWorld, type World } from "../world.ts";

export interface SoftwareUnderTest {
  name: string;
  start(options: SiteOptions): Promise<Site>;
  /** How long a site remembers a login, where the software lets one say so; milliseconds. */
  loginTimeoutMs?: number;
  /** How many logins a site remembers that it has begun in one browser; default: the newest only. */
  rememberedLogins?: "many";
  /** Resolves when the site has forgotten the login that `visitor` has begun. */
  forget(visitor: Visitor): Promise<void>;
  /** The software's own answers to callbacks. */
  answers: {
    /** … whose login it has forgotten. */
    late: number;
    /** … that it has finished before, when the visitor is in. */
    used: number;
  };
}

/** Of Usher's own, for the site that forgets. */
const USHER_LOGIN_TIMEOUT = "1s";
/** More than a site has to remember, and what a browser keeps of a cookie. */
const TABS = 12;
const COOKIE_BYTES_MAX = 4_096;
/** Longer than Usher's own. */
const CLOSED_MS = 1_100;

const ROOMS = [
  { id: "site", client: {} },
  { id: "forgetful", client: { login_timeout: USHER_LOGIN_TIMEOUT } },
  { id: "misjudged", client: {} },
  { id: "back", client: {} },
  { id: "tabs", client: {} },
  { id: "many-tabs", client: {} },
  { id: "older-tab", client: {} },
];

/** The browser is closed for a while: only cookies with an end of their own are there when it is opened again. */
export async function closeBrowser({ jar }: Visitor): Promise<void> {
  for (const { name, expiresMs } of jar.all()) if (expiresMs === undefined) jar.delete(name);
  await delay(CLOSED_MS);
}

/** Whole journeys through real relying-party software. Call it in a test file of the software's own. */
export function describeSite(software: SoftwareUnderTest): void {
  const { name, start, forget, answers, loginTimeoutMs, rememberedLogins } = software;
  describe(name, () => {
    const sites = new Map<string, Site>();
    let world: World;

    beforeAll(async () => {
      const ports = await freePorts(ROOMS.length);
      const rooms = ROOMS.map(({ id, client }, index) => {
        const { redirectUri, loggedOutUri, startUri } = siteUris(ports[index] ?? 0);
        const uris = { redirect_uris: [redirectUri], post_logout_redirect_uris: [loggedOutUri] };
        const memory = rememberedLogins === undefined ? {} : { remembered_logins: rememberedLogins };
        return { id, client: { ...uris, initiate_login_uri: startUri, ...memory, ...client } };
      });
      world = await startWorld({ store: memoryStore, rooms });
      for (const [index, { id }] of ROOMS.entries()) {
        const client = { issuer: world.issuer, clientId: clientId(id), clientSecret: clientSecret(id) };
        const isForgetful = id === "forgetful" || id === "misjudged";
        const timeout = isForgetful && loginTimeoutMs !== undefined ? { loginTimeoutMs } : {};
        sites.set(id, await start({ ...client, ...timeout, port: ports[index] ?? 0 }));
      }
    });
    afterAll(async () => {
      await world?.stop();
      await Promise.all([...sites.values()].map((site) => site.stop()));
    });

    const originOf = (room: string) => sites.get(room)?.origin ?? "";
    const seenBySite = (page: Page) => {
      expect(page.status, page.body.slice(0, 500)).toBe(200);
      return page.json() as { path: string; claims: Record<string, unknown> };
    };
    const pathsOf = (page: Page) => page.redirects.map(({ pathname }) => pathname);

    test("a visitor is parked, served, in at the page they asked for, and logs out", async () => {
      const origin = originOf("site");
      const visitor = world.visitor();
      const parked = await visitor.navigate(`${origin}/cart?item=7`);
      expect([parked.url.origin, parked.position]).toEqual([world.issuer, 1]);
      await world.admin.increment("site", 1);
      const inside = seenBySite(await visitor.waitInLine(parked));
      expect(inside.path).toBe("/cart?item=7");
      expect(inside.claims).toMatchObject({ iss: world.issuer, aud: clientId("site"), queue_position: 1 });
      expect((await visitor.navigate(`${origin}/checkout`)).redirects).toEqual([]);

      const goodbye = await visitor.navigate(`${origin}${LOGOUT_PATH}`);
      expect([goodbye.status, goodbye.url.pathname, goodbye.body]).toEqual([200, "/goodbye", "goodbye"]);
      expect((await visitor.navigate(`${origin}/`)).position).toBe(2);
    });

    test("a login that the site has forgotten during the wait starts afresh, and the place is kept", async () => {
      const origin = originOf("forgetful");
      const visitor = world.visitor();
      const parked = await visitor.navigate(`${origin}/`);
      await world.visitor().navigate(`${origin}/`);
      await forget(visitor);
      await world.admin.increment("forgetful", 1);
      const page = await visitor.waitInLine(parked);
      expect(seenBySite(page).claims.queue_position).toBe(1);
      // The line, the site's start, a fresh request, and the only callback.
      expect(pathsOf(page)).toEqual(["/authorize", "/", "/authorize", "/callback"]);
    });

    test("without the restart the site itself refuses such a login", async () => {
      const origin = originOf("misjudged");
      const visitor = world.visitor();
      const parked = await visitor.navigate(`${origin}/`);
      await forget(visitor);
      await world.admin.increment("misjudged", 1);
      const refused = await visitor.waitInLine(parked);
      expect([refused.url.pathname, refused.status]).toEqual(["/callback", answers.late]);
      expect(seenBySite(await visitor.navigate(`${origin}/`)).claims.queue_position).toBe(1);
    });

    test("the back button: the old request and the old callback leave the visitor in", async () => {
      const origin = originOf("back");
      const visitor = world.visitor();
      const parked = await visitor.navigate(`${origin}/cart`);
      await world.admin.increment("back", 1);
      const inside = await visitor.waitInLine(parked);
      const { claims } = seenBySite(inside);

      const oldRequest = await visitor.navigate(parked.url);
      expect(pathsOf(oldRequest)).toEqual(["/authorize"]);
      expect(seenBySite(oldRequest).claims.sub).toBe(claims.sub);

      const callback = inside.redirects.find(({ pathname }) => pathname === "/callback");
      expect((await visitor.navigate(callback ?? "")).status).toBe(answers.used);
      expect(seenBySite(await visitor.navigate(`${origin}/cart`)).claims.sub).toBe(claims.sub);
    });

    test("a second tab has the same place; the newer one gets in, and the site is open to both", async () => {
      const origin = originOf("tabs");
      const visitor = world.visitor();
      const older = await visitor.navigate(`${origin}/one`);
      const newer = await visitor.navigate(`${origin}/two`);
      expect([older.position, newer.position]).toEqual([1, 1]);
      await world.admin.increment("tabs", 1);
      expect(seenBySite(await visitor.waitInLine(newer)).path).toBe("/two");
      const inOlderTab = await visitor.navigate(`${origin}/one`);
      expect([seenBySite(inOlderTab).path, inOlderTab.redirects]).toEqual(["/one", []]);
    });

    test("however many logins a visitor begins, the newest gets in", async () => {
      const visitor = world.visitor();
      const tabs: Page[] = [];
      while (tabs.length < TABS) tabs.push(await visitor.navigate(`${originOf("many-tabs")}/tab/${tabs.length}`));
      await world.admin.increment("many-tabs", 1);
      const newest = await visitor.waitInLine(tabs.at(-1) as Page);
      expect(seenBySite(newest).path).toBe(`/tab/${TABS - 1}`);
      const sizes = visitor.jar.all().map(({ name, value }) => name.length + value.length);
      expect(Math.max(...sizes)).toBeLessThan(COOKIE_BYTES_MAX);
    });

    test("two tabs whose turn comes get in, the older one first", async () => {
      const origin = originOf("older-tab");
      const visitor = world.visitor();
      const older = await visitor.navigate(`${origin}/one`);
      const newer = await visitor.navigate(`${origin}/two`);
      await world.admin.increment("older-tab", 1);
      const inOlderTab = await visitor.waitInLine(older);
      const inNewerTab = await visitor.waitInLine(newer);
      const paths = [seenBySite(inOlderTab).path, seenBySite(inNewerTab).path];
      if (rememberedLogins === "many") {
        expect(paths).toEqual(["/one", "/two"]);
        expect(pathsOf(inOlderTab)).toEqual(["/authorize", "/callback"]);
      } else {
        // The site has forgotten the older login: a fresh one is begun at its start, and takes the newer one's place.
        expect(paths).toEqual(["/", "/"]);
        expect(pathsOf(inOlderTab)).toEqual(["/authorize", "/", "/authorize", "/callback"]);
        expect(pathsOf(inNewerTab)).toEqual(["/authorize"]);
      }
      expect(seenBySite(inNewerTab).claims.sub).toBe(seenBySite(inOlderTab).claims.sub);
    });
  });
}
