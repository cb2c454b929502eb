/** Addresses, forms, cookies and claims that are larger than anybody needs. */
import { describe, expect, test } from "vitest";
import { pairsMax, targetLengthMax } from "../../../src/lib/request.ts";
import { clientId, clientSecret, memoryStore, useWorld } from "../world.ts";

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "shop" }, { id: "open" }] }));

const ticketName = "usher-shop";

test("other cookies of the host, up to 60 kB, do no harm", async () => {
  const others = Array.from({ length: 20 }, (_, index) => `other-${index}=${"x".repeat(2_900)}`);
  const visitor = world().visitor();
  const { url } = world().relyingParty("shop").startLogin();
  const first = await visitor.navigate(url);
  const own = visitor.jar.header(url) ?? "";
  const again = await world()
    .visitor({ acceptsCookies: false })
    .navigate(url, { headers: { cookie: [...others.slice(0, 10), own, ...others.slice(10)].join("; ") } });
  expect([again.status, again.position]).toEqual([200, first.position]);
});

test("beyond 64 kB of headers the answer is 431, and the next visitor is served", async () => {
  const { url } = world().relyingParty("shop").startLogin();
  const refused = await world()
    .http.request(url, { headers: { cookie: `a=${"x".repeat(70_000)}` } })
    .then(
      ({ status }) => status,
      // The connection is closed, which may come before the answer has been read.
      () => 431,
    );
  expect(refused).toBe(431);
  expect((await world().visitor().navigate(url)).status).toBe(200);
});

test("a ticket or stamp of 5 kB is none: the visitor joins like anybody", async () => {
  const long = "c1.".padEnd(5_000, "A");
  for (const cookie of [`${ticketName}=${long}`, `${ticketName}.arrival=${long}`]) {
    const page = await world()
      .visitor()
      .navigate(world().relyingParty("shop").startLogin().url, { headers: { cookie } });
    expect([page.status, page.state]).toEqual([200, "waiting"]);
    expect(page.setCookies.some((set) => set.startsWith(`${ticketName}=`))).toBe(true);
  }
});

test.each([
  ["wishes for others' claims", JSON.stringify({ id_token: { email: { essential: true }, admin: { value: true } } })],
  ["nonsense", "{"],
  ["2,000 levels", "[".repeat(2_000)],
])("a claims parameter with %s changes nothing: the client gets its own claims", async (_, claims) => {
  await world().admin.request("POST", "/rooms/open/passthrough");
  const site = world().relyingParty("open");
  const login = site.startLogin({ claims });
  const callback = await world().visitor().navigate(login.url, { stopAt: site.isCallback });
  const { claims: got } = await site.finishLogin(callback, login);
  expect(got).toMatchObject({ room: "open", admitted_via: "passthrough" });
  expect(got).not.toHaveProperty("email");
  expect(got).not.toHaveProperty("admin");
});

const form = { "content-type": "application/x-www-form-urlencoded" };
const fields = (count: number) => Array.from({ length: count }, (_, index) => `f${index}=1`).join("&");

describe("an address", () => {
  const paths = ["/authorize", "/rooms/shop/leave", "/rooms/shop/status", "/logout", "/admin/rooms", "/nothing", "/"];

  test.each(paths)("%s of at most 16,384 characters and 200 parameters is read, and no more of it", async (path) => {
    const ask = async (query: string) => (await world().http.get(`${world().issuer}${path}?${query}`)).status;
    const refused = [414, 400];
    const longest = targetLengthMax - path.length - 1;
    const most = fields(pairsMax);
    const got = await Promise.all(["x".repeat(longest), "x".repeat(longest + 1), most, `${most}&`].map(ask));
    expect([got[1], got[3]]).toEqual(refused);
    // What each address makes of the others is not told by their size.
    const plain = await ask("x");
    expect([got[0], got[2]]).toEqual([plain, plain]);
  });

  test("that is refused is told so as everything is: on a page, or as JSON", async () => {
    const ask = (query: string, accept: string) =>
      world().http.get(`${world().issuer}/rooms/shop/leave?${query}`, { accept, "accept-language": "en" });
    const [long, many] = ["x".repeat(20_000), fields(1_000)];
    const page = await ask(long, "text/html");
    expect([page.status, page.header("cache-control")]).toEqual([414, "no-store"]);
    expect(page.body).toContain("This link is too long");
    expect((await ask(many, "text/html")).body).toContain("bad_request");
    expect((await ask(long, "*/*")).json()).toMatchObject({ error: "request_too_long" });
    expect((await ask(many, "*/*")).json()).toEqual({
      error: "bad_request",
      error_description: "the address of this request has more than 200 parameters",
    });
  });

  test("that a proxy appends to …/verify is a site's, and may have any number of parameters", async () => {
    const { status } = await world().http.get(`${world().issuer}/rooms/shop/verify/list?${fields(1_000)}`);
    expect(status).toBe(401);
  });
});

describe("a form of more than 200 fields", () => {
  const post = (path: string, body: string, headers = {}) =>
    world().http.request(`${world().issuer}${path}`, { method: "POST", headers: { ...form, ...headers }, body });
  const credentials = Buffer.from(`${clientId("shop")}:${clientSecret("shop")}`).toString("base64");
  const sameOrigin = { "sec-fetch-site": "same-origin" };

  test.each(["/authorize", "/logout", "/language", "/rooms/shop/leave", "/rooms/shop/bypass", "/rooms/shop/move/here"])(
    "is refused at %s",
    async (path) => {
      const answer = await post(path, fields(201), sameOrigin);
      expect(answer.status).toBe(400);
      expect(answer.json()).toEqual({ error: "bad_request", error_description: "the form has more than 200 fields" });
    },
  );

  test.each(["/token", "/introspect", "/revoke"])(
    "is an invalid request at %s, and the client goes on",
    async (path) => {
      const headers = { authorization: `Basic ${credentials}` };
      const known = path === "/token" ? "grant_type=refresh_token&refresh_token=x" : "token=x";
      const [few, many] = [`${known}&${fields(190)}`, `${known}&${fields(201)}`];
      expect((await post(path, many, headers)).json()).toEqual({
        error: "invalid_request",
        error_description: "failed to parse the request body",
      });
      const { status, body } = await post(path, few, headers);
      expect([status, body.includes("parse")]).toEqual([path === "/token" ? 400 : 200, false]);
    },
  );

  test("is refused where oidc-provider asks a visitor", async () => {
    const answer = await post("/logout/confirm", fields(201), { accept: "application/json" });
    expect(answer.json()).toMatchObject({ error_description: "failed to parse the request body" });
  });
});
