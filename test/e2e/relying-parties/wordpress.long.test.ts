// Long: starts WordPress with MariaDB; apache.test.ts has the quick one of the real relying parties.
/**
 * A real WordPress with the settings of its guide. The plugin that logs visitors in is a double, since none of the registries has
 * it, unless WORDPRESS_OIDC_PLUGIN names a folder with the plugin itself.
 */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePorts } from "../../support/ports.ts";
import type { Page, Visitor } from "../../support/visitor.ts";
import {
  ASKED_EVERY_SEC,
  startDatabase,
  startWordpress,
  type Wordpress,
  wordpressClient,
} from "../../support/wordpress.ts";
import { submitForm } from "../form.ts";
import { clientId, clientSecret, memoryStore, startWorld, type World } from "../world.ts";

/** In `plain` the plugin is alone, and Usher expects that it has forgotten each login by the visitor's turn. */
const ROOMS = [
  { id: "site", changes: {}, withoutMustUse: false },
  { id: "plain", changes: { login_timeout: "1s" }, withoutMustUse: true },
];
/** Until the must-use plugin asks again, however the seconds fall. */
const ASKED_AGAIN_MS = (ASKED_EVERY_SEC + 1) * 1000;

interface Seen {
  path: string;
  title: string;
  user: string;
  logout: string;
}

describe("WordPress", () => {
  const sites = new Map<string, Wordpress>();
  const stopped: (() => Promise<unknown>)[] = [];
  let world: World;

  beforeAll(async () => {
    const ports = await freePorts(ROOMS.length);
    const rooms = ROOMS.map(({ id, changes }, index) => {
      // Where it starts a login follows from its profile.
      const named = {
        client_id: clientId(id),
        client_secret: clientSecret(id),
        room: id,
        initiate_login_uri: undefined,
      };
      return { id, client: { ...wordpressClient(ports[index] ?? 0), ...named, ...changes } };
    });
    world = await startWorld({ store: memoryStore, rooms });
    stopped.push(() => world.stop());
    const database = await startDatabase();
    stopped.push(() => database.stop());
    for (const [index, { id, withoutMustUse }] of ROOMS.entries()) {
      const client = { issuer: world.issuer, clientId: clientId(id), clientSecret: clientSecret(id) };
      const site = await startWordpress(database, { ...client, withoutMustUse, port: ports[index] ?? 0 });
      stopped.push(() => site.stop());
      sites.set(id, site);
    }
  });
  afterAll(async () => {
    for (const stop of stopped.reverse()) await stop();
  });

  const originOf = (room: string) => sites.get(room)?.origin ?? "";
  const pathsOf = (page: Page) => page.redirects.map(({ pathname }) => pathname);
  function seenBySite(page: Page): Seen {
    expect(page.headers["content-type"], `${page.url}: ${page.body.slice(0, 500)}`).toMatch(/^application\/json/);
    return page.json() as Seen;
  }
  async function letIn(room: string, path: string): Promise<{ visitor: Visitor; inside: Seen }> {
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${originOf(room)}${path}`);
    expect([parked.url.origin, parked.state], parked.body.slice(0, 300)).toEqual([world.issuer, "waiting"]);
    await world.admin.increment(room, 1);
    return { visitor, inside: seenBySite(await visitor.waitInLine(parked)) };
  }
  /** Follows WordPress's own link; where Usher asks, the answer is yes. */
  async function logOut(visitor: Visitor, { logout }: Seen): Promise<Page> {
    const answer = await visitor.navigate(logout);
    return answer.notice === "logout_confirm" ? submitForm(visitor, answer) : answer;
  }
  const revoke = (room: string, sub: string) =>
    world.admin.request("PATCH", `/rooms/${room}/admissions/${sub}`, { status: "revoked" });

  test("a visitor is parked, served, in at the page they asked for as a user of their own, and logs out", async () => {
    const { visitor, inside } = await letIn("site", "/cart/?item=7");
    expect(inside).toMatchObject({
      path: "/cart/?item=7",
      title: "Cart",
      user: expect.stringMatching(/^site\.[\w-]+$/),
    });
    expect((await visitor.navigate(`${originOf("site")}/cart/`)).redirects).toEqual([]);
    const goodbye = await logOut(visitor, inside);
    expect([goodbye.status, goodbye.url.href, goodbye.body]).toEqual([
      200,
      `${originOf("site")}/goodbye.html`,
      "goodbye",
    ]);
    const again = await visitor.navigate(`${originOf("site")}/cart/`);
    expect([again.state, again.position]).toEqual(["waiting", 2]);
    await world.admin.increment("site", 1);
  });

  test("files, the REST API and admin-ajax.php are never redirected", async () => {
    for (const path of ["/goodbye.html", "/wp-json/", "/wp-includes/css/dashicons.min.css"]) {
      const page = await world.visitor().navigate(`${originOf("site")}${path}`);
      expect([path, page.status, page.redirects]).toEqual([path, 200, []]);
    }
    // WordPress's own answer to an action that nobody takes.
    const page = await world.visitor().navigate(`${originOf("site")}/wp-admin/admin-ajax.php?action=none`);
    expect([page.status, page.body]).toEqual([400, "0"]);
  });

  test("a visitor whose admission the operator ends is in line again, and others stay in", async () => {
    const { visitor, inside } = await letIn("site", "/cart/");
    const other = await letIn("site", "/cart/");
    await delay(ASKED_AGAIN_MS);
    expect(seenBySite(await visitor.navigate(`${originOf("site")}/cart/`)).user).toBe(inside.user);
    await revoke("site", inside.user);
    await delay(ASKED_AGAIN_MS);
    const page = await visitor.navigate(`${originOf("site")}/cart/?item=8`);
    expect([page.url.origin, page.state]).toEqual([world.issuer, "waiting"]);
    expect(pathsOf(page).slice(0, 2)).toEqual(["/cart/", "/cart/"]);
    await world.admin.increment("site", 1);
    expect(seenBySite(await visitor.waitInLine(page)).path).toBe("/cart/?item=8");
    expect(seenBySite(await other.visitor.navigate(`${originOf("site")}/cart/`)).user).toBe(other.inside.user);
  });

  test("a login that the site may have forgotten starts afresh, and place and page are kept", async () => {
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${originOf("plain")}/cart/`);
    await delay(1_100);
    await world.admin.increment("plain", 1);
    const page = await visitor.waitInLine(parked);
    expect(pathsOf(page).slice(0, 3)).toEqual(["/authorize", "/wp-login.php", "/authorize"]);
    // The plugin sends no page with its requests, so it is the first one on the client's list.
    expect(seenBySite(page).path).toBe("/");
  });

  test("two tabs whose turn comes get in, each at its page", async () => {
    const visitor = world.visitor();
    const older = await visitor.navigate(`${originOf("site")}/cart/?tab=1`);
    const newer = await visitor.navigate(`${originOf("site")}/cart/?tab=2`);
    expect(newer.position).toBe(older.position);
    await world.admin.increment("site", 1);
    const paths = [await visitor.waitInLine(older), await visitor.waitInLine(newer)].map(
      (page) => seenBySite(page).path,
    );
    expect(paths).toEqual(["/cart/?tab=1", "/cart/?tab=2"]);
  });

  test("the plugin alone: whom the operator sends away stays in; its Log Out ends the admission, and leads into the line", async () => {
    const { visitor, inside } = await letIn("plain", "/cart/");
    await revoke("plain", inside.user);
    await delay(ASKED_AGAIN_MS);
    expect(seenBySite(await visitor.navigate(`${originOf("plain")}/cart/`)).user).toBe(inside.user);

    const next = await letIn("plain", "/cart/");
    const home = await logOut(next.visitor, next.inside);
    expect([home.url.origin, home.state]).toEqual([world.issuer, "waiting"]);
    expect(home.redirects.map(({ href }) => href)).toContain(`${originOf("plain")}/`);
  });

  test("while Usher is away visitors stay in", async () => {
    const { visitor, inside } = await letIn("site", "/cart/");
    await delay(ASKED_AGAIN_MS);
    for (const gateway of world.gateways) await gateway.stop();
    const page = await visitor.navigate(`${originOf("site")}/cart/`);
    expect([seenBySite(page).user, page.redirects]).toEqual([inside.user, []]);
  });
});
