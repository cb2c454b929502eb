/** Apache with mod_auth_openidc, started for the test: whole logins. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Apache, apacheUris, startApache } from "../../support/apache.ts";
import { freePorts } from "../../support/ports.ts";
import { clientId, clientSecret, memoryStore, startWorld, type World } from "../world.ts";

const sendParameter = (path: string, parameter: string) => [
  `<Location ${path}>`,
  `  OIDCPathAuthRequestParams ${parameter}`,
  "</Location>",
];
/** Every login that is begun below `/api/` says so. */
const sendTarget = (target: string) => sendParameter("/api/", `target_link_uri=${encodeURIComponent(target)}`);
/** What logins ask for that are begun below a path, and what they are refused with. */
const refusedLogins: Record<string, [parameter: string, error: string]> = {
  "/silent/": ["prompt=none", "login_required"],
  "/object/": ["request=e30.e30.", "request_not_supported"],
  "/age/": ["max_age=young", "invalid_request"],
};

describe("Apache with mod_auth_openidc", () => {
  const apaches = new Map<string, Apache>();
  let world: World;

  beforeAll(async () => {
    const ports = await freePorts(6);
    const client = (port = 0) => {
      const { origin, redirectUri, loggedOutUri } = apacheUris(port);
      return {
        profile: "apache",
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [loggedOutUri],
        initiate_login_uri: `${origin}/`,
      };
    };
    const rooms = [
      { id: "site", client: client(ports[0]) },
      {
        id: "deep",
        client: {
          ...client(ports[1]),
          login_timeout: "1s",
          initiate_login_uri: undefined,
          target_link_uris: [`${apacheUris(ports[1] ?? 0).origin}/*`],
        },
      },
      { id: "tabs", client: client(ports[2]) },
      { id: "back", client: client(ports[3]) },
      {
        id: "told",
        client: {
          ...client(ports[4]),
          backchannel_logout_uri: `${apacheUris(ports[4] ?? 0).redirectUri}?logout=backchannel`,
        },
      },
      { id: "refused", client: client(ports[5]) },
    ];
    world = await startWorld({ store: memoryStore, rooms });
    for (const [index, { id }] of rooms.entries()) {
      const options = { issuer: world.issuer, clientId: clientId(id), clientSecret: clientSecret(id) };
      const lines: Record<string, readonly string[]> = {
        deep: sendTarget(`${apacheUris(ports[index] ?? 0).origin}/api/`),
        refused: Object.entries(refusedLogins).flatMap(([path, [parameter]]) => sendParameter(path, parameter)),
      };
      const extraLines = lines[id] ?? [];
      apaches.set(id, await startApache({ ...options, extraLines, port: ports[index] ?? 0 }));
    }
  });
  afterAll(async () => {
    await world?.stop();
    await Promise.all([...apaches.values()].map((apache) => apache.stop()));
  });

  function apache(room: string): Apache {
    const found = apaches.get(room);
    if (found === undefined) throw new Error(`no Apache for ${room}`);
    return found;
  }

  test("a visitor is parked, served, let in with their claims, and logs out", async () => {
    const { origin } = apache("site");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/?page=7`);
    expect(parked.url.origin).toBe(world.issuer);
    expect(parked.position).toBe(1);

    await world.admin.increment("site", 1);
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
    const { origin, errorLog } = apache("told");
    const [visitor, other] = [world.visitor(), world.visitor()];
    for (const each of [visitor, other]) {
      const parked = await each.navigate(`${origin}/`);
      await world.admin.increment("told", 1);
      expect((await each.waitInLine(parked)).url.origin, errorLog()).toBe(origin);
    }
    const { body } = await visitor.navigate(`${origin}/`);
    const [, sub = ""] = /OIDC_CLAIM_sub=(told\.[\w-]+)/.exec(body) ?? [];
    await world.admin.request("PATCH", `/rooms/told/admissions/${sub}`, { status: "revoked" });
    const isInside = async () => (await visitor.navigate(`${origin}/`)).url.origin === origin;
    await expect.poll(isInside, { message: errorLog() }).toBe(false);
    expect((await visitor.navigate(`${origin}/`)).position).toBeGreaterThan(1);
    expect((await other.navigate(`${origin}/`)).url.origin).toBe(origin);
    expect(world.gateways[0]?.output()).not.toContain("backchannel_logout.failed");
  });

  test("a restart at the redirect URI, as a third party begins logins, keeps the page that the visitor wants", async () => {
    const { origin, errorLog } = apache("deep");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/api/`);
    expect(parked.url.searchParams.get("target_link_uri")).toBe(`${origin}/api/`);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await world.admin.increment("deep", 1);
    const inside = await visitor.waitInLine(parked);
    expect([inside.status, inside.url.href], errorLog()).toEqual([200, `${origin}/api/`]);
    expect(inside.redirects.map(({ pathname }) => pathname)).toEqual([
      ...["/authorize", "/oidc/callback", "/authorize", "/oidc/callback"],
    ]);
    expect(Object.fromEntries(inside.redirects[1]?.searchParams ?? [])).toEqual({
      iss: world.issuer,
      target_link_uri: `${origin}/api/`,
    });
  });

  test("it remembers several logins: two tabs get in where they wanted to go, the older one first", async () => {
    const { origin, errorLog } = apache("tabs");
    const visitor = world.visitor();
    const tabs = [await visitor.navigate(`${origin}/?tab=1`), await visitor.navigate(`${origin}/?tab=2`)];
    await world.admin.increment("tabs", 1);
    for (const [index, tab] of tabs.entries()) {
      const inside = await visitor.waitInLine(tab);
      expect([inside.status, inside.url.href], errorLog()).toEqual([200, `${origin}/?tab=${index + 1}`]);
    }
  });

  test("the back button: the old request leads in again, and the old callback leaves the visitor in", async () => {
    const { origin, errorLog } = apache("back");
    const visitor = world.visitor();
    const parked = await visitor.navigate(`${origin}/?page=7`);
    await world.admin.increment("back", 1);
    const inside = await visitor.waitInLine(parked);
    const sub = /OIDC_CLAIM_sub=(\S+)/.exec(inside.body)?.[1];

    const oldRequest = await visitor.navigate(parked.url);
    expect([oldRequest.status, oldRequest.url.origin], errorLog()).toEqual([200, origin]);
    expect(oldRequest.body).toContain(`OIDC_CLAIM_sub=${sub}`);

    const callback = inside.redirects.find(({ pathname }) => pathname === "/oidc/callback");
    const oldCallback = await visitor.navigate(callback ?? "");
    expect([oldCallback.status, oldCallback.url.origin], errorLog()).toEqual([200, origin]);
    const page = await visitor.navigate(`${origin}/?page=8`);
    expect([page.redirects, page.body.includes(`OIDC_CLAIM_sub=${sub}`)]).toEqual([[], true]);
  });

  test.each(Object.entries(refusedLogins))(
    "a login refused below %s ends with the reason, and not in a loop",
    async (path, [, error]) => {
      const { origin, errorLog } = apache("refused");
      const answer = await world.visitor().navigate(`${origin}${path}`);
      expect([answer.status, answer.url.pathname], errorLog()).toEqual([200, "/oidc/callback"]);
      expect(answer.body).toContain(error);
      expect(answer.redirects.map(({ pathname }) => pathname)).toEqual([path, "/authorize"]);
    },
  );

  test("a script's request without a login takes no place", async () => {
    const answer = await world.visitor().fetch(`${apache("site").origin}/api/`);
    expect([answer.status, answer.header("location")]).toEqual([401, undefined]);
  });
});
