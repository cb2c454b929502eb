/** Cookies and claims that are larger than anybody needs. */
import { expect, test } from "vitest";
import { memoryStore, useWorld } from "../world.ts";

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
