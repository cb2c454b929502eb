/**
 * Goal: where operators have an https address of their own, people sign in there at the provider, with cookies of that host alone, and
 * links for support lead there; the public address knows nothing of it. Method: nginx ends TLS in front of `admin.listen`.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Nginx, startNginx } from "../../support/nginx.ts";
import { CLIENT, type PeopleProvider, startPeopleProvider } from "../../support/people-provider.ts";
import { freePort } from "../../support/ports.ts";
import { memoryStore, startWorld, type World } from "../world.ts";

const HOST = "usher.internal.test";
let nginx: Nginx;
let provider: PeopleProvider;
let world: World;

beforeAll(async () => {
  const operators = await freePort();
  nginx = await startNginx({ upstreamPorts: [operators], serverName: HOST, tls: true, port: await freePort() });
  provider = await startPeopleProvider([nginx.origin]);
  world = await startWorld({
    store: memoryStore,
    rooms: [{ id: "one" }],
    ca: nginx.tls?.ca ?? "",
    config: {
      listen: { trusted_proxies: ["127.0.0.1/32"] },
      admin: {
        url: nginx.origin,
        listen: { host: "127.0.0.1", port: operators },
        sign_in: {
          issuer: provider.issuer,
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          roles: [{ claim: "groups", value: "desk", role: "box_office" }],
        },
      },
    },
  });
});
afterAll(async () => {
  await world?.stop();
  await provider?.stop();
  await nginx?.stop();
});

test("a person signs in at the provider, changes something and signs out, by cookies of this host alone", async () => {
  provider.person = { sub: "ada", claims: { name: "Ada L", groups: ["desk"] } };
  const visitor = world.visitor();
  const begun = await visitor.navigate(`${nginx.origin}/admin/sign-in/start`, { stopAt: () => true });
  expect(begun.location?.searchParams.get("redirect_uri")).toBe(`${nginx.origin}/admin/sign-in/callback`);
  const ofBeginning = visitor.jar.get("__Host-usher-sign-in");
  expect(ofBeginning).toMatchObject({ secure: true, httpOnly: true, hostOnly: true, path: "/", sameSite: "lax" });
  const page = await visitor.navigate(`${nginx.origin}/admin/sign-in/start`);
  expect([page.status, page.url.href]).toEqual([200, `${nginx.origin}/admin/sign-in`]);
  expect(page.body).toContain("Ada L");
  expect(visitor.jar.refused).toEqual([]);
  // What a sign-in that began left behind is gone.
  const own = visitor.jar.all().filter(({ host }) => host === HOST);
  expect(own).toEqual([
    expect.objectContaining({
      name: "__Host-usher-session",
      secure: true,
      httpOnly: true,
      hostOnly: true,
      path: "/",
      sameSite: "lax",
    }),
  ]);
  const cookie = `__Host-usher-session=${own[0]?.value}`;
  const session = async (header: string) =>
    (await world.http.get(`${nginx.origin}/admin/session`, { cookie: header })).json() as {
      principal: { id: string } | null;
      csrf_token: string;
    };
  const { principal, csrf_token: token } = await session(cookie);
  expect(principal).toMatchObject({ id: "person:ada", role: "box_office" });
  // A name without the prefix could be a neighbour's.
  expect((await session(cookie.replace("__Host-", ""))).principal).toBeNull();

  const change = (origin: string) =>
    world.http.request(`${nginx.origin}/admin/rooms/one`, {
      method: "PATCH",
      headers: { cookie, origin, "x-csrf-token": token },
      body: { message: "Hello" },
    });
  // The waiting room's own page is no page of the operators'.
  expect([(await change(nginx.origin)).status, (await change(world.issuer)).status]).toEqual([200, 403]);

  const out = await world.http.request(`${nginx.origin}/admin/sign-out`, {
    method: "POST",
    headers: { cookie, origin: nginx.origin, "x-csrf-token": token },
  });
  expect([out.status, out.setCookies]).toEqual([
    200,
    [expect.stringMatching(/^__Host-usher-session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax; Secure$/)],
  ]);
  const { end_session_url } = out.json() as { end_session_url: string };
  const { searchParams } = new URL(end_session_url);
  expect(searchParams.get("post_logout_redirect_uri")).toBe(`${nginx.origin}/admin/sign-in`);
  expect((await session(cookie)).principal).toBeNull();
});

test("a link for support leads to the operators' address and is opened there, by a cookie of this host alone", async () => {
  const joined = await world.http.request(`${world.issuer}/rooms/one/tickets`, { method: "POST" });
  const { position } = joined.json() as { position: number };
  const made = await world.admin.request("POST", `/rooms/one/visitors/${position}/debug-link`, {});
  const { url } = made.json() as { url: string };
  expect(url).toMatch(new RegExp(`^${nginx.origin}/admin/debug-link\\?token=`));
  const token = new URL(url).searchParams.get("token") ?? "";
  const press = (origin: string) =>
    world.http.request(`${nginx.origin}/admin/debug-link`, {
      method: "POST",
      headers: { origin },
      body: new URLSearchParams({ token }),
    });
  expect((await press(world.issuer)).status).toBe(403);
  const opened = await press(nginx.origin);
  expect([opened.status, opened.setCookies]).toEqual([
    303,
    [expect.stringMatching(/^__Host-usher-debug=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax; Secure$/)],
  ]);
  const cookie = String(opened.setCookies[0]).split(";")[0] ?? "";
  expect((await world.http.get(url, { cookie, accept: "text/html" })).body).toContain("in line");
});

test("the public address answers nothing of this", async () => {
  for (const path of ["/sign-in", "/sign-in/start", "/sign-in/link", "/session", "/debug-link"]) {
    expect((await world.http.get(`${world.issuer}/admin${path}`)).status, path).toBe(404);
  }
});
