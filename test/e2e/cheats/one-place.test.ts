/**
 * One place, many browsers: a ticket is copied to a hundred clients, who come at the same moment to two gateways on one
 * Redis, by every way in. One admission lets in as many as its logins, and no more.
 */
import { describe, expect, test } from "vitest";
import type { HttpResponse } from "../../support/http-client.ts";
import type { Visitor } from "../../support/visitor.ts";
import { redisStore } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const host = "shop.example.test";
const site = `https://${host}`;
const settings = { targets: [`${site}/`] };
const rooms = [
  { id: "links", settings },
  { id: "mixed", settings, admission: { logins_per_admission: 3 } },
  { id: "homes", settings, admission: { addresses_per_admission: 2 } },
  { id: "many" },
];
const page = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };

describe("one ticket in many hands", () => {
  const world = useWorld(() => ({
    store: redisStore,
    gateways: 2,
    rooms,
    config: { listen: { trusted_proxies: ["127.0.0.1", "::1"] } },
  }));
  const origin = (index: number) => world().gateways[index % 2]?.origin ?? "";

  /** A visitor whose turn has come: the cookie is what is copied. */
  async function served(room: string): Promise<{ visitor: Visitor; cookie: string }> {
    const visitor = world().visitor();
    await visitor.navigate(world().relyingParty(room).startLogin().url);
    await world().admin.increment(room, 1);
    for (const index of [0, 1]) {
      const status = async () => (await world().http.get(`${origin(index)}/rooms/${room}/status`)).json();
      await expect.poll(status).toMatchObject({ serving: 1 });
    }
    return { visitor, cookie: visitor.jar.header(new URL(world().issuer)) ?? "" };
  }

  const follow = (index: number, room: string, cookie: string, headers: Record<string, string> = {}) =>
    world().http.get(`${origin(index)}/rooms/${room}/enter?target=${site}/`, { ...page, cookie, ...headers });

  /** Shows the site's proxy the address that a browser was sent to. Answers the site's cookie, if it let the browser in. */
  async function arrive(index: number, room: string, answer: HttpResponse): Promise<string | undefined> {
    const { search } = new URL(answer.header("location") ?? site);
    const checked = await world().http.get(`${origin(index)}/rooms/${room}/verify`, {
      ...page,
      "x-forwarded-uri": `/${search}`,
      "x-forwarded-host": host,
      "x-forwarded-proto": "https",
      "x-forwarded-method": "GET",
    });
    return checked.setCookies[0];
  }

  const recordOf = async (room: string) => {
    const { admissions } = (await world().admin.request("GET", `/rooms/${room}/admissions`)).json() as {
      admissions: { logins: number; addresses: number | null }[];
    };
    expect(admissions).toHaveLength(1);
    return admissions[0];
  };

  test("100 clients follow the link at once: one comes in, however many gateways are asked", async () => {
    const { cookie } = await served("links");
    const crowd = Array.from({ length: 100 }, async (_, index) => {
      const answer = await follow(index, "links", cookie);
      expect(answer.status).toBe(303);
      return arrive(index + 1, "links", answer);
    });
    const cookies = (await Promise.all(crowd)).filter((each) => each !== undefined);
    const record = await recordOf("links");
    // Half a minute may have ended meanwhile, and another begun.
    expect(record?.logins).toBeLessThanOrEqual(2);
    expect(cookies.length).toBeGreaterThanOrEqual(1);
    expect(cookies.length).toBeLessThanOrEqual(record?.logins ?? 0);
    // All of them are programs of this machine, which no proxy names.
    expect(record?.addresses).toBeNull();
  });

  test("a browser whose hand-over was taken is told when to come again", async () => {
    const { cookie } = await served("mixed");
    // Two logins by OpenID Connect count, too.
    for (let login = 0; login < 2; login++) {
      const { url } = world().relyingParty("mixed").startLogin();
      expect((await world().http.get(url, { ...page, cookie })).status).toBe(303);
    }
    const first = await follow(0, "mixed", cookie);
    expect(await arrive(1, "mixed", first)).toBeDefined();
    // It may be another tab of the browser that is in, and needs no token then.
    const second = await follow(1, "mixed", cookie);
    // In the next half minute, the logins are used up.
    if (second.body.includes('data-notice="too_many_logins"')) return;
    expect([second.status, second.header("location")]).toEqual([303, `${site}/`]);
    expect(await arrive(0, "mixed", second)).toBeUndefined();
    const [sent = ""] = second.setCookies.find((each) => each.includes(".sent="))?.split(";") ?? [];
    const third = await follow(0, "mixed", `${cookie}; ${sent}`);
    if (third.body.includes('data-notice="too_many_logins"')) return;
    expect([third.status, Number(third.header("retry-after")) <= 30]).toEqual([429, true]);
    expect(third.body).toMatch(/data-notice="in_use"/);
    expect(await arrive(0, "mixed", first)).toBeUndefined();
    expect((await recordOf("mixed"))?.logins).toBe(3);
    const { url } = world().relyingParty("mixed").startLogin();
    expect((await world().http.get(url, { ...page, cookie })).body).toMatch(/data-notice="too_many_logins"/);
  });

  test("addresses are counted, and bounded where the room says so, for every way in", async () => {
    const { cookie } = await served("homes");
    const from = (address: string) => ({ "x-forwarded-for": address });
    const { url } = world().relyingParty("homes").startLogin();
    expect((await world().http.get(url, { ...page, cookie, ...from("198.51.100.1") })).status).toBe(303);
    expect((await follow(1, "homes", cookie, from("2001:db8::1"))).status).toBe(303);
    // The same connection, with another address of its /64.
    expect((await follow(0, "homes", cookie, from("2001:db8::2"))).status).toBe(303);
    const third = await follow(0, "homes", cookie, from("203.0.113.9"));
    expect([third.status, third.body.includes('data-notice="in_use"')]).toEqual([429, true]);
    const login = await world().http.get(world().relyingParty("homes").startLogin().url, {
      ...page,
      cookie,
      ...from("203.0.113.9"),
    });
    expect([login.status, login.body.includes('data-notice="in_use"')]).toEqual([429, true]);
    const ticket =
      cookie
        .split("; ")
        .find((each) => each.includes("homes"))
        ?.split("=")[1] ?? "";
    const exchanged = await world().http.request(`${origin(1)}/rooms/homes/tickets/me/token`, {
      method: "POST",
      headers: { authorization: `Bearer ${ticket}`, ...from("203.0.113.10") },
    });
    expect([exchanged.status, exchanged.json()]).toMatchObject([429, { error: "in_use" }]);
    expect((await recordOf("homes"))?.addresses).toBe(2);
  });

  test("40 logins at once with one ticket: 20 codes, and no more", async () => {
    const { cookie } = await served("many");
    const party = world().relyingParty("many");
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const { pathname, search } = party.startLogin().url;
        return world().http.get(`${origin(index)}${pathname}${search}`, { ...page, cookie });
      }),
    );
    const codes = answers.filter((answer) => new URL(answer.header("location") ?? site).searchParams.has("code"));
    expect(codes).toHaveLength(20);
    const refused = answers.filter(({ body }) => body.includes('data-notice="too_many_logins"'));
    expect(refused).toHaveLength(20);
    expect((await recordOf("many"))?.logins).toBe(20);
  });
});
