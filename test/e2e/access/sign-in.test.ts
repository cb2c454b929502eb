/**
 * Goal: people sign in with a browser, at a real OpenID Connect provider or with a key, and may do what their role says and no more;
 * a session works at all gateways, outlives restarts, and ends whenever it should; other sites can do nothing with it.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { csrfTokenOf } from "../../../src/operate/admin-api/sign-in/cookies.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { CLIENT, type PeopleProvider, startPeopleProvider } from "../../support/people-provider.ts";
import { freePort } from "../../support/ports.ts";
import type { Visitor } from "../../support/visitor.ts";
import { within } from "../../support/within.ts";
import { ownRedis } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const ports = [await freePort(), await freePort()];
const here = `http://localhost:${ports[0]}`;
const syncedMs = 3_000;
const logoutEvent = { "http://schemas.openid.net/event/backchannel-logout": {} };

const provider: PeopleProvider = await startPeopleProvider([here]);
const redis = ownRedis();
const { store } = redis;
const world = useWorld(() => ({
  store,
  ports,
  gateways: 2,
  rooms: [{ id: "one" }, { id: "two" }],
  config: {
    admin: {
      sign_in: {
        issuer: provider.issuer,
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        roles: [
          { claim: "realm_access.roles", value: "usher-admin", role: "admin" },
          { claim: "groups", value: "desk", role: "box_office", rooms: ["one"] },
          { claim: "groups", value: "readers", role: "viewer" },
        ],
      },
    },
  },
}));
const secrets: string[] = [];
afterAll(async () => {
  await provider.stop();
  for (const gateway of world().gateways) {
    expect(gateway.output()).not.toMatch(/uncaught|unhandled/i);
    for (const secret of secrets) expect(gateway.output()).not.toContain(secret);
  }
});

interface Browser {
  readonly visitor: Visitor;
  readonly csrf: string;
  readonly cookie: string;
}
interface Session {
  readonly principal: { readonly kind: string; readonly id: string; readonly role: string } | null;
  readonly csrf_token: string | null;
}

const originAt = (index: number) => world().gateways[index]?.origin ?? "";

async function sessionOf(cookie: string, index = 0): Promise<Session> {
  return (await world().http.get(`${originAt(index)}/admin/session`, { cookie })).json() as Session;
}

async function opened(visitor: Visitor): Promise<Browser> {
  const cookie = `usher-session=${visitor.jar.get("usher-session")?.value}`;
  const csrf = (await sessionOf(cookie)).csrf_token ?? "";
  secrets.push(cookie.slice("usher-session=".length));
  if (csrf !== "") secrets.push(csrf);
  return { visitor, csrf, cookie };
}

async function signIn(sub: string, claims: Record<string, unknown>, returnTo = "/admin/sign-in"): Promise<Browser> {
  provider.person = { sub, claims };
  const visitor = world().visitor();
  const page = await visitor.navigate(`${here}/admin/sign-in/start?return_to=${encodeURIComponent(returnTo)}`);
  expect([page.status, page.url.origin + page.url.pathname]).toEqual([200, here + returnTo]);
  return opened(visitor);
}

const postKey = (key: string, headers: Record<string, string> = { origin: here }, cookie = "") =>
  world().http.request(`${here}/admin/sign-in/key`, {
    method: "POST",
    headers: { ...headers, ...(cookie && { cookie }) },
    body: new URLSearchParams({ key }),
  });

async function signInWithKey(key: string): Promise<Browser> {
  const answer = await postKey(key);
  expect([answer.status, answer.header("location")]).toEqual([303, "/admin/sign-in"]);
  const visitor = world().visitor();
  for (const cookie of answer.setCookies) visitor.jar.store(new URL(here), cookie);
  return opened(visitor);
}

/** As a page of the operators' own sends it. */
const ask = (browser: Browser, index: number, method: string, path: string, body?: object, headers = {}) =>
  world().http.request(`${originAt(index)}/admin${path}`, {
    method,
    headers: { cookie: browser.cookie, origin: here, "x-csrf-token": browser.csrf, ...headers },
    ...(body !== undefined && { body }),
  });
const statusOf = async (browser: Browser, index: number, path = "/rooms/one") =>
  (await ask(browser, index, "GET", path)).status;

const logOut = (logout_token: string, index = 0) =>
  world().http.request(`${originAt(index)}/admin/sign-in/back-channel-logout`, {
    method: "POST",
    body: new URLSearchParams({ logout_token }),
  });

describe("people at a provider", () => {
  let ada: Browser;
  beforeAll(async () => {
    ada = await signIn("ada", { name: "Ada L", realm_access: { roles: ["usher-admin"] } });
  });

  test("a session that begins at one gateway works at the other, for the role and rooms of the rules", async () => {
    for (const index of [0, 1]) {
      expect((await sessionOf(ada.cookie, index)).principal).toEqual({
        kind: "person",
        id: "person:ada",
        name: "Ada L",
        role: "admin",
        rooms: null,
      });
    }
    const desk = await signIn("bob", { name: "Bob", groups: ["x", "desk"] });
    for (const index of [0, 1]) {
      const patch = (room: string, body: object) => ask(desk, index, "PATCH", `/rooms/${room}`, body);
      expect((await patch("one", { message: "Hello" })).status).toBe(200);
      expect((await patch("two", { message: "Hello" })).status).toBe(403);
      expect((await patch("one", { max_waiting: 5 })).status).toBe(403);
      expect(await statusOf(desk, index, "/sessions")).toBe(403);
    }
    const reader = await signIn("cy", { name: "Cy", groups: ["readers"] });
    expect(await statusOf(reader, 1)).toBe(200);
    expect((await ask(reader, 1, "PATCH", "/rooms/one", { message: "x" })).status).toBe(403);
  });

  test("whoever fits no rule is refused, on a page that says so, without a session", async () => {
    provider.person = { sub: "eve", claims: { name: "<b>Eve</b>", groups: ["desks"] } };
    const visitor = world().visitor();
    const page = await visitor.navigate(`${here}/admin/sign-in/start`);
    expect([page.status, page.body]).toEqual([
      403,
      expect.stringContaining("no rule of admin.sign_in gives you a role"),
    ]);
    expect(page.body).not.toContain("<b>Eve");
    expect(visitor.jar.get("usher-session")).toBeUndefined();
    expect(page.header("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  test("people are asked before a step that cannot be taken back, and the audit names them", async () => {
    const first = await ask(ada, 0, "POST", "/rooms/two/end");
    expect(first.status).toBe(428);
    const { confirm } = first.json() as { confirm: string };
    expect((await ask(ada, 1, "POST", "/rooms/two/end", undefined, { confirm })).status).toBe(200);
    const { rows } = (await ask(ada, 0, "GET", "/audit?limit=100")).json() as {
      rows: { route: string; principal: { id: string; name?: string } | null; error: string | null }[];
    };
    expect(rows.find(({ route, error }) => route.endsWith("/end") && error === null)?.principal).toEqual({
      kind: "person",
      id: "person:ada",
      name: "Ada L",
      role: "admin",
    });
    const signIns = rows.filter(({ route }) => route === "/sign-in/callback");
    expect(signIns.map(({ principal, error }) => principal?.id ?? error).sort()).toEqual([
      "forbidden",
      "person:ada",
      "person:bob",
      "person:cy",
    ]);
  });

  test("a change from elsewhere is refused: no token, another session's, another origin, none at all", async () => {
    const other = await signIn("ada", { name: "Ada L", realm_access: { roles: ["usher-admin"] } });
    const change = (headers: Record<string, string>) =>
      world().http.request(`${here}/admin/rooms/one`, {
        method: "PATCH",
        headers: { cookie: ada.cookie, ...headers },
        body: { message: "forged" },
      });
    const token = { "x-csrf-token": ada.csrf };
    for (const headers of [
      { origin: here },
      { origin: here, "x-csrf-token": other.csrf },
      { origin: "https://evil.example", ...token },
      { origin: here, "sec-fetch-site": "cross-site", ...token },
      token,
    ]) {
      expect((await change(headers as Record<string, string>)).status, JSON.stringify(headers)).toBe(403);
    }
    // A key alone decides where there is one, valid or not.
    expect((await change({ ...token, origin: here, authorization: "Bearer wrong" })).status).toBe(401);
    expect((await change({ authorization: `Bearer ${ADMIN_KEY}` })).status).toBe(200);
  });

  test("back-channel logout ends the sessions at all gateways, once for a token; no other token does", async () => {
    const dan = await signIn("dan", { name: "Dan", groups: ["readers"] });
    const bad = [
      "x",
      "x".repeat(20_000),
      await provider.logoutToken({ jti: "1", sub: "dan" }),
      await provider.logoutToken({ jti: "2", events: logoutEvent }),
      await provider.logoutToken({ jti: "3", sub: "dan", nonce: "n", events: logoutEvent }),
      await provider.logoutToken({ sub: "dan", events: logoutEvent }),
    ];
    for (const token of bad) expect((await logOut(token)).status, token.slice(0, 40)).toBe(400);
    expect(await statusOf(dan, 1)).toBe(200);
    const token = await provider.logoutToken({ jti: "good", sub: "dan", events: logoutEvent });
    secrets.push(token);
    expect((await logOut(token, 1)).status).toBe(200);
    expect((await logOut(token, 0)).status).toBe(400);
    await within(syncedMs, async () => expect([await statusOf(dan, 0), await statusOf(dan, 1)]).toEqual([401, 401]));
    expect(await statusOf(ada, 0)).toBe(200);
  });

  test("an answer that this browser did not ask for signs nobody in, and a sign-in leads nowhere else", async () => {
    const stranger = world().visitor();
    expect((await stranger.navigate(`${here}/admin/sign-in/callback?code=x&state=y`)).status).toBe(403);
    // The log tells it from a fault of the provider.
    const failed = { event: "request.failed", code: "sign_in_failed", path: "/admin/sign-in/callback" };
    const begun = world().visitor();
    await begun.navigate(`${here}/admin/sign-in/start`, { stopAt: () => true });
    expect((await begun.navigate(`${here}/admin/sign-in/callback?code=x&state=y`)).status).toBe(403);
    expect(begun.jar.get("usher-session")).toBeUndefined();
    await within(2_000, async () => {
      const lines = String(world().gateways[0]?.output()).split("\n");
      const logged = lines.filter((line) => line.includes("sign_in_failed")).map((line) => JSON.parse(line) as object);
      expect(logged).toContainEqual(expect.objectContaining({ ...failed, reason: expect.any(String) }));
    });
    // It was taken from the browser by the first try.
    expect(begun.jar.get("usher-sign-in")).toBeUndefined();
    for (const to of ["https://evil.example", "//evil.example", "/\\evil.example", "/%0a\n"]) {
      const page = await world().http.get(`${here}/admin/sign-in/start?return_to=${encodeURIComponent(to)}`);
      expect([page.status, page.setCookies], to).toEqual([400, []]);
    }
  });

  test("a copy of what the browser brought back signs nobody in a second time", async () => {
    provider.person = { sub: "hal", claims: { name: "Hal", groups: ["readers"] } };
    const visitor = world().visitor();
    const isBack = (url: URL) => url.pathname === "/admin/sign-in/callback";
    const { location } = await visitor.navigate(`${here}/admin/sign-in/start`, { stopAt: isBack });
    const cookie = `usher-sign-in=${visitor.jar.get("usher-sign-in")?.value}`;
    const back = () => world().http.get(String(location), { cookie });
    const [first, second] = [await back(), await back()];
    expect([first.status, second.status]).toEqual([303, 403]);
    expect(second.setCookies.filter((cookie) => cookie.startsWith("usher-session="))).toEqual([]);
    const rows = (await ask(ada, 0, "GET", "/audit?limit=100")).body;
    expect(rows).not.toContain(location?.searchParams.get("code"));
    // It made nothing that a path names.
    expect(rows).not.toContain('"made":"/sign-in');
  });

  test("signing out ends the session, and tells where the one at the provider ends", async () => {
    const fay = await signIn("fay", { name: "Fay", groups: ["readers"] });
    const forged = await ask({ ...fay, csrf: "x" }, 0, "POST", "/sign-out");
    expect([forged.status, await statusOf(fay, 0)]).toEqual([403, 200]);
    const answer = await ask(fay, 0, "POST", "/sign-out");
    const { end_session_url } = answer.json() as { end_session_url: string };
    expect([answer.status, new URL(end_session_url).origin]).toEqual([200, provider.issuer]);
    await within(syncedMs, async () => expect([await statusOf(fay, 0), await statusOf(fay, 1)]).toEqual([401, 401]));
  });

  test("signing out succeeds and clears the cookie whatever the session is worth, and no other site can do it", async () => {
    const ivy = await signIn("ivy", { name: "Ivy", groups: ["readers"] });
    const cleared = [expect.stringMatching(/^usher-session=; Max-Age=0;/)];
    const signOut = async (headers: Record<string, string>) => {
      const { status, setCookies, body } = await world().http.request(`${here}/admin/sign-out`, {
        method: "POST",
        headers,
      });
      return [status, setCookies, body.includes('"end_session_url":null')];
    };
    const own = { cookie: ivy.cookie, origin: here, "x-csrf-token": ivy.csrf };
    expect((await signOut({ ...own, origin: "https://evil.example" })).slice(0, 2)).toEqual([403, []]);
    expect(await statusOf(ivy, 0)).toBe(200);
    expect(await signOut(own)).toEqual([200, cleared, false]);
    // It has ended by now.
    expect(await signOut(own)).toEqual([200, cleared, true]);
    expect((await signOut({ ...own, "x-csrf-token": "x" })).slice(0, 2)).toEqual([403, []]);
    // No cookie of ours: there is nobody to protect, and no other site may take a cookie away.
    expect((await signOut({ origin: here, "x-csrf-token": "x" })).slice(0, 2)).toEqual([200, cleared]);
    expect((await signOut({ origin: "https://evil.example", "x-csrf-token": "x" })).slice(0, 2)).toEqual([403, []]);
  });

  test("an admin lists sessions, which open nothing, and ends one; a stream of events ends with it", async () => {
    const gus = await signIn("gus", { name: "Gus", groups: ["readers"] });
    const stream = await fetch(`${originAt(1)}/admin/events`, { headers: { cookie: gus.cookie } });
    expect(stream.status).toBe(200);
    const listed = await ask(ada, 0, "GET", "/sessions");
    for (const secret of secrets) expect(listed.body).not.toContain(secret);
    const { sessions } = listed.json() as { sessions: { id: string; principal: { id: string } }[] };
    const id = sessions.find(({ principal }) => principal.id === "person:gus")?.id ?? "";
    expect((await sessionOf(`usher-session=${id}`)).principal).toBeNull();
    expect((await ask(ada, 0, "DELETE", `/sessions/${id}`)).status).toBe(204);
    expect((await ask(ada, 0, "DELETE", `/sessions/${id}`)).status).toBe(404);
    await within(syncedMs, async () => expect(await statusOf(gus, 1)).toBe(401));
    // Ends, where it would go on for good.
    await stream.text();
  });

  test("sessions outlive a restart and an emptied store; while that is away known ones go on, and nobody signs in", async () => {
    await world().gateways[1]?.halt();
    await world().gateways[1]?.start();
    await world().gateways[1]?.waitUntilReady();
    expect(await statusOf(ada, 1)).toBe(200);
    await redis.server().kill();
    expect([await statusOf(ada, 0), (await postKey(ADMIN_KEY)).status]).toEqual([200, 503]);
    await redis.server().restart();
    await within(20_000, async () => expect([await statusOf(ada, 0), await statusOf(ada, 1)]).toEqual([200, 200]));
    await within(20_000, async () => expect((await postKey(ADMIN_KEY)).status).toBe(303));
  });
});

describe("with a key", () => {
  test("a session is worth what its key is, and ends when the key is revoked; a wrong key makes none", async () => {
    const made = await world().admin.request("POST", "/api-keys", { id: "brief", role: "viewer", rooms: ["one"] });
    const { secret } = made.json() as { secret: string };
    secrets.push(secret);
    const browser = await signInWithKey(secret);
    expect([await statusOf(browser, 0), await statusOf(browser, 0, "/rooms/two")]).toEqual([200, 403]);
    expect((await world().admin.request("DELETE", "/api-keys/brief")).status).toBe(204);
    expect(await statusOf(browser, 0)).toBe(401);
    const wrong = await postKey("wrong");
    expect([wrong.status, wrong.setCookies]).toEqual([401, []]);
    expect((await postKey(ADMIN_KEY, { origin: "https://evil.example" })).status).toBe(403);
  });

  test("a sign-in makes a session of its own, whatever the browser had, and ends that", async () => {
    const planted = await signInWithKey(ADMIN_KEY);
    const answer = await postKey(ADMIN_KEY, { origin: here }, planted.cookie);
    const [cookie = ""] = answer.setCookies;
    expect(cookie).toMatch(/^usher-session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
    secrets.push(cookie.slice(14, 57));
    expect([cookie.includes(planted.cookie), await statusOf(planted, 0)]).toEqual([false, 401]);
  });
});

// The last, since it uses up what this address may try.
test("who has no session signs out without a row in the audit and without a change, however often", async () => {
  const rowsOf = async () => {
    const { rows } = (await world().admin.request("GET", "/audit?route=/sign-out&limit=100")).json() as {
      rows: { status: number }[];
    };
    return rows.filter(({ status }) => status === 200).length;
  };
  const own = await signInWithKey(ADMIN_KEY);
  const before = await rowsOf();
  const statuses = new Set<number>();
  for (let each = 0; each < 200; each++) {
    const session = String(each).padStart(43, "x");
    const madeUp = each % 2 === 0 && { cookie: `usher-session=${session}` };
    const headers = { origin: here, "x-csrf-token": csrfTokenOf(session), ...madeUp };
    const answer = await world().http.request(`${here}/admin/sign-out`, { method: "POST", headers });
    statuses.add(answer.status);
    expect(answer.setCookies).toEqual([expect.stringMatching(/^usher-session=; Max-Age=0;/)]);
  }
  expect([[...statuses], await rowsOf()]).toEqual([[200], before]);
  // A session that there is ends, and has its row.
  expect((await ask(own, 0, "POST", "/sign-out")).status).toBe(200);
  expect([await statusOf(own, 0), await rowsOf()]).toEqual([401, before + 1]);
});
