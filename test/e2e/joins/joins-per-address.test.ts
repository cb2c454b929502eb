/** Joins per address: who is told to come again, who is not, and what happens where addresses cannot be known. */
import { networkInterfaces } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { HttpResponse } from "../../support/http-client.ts";
import type { NavigateOptions, Page, Visitor } from "../../support/visitor.ts";
import { submitForm } from "../form.ts";
import { queued } from "../line.ts";
import { redisStore } from "../redis-store.ts";
import { memoryStore, useWorld, type World } from "../world.ts";

/** A token every ten seconds: no test takes so long. */
const few = { joins_per_address: { per_minute: 6, burst: 2 } };
const rooms = [
  { id: "line", settings: few },
  { id: "api", settings: few },
  { id: "other", settings: few },
  { id: "unnamed", settings: few },
  { id: "holders", settings: few },
  { id: "again", settings: { joins_per_address: { per_minute: 30, burst: 1 } } },
  {
    id: "lots",
    settings: {
      schedule: { prequeue_at: "2099-01-01T10:00:00Z", opens_at: "2099-01-01T11:00:00Z" },
      joins_per_address: { prequeue: 2 },
    },
  },
  { id: "groups", settings: few },
  { id: "practice", settings: { ...few, rehearsal: true } },
];

function goTo(world: World, room: string, visitor: Visitor, address: string | null, options?: NavigateOptions) {
  const site = world.relyingParty(room);
  const headers = address === null ? {} : { "x-forwarded-for": address };
  return visitor.navigate(site.startLogin().url, { stopAt: site.isCallback, headers, ...options });
}

function take(world: World, room: string, address: string | null, origin = world.issuer): Promise<HttpResponse> {
  const headers = address === null ? {} : { "x-forwarded-for": address };
  return world.http.request(`${origin}/rooms/${room}/tickets`, { method: "POST", headers });
}

async function statuses(answers: readonly Promise<{ status: number }>[]): Promise<number[]> {
  return (await Promise.all(answers)).map(({ status }) => status);
}

/** A line of the log, once it is there. */
async function lineOf({ gateways: [gateway] }: World, pattern: RegExp): Promise<string> {
  const found = await gateway?.waitForOutput(pattern);
  return found?.[0] ?? "";
}

async function overLimit(world: World, room: string): Promise<number> {
  const { body } = await world.http.get(`${world.issuer}/metrics`);
  return Number(
    body.match(new RegExp(`usher_joins_over_address_limit_total\\{room="${room}",why="rate"\\} (\\d+)`))?.[1] ?? 0,
  );
}

describe("behind a trusted proxy", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms,
    config: { listen: { trusted_proxies: ["127.0.0.1", "::1"] } },
  }));
  const newcomer = (room: string, address: string) => goTo(world(), room, world().visitor(), address);

  test("so many join from an address; the next gets a page, no position, and a time to come again", async () => {
    const pages: Page[] = [];
    for (let visit = 0; visit < 3; visit++) pages.push(await newcomer("line", "203.0.113.9"));
    expect(pages.map(({ position, notice }) => position ?? notice)).toEqual([1, 2, "too_many_from_address"]);
    const [, , refused] = pages;
    expect(refused?.status).toBe(429);
    expect(Number(refused?.header("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(Number(refused?.header("retry-after"))).toBeLessThanOrEqual(10);
    expect(refused?.body).toMatch(/data-retry-ms="\d{4,5}"/);
    expect(refused?.setCookies.map((cookie) => cookie.split("=")[0])).toEqual(["usher-line.arrival"]);

    // What a visitor claims before the proxy's own word changes nothing.
    expect((await newcomer("line", "198.51.100.7, 203.0.113.9")).notice).toBe("too_many_from_address");
    expect((await newcomer("line", "203.0.113.10")).position).toBe(3);
    const json = { accept: "application/json", "x-forwarded-for": "203.0.113.9" };
    const told = await goTo(world(), "line", world().visitor(), null, { headers: json });
    expect([told.status, told.json()]).toMatchObject([429, { error: "too_many_from_address" }]);
    expect(await queued(world(), "line")).toBe(3);

    expect(await overLimit(world(), "line")).toBe(3);
    const line = await lineOf(world(), /.*"event":"joins\.limited".*/);
    expect(JSON.parse(line)).toMatchObject({ level: 40, room: "line", count: expect.any(Number) });
    expect(world().gateways[0]?.output()).not.toContain("203.0.113.9");
  });

  test("apps, too: 429 with the time, by IPv4 address and by the /64 of IPv6, for each room", async () => {
    const addresses = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:2::3"];
    const answers = [];
    for (const address of addresses) answers.push(await take(world(), "api", address));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(answers[2]?.json()).toMatchObject({ error: "too_many_from_address" });
    expect(Number(answers[2]?.header("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await take(world(), "api", "2001:db8:1:3::1")).status).toBe(201);
    expect((await take(world(), "other", "2001:db8:1:2::1")).status).toBe(201);
  });

  test("whoever comes again when told joins, by the same page, as if they came new", async () => {
    const address = "203.0.113.20";
    // Both at once: two seconds later the second would be one more.
    const visitors = [world().visitor(), world().visitor()];
    const pages = await Promise.all(visitors.map((each) => goTo(world(), "again", each, address)));
    expect(new Set(pages.map(({ position, notice }) => position ?? notice))).toEqual(
      new Set([1, "too_many_from_address"]),
    );
    const at = pages.findIndex(({ notice }) => notice !== undefined);
    const [visitor, refused] = [visitors[at] as Visitor, pages[at] as Page];
    expect((await newcomer("again", "203.0.113.21")).position).toBe(2);
    await delay(Number(refused.header("retry-after")) * 1_000 + 100);
    // As the page does it.
    const joined = await visitor.navigate(refused.url, { from: refused.url, headers: { "x-forwarded-for": address } });
    expect(joined.position).toBe(3);
  });

  test("whoever holds a place reloads and enters, however crowded the address is; whoever left stands outside", async () => {
    const address = "203.0.113.30";
    const headers = { "x-forwarded-for": address };
    const visitors = [world().visitor(), world().visitor()];
    const pages: Page[] = [];
    for (const visitor of visitors) pages.push(await goTo(world(), "holders", visitor, address));
    expect((await newcomer("holders", address)).notice).toBe("too_many_from_address");
    const [one, two] = visitors as [Visitor, Visitor];
    for (let reload = 0; reload < 5; reload++) {
      expect((await one.navigate(pages[0]?.url ?? "", { headers })).position).toBe(1);
    }
    await world().admin.increment("holders", 1);
    const site = world().relyingParty("holders");
    const entered = await goTo(world(), "holders", one, address);
    expect(site.isCallback(entered.location ?? new URL("about:blank"))).toBe(true);

    const me = new URL("/rooms/holders/tickets/me", world().issuer);
    expect((await two.fetch(me, { method: "DELETE", from: me })).status).toBe(204);
    expect((await goTo(world(), "holders", two, address)).notice).toBe("too_many_from_address");
  });

  test("before a draw an address gets so many places in all; schools are exempted while the room runs, and that is audited", async () => {
    const draws = async () =>
      (await world().http.get(`${world().issuer}/rooms/lots/draw`)).json() as { draws: unknown[] };
    await expect.poll(async () => (await draws()).draws.length).toBe(1);
    await world().admin.step("lots", "prequeue");
    const school = "198.51.100.60";
    expect(await statuses([1, 2, 3].map(() => take(world(), "lots", school))).then((all) => all.sort())).toEqual([
      201, 201, 429,
    ]);
    const told = await take(world(), "lots", school);
    expect([told.json(), told.header("retry-after")]).toMatchObject([{ error: "too_many_from_address" }, "60"]);
    const page = await newcomer("lots", school);
    expect([page.notice, page.status, page.header("retry-after")]).toEqual(["too_many_from_address", 429, "60"]);
    expect((await newcomer("lots", "203.0.113.60")).state).toBe("entered");

    const change = (range: string) =>
      world().admin.request("PATCH", "/rooms/lots", {
        joins_per_address: { prequeue: 2, ranges: [{ range, limit: "off" }] },
      });
    const refused = await change("198.51.100.0/33");
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.stringContaining("joins_per_address.ranges[0].range: expected an IP address or CIDR range"),
    ]);
    expect((await change("198.51.100.0/24")).status).toBe(200);
    expect(await statuses([1, 2, 3].map(() => take(world(), "lots", school)))).toEqual([201, 201, 201]);
    expect((await newcomer("lots", school)).state).toBe("entered");
    const audit = await world().admin.request("GET", "/audit?room=lots");
    expect(audit.body).toContain("198.51.100.0/24");
  });

  test("named groups pass, join as everybody, or are refused, while the room runs; who has a place keeps it, and it is audited", async () => {
    const [office, partner, hosting] = ["198.51.100.9", "192.0.2.7", "192.0.2.200"];
    const early = world().visitor({ headers: { "x-forwarded-for": hosting } });
    const before = await goTo(world(), "groups", early, null);
    expect(before.position).toBe(1);
    const rules = [
      { name: "office", action: "pass", ranges: ["198.51.100.0/24"] },
      { name: "partner", action: "queue", ranges: [partner] },
      { name: "hosting", action: "refuse", ranges: ["192.0.2.0/24", "2001:db8:bad::/48"] },
    ];
    const patch = (address_rules: unknown) => world().admin.request("PATCH", "/rooms/groups", { address_rules });
    expect((await patch(rules)).status).toBe(200);

    // Without a limit, but in line.
    const positions = [];
    for (let visit = 0; visit < 5; visit++) positions.push((await newcomer("groups", office)).position);
    expect(positions).toEqual([2, 3, 4, 5, 6]);
    expect(await statuses([1, 2, 3].map(() => take(world(), "groups", partner))).then((all) => all.sort())).toEqual([
      201, 201, 429,
    ]);
    for (const address of [hosting, "2001:db8:bad:1::5", "::ffff:192.0.2.9"]) {
      const told = await take(world(), "groups", address);
      expect([told.status, told.json()]).toMatchObject([403, { error: "network_refused" }]);
    }
    const page = await newcomer("groups", hosting);
    expect([page.status, page.notice, page.setCookies]).toEqual([403, "network_refused", []]);
    const reference = page.body.match(/Reference: network_refused\s·\s[^<]*?([\w-]+-[0-9a-z]+)/)?.[1] ?? "";
    const lines = await lineOf(world(), new RegExp(`.*"join\\.network_refused".*"request_id":"${reference}".*`));
    expect(JSON.parse(lines)).toMatchObject({ level: 30, room: "groups", rule: "hosting" });
    expect(lines).not.toContain(hosting);
    const json = await goTo(world(), "groups", world().visitor(), hosting, {
      headers: { accept: "application/json", "x-forwarded-for": hosting },
    });
    expect([json.status, json.json()]).toMatchObject([403, { error: "network_refused" }]);
    const { body } = await world().http.get(`${world().issuer}/metrics`);
    expect(body).toMatch(/usher_joins_network_refused_total\{room="groups",rule="hosting"\} 5/);

    const blocks = (await world().admin.request("GET", "/rooms/groups/soft-blocks")).json();
    const checked = { asked: 0, slowed: 0, passed: 0, failed: 0 };
    expect(blocks).toMatchObject({ joined: 8, refused: { rate: 1, entries: 0, network: 5 } });
    expect((blocks as { networks: unknown[] }).networks).toEqual([
      { range: "192.0.2.0/24", rule: "hosting", refused: { rate: 1, entries: 0, network: 4 }, checked },
      { range: "2001:db8:bad::/48", rule: "hosting", refused: { rate: 0, entries: 0, network: 1 }, checked },
    ]);

    // Rule 6: a rule takes no place.
    expect((await early.navigate(before.url)).position).toBe(1);
    await world().admin.increment("groups", 1);
    const site = world().relyingParty("groups");
    const entered = await goTo(world(), "groups", early, null);
    expect(site.isCallback(entered.location ?? new URL("about:blank"))).toBe(true);

    const refused = await patch([{ name: "hosting", action: "refuse", ranges: ["192.0.2.0/33"] }]);
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.stringContaining("address_rules[0].ranges[0]: expected an IP address or CIDR range"),
    ]);
    const audit = await world().admin.request("GET", "/audit?room=groups");
    expect(audit.body).toContain("2001:db8:bad::/48");
    expect((await patch("off")).status).toBe(200);
    expect((await take(world(), "groups", "192.0.2.201")).status).toBe(201);
  });

  test("a bypass link, and a room where everybody passes, are open to a crowded address", async () => {
    const headers = { "x-forwarded-for": "203.0.113.40" };
    expect(
      await statuses([1, 2, 3].map(() => take(world(), "other", "203.0.113.40"))).then((all) => all.sort()),
    ).toEqual([201, 201, 429]);
    const { url } = (await world().admin.request("POST", "/rooms/other/bypass", {})).json() as { url: string };
    const guest = world().visitor({ headers });
    const shown = await guest.navigate(url);
    const entered = await submitForm(guest, shown, () => true, "/bypass");
    expect([shown.notice, entered.status]).toEqual(["bypass", 303]);
    await world().admin.step("other", "passthrough");
    expect(await statuses([1, 2, 3].map(() => take(world(), "other", "203.0.113.40")))).toEqual([201, 201, 201]);
  });

  test("the pass of a rehearsal counts in place of the address: in its room, for as many as it says, and for nobody else", async () => {
    const join = (room: string, pass: string, address = "203.0.113.50") =>
      world().http.request(`${world().issuer}/rooms/${room}/tickets`, {
        method: "POST",
        headers: { "x-forwarded-for": address, "usher-rehearsal": pass },
      });
    const made = await world().admin.request("POST", "/rooms/practice/rehearsal", { visitors: 5, minutes: 1 });
    const { pass, issuer, clients, has_link } = made.json() as Record<string, never> & { pass: string };
    expect([made.status, issuer, has_link]).toEqual([201, world().issuer, false]);
    expect(clients).toEqual([expect.objectContaining({ client_id: "site-practice", is_first_room: true })]);
    const six = await statuses([1, 2, 3, 4, 5, 6, 7, 8].map(() => join("practice", pass)));
    // Then it is the address's turn.
    expect(six.sort()).toEqual([201, 201, 201, 201, 201, 201, 201, 429]);
    // By the page, too.
    const crowded = "203.0.113.51";
    expect(await statuses([1, 2, 3].map(() => take(world(), "practice", crowded)))).toContain(429);
    const other = await world().admin.request("POST", "/rooms/practice/rehearsal", { visitors: 1, minutes: 1 });
    const headers = { "usher-rehearsal": (other.json() as { pass: string }).pass };
    const page = () => goTo(world(), "practice", world().visitor({ headers }), crowded);
    expect((await page()).position).toBe(10);
    expect((await page()).notice).toBe("too_many_from_address");
    // In another room the header means nothing.
    expect((await statuses([1, 2, 3].map(() => join("line", pass)))).sort()).toEqual([201, 201, 429]);
    expect(world().gateways[0]?.output()).not.toContain(pass);

    const audit = await world().admin.request("GET", "/audit?room=practice");
    expect(audit.body).toContain('"visitors":"5"');
    expect(audit.body).not.toContain(pass);
  });

  test.each([
    ["of a room that is not marked", "line", { visitors: 5, minutes: 1 }, 409, "not marked for rehearsals"],
    ["for nobody", "practice", { visitors: 0, minutes: 1 }, 400, "visitors"],
    ["for more than there may be", "practice", { visitors: 100_001, minutes: 1 }, 400, "visitors"],
    ["for days", "practice", { visitors: 1, minutes: 181 }, 400, "minutes"],
    ["without a time", "practice", { visitors: 1 }, 400, "minutes"],
    ["with another member", "practice", { visitors: 1, minutes: 1, room: "line" }, 400, "room"],
  ])("a pass %s is refused", async (_, room, body, status, words) => {
    const answer = await world().admin.request("POST", `/rooms/${room}/rehearsal`, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toContain(words);
  });

  test("a proxy that names no visitor is not counted as one, and that is told", async () => {
    expect(await statuses([1, 2, 3, 4].map(() => take(world(), "unnamed", null)))).toEqual([201, 201, 201, 201]);
    const line = await lineOf(world(), /.*"event":"joins\.visitor_unnamed".*/);
    expect(JSON.parse(line)).toMatchObject({ level: 40, proxy: expect.stringContaining("127.0.0.1") });
  });
});

describe("where no proxy is trusted", () => {
  const world = useWorld(() => ({ store: memoryStore, rooms, config: { listen: { host: "0.0.0.0" } } }));
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4")?.address;

  test("this machine's own visitors are not counted", async () => {
    expect(await statuses([1, 2, 3, 4].map(() => take(world(), "api", null)))).toEqual([201, 201, 201, 201]);
    expect(world().gateways[0]?.output()).not.toContain("joins.");
  });

  test("a proxy of one's own is not taken for one visitor, and that is told", async () => {
    const through = [1, 2, 3, 4].map((last) => take(world(), "line", `203.0.113.${last}`));
    expect(await statuses(through)).toEqual([201, 201, 201, 201]);
    const line = await lineOf(world(), /.*"event":"joins\.proxy_unknown".*/);
    expect(JSON.parse(line)).toMatchObject({ level: 40, proxy: "127.0.0.1" });
    expect(line).toContain("name it in listen.trusted_proxies");
  });

  test.skipIf(own === undefined)("others are counted by where they come from", async () => {
    const origin = `http://${own}:${world().gateways[0]?.port}`;
    const answers = [];
    for (let visit = 0; visit < 3; visit++) answers.push(await take(world(), "other", null, origin));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
  });
});

describe("two gateways on one store", () => {
  const world = useWorld(() => ({
    store: redisStore,
    gateways: 2,
    rooms,
    config: { listen: { trusted_proxies: ["127.0.0.1", "::1"] } },
  }));

  test("before a draw an address gets what one gateway would give, and the store learns no address", async () => {
    const draws = async () =>
      (await world().http.get(`${world().issuer}/rooms/lots/draw`)).json() as { draws: unknown[] };
    await expect.poll(async () => (await draws()).draws.length).toBe(1);
    await world().admin.step("lots", "prequeue");
    const origins = world().gateways.map(({ port }) => `http://127.0.0.1:${port}`);
    const isOpen = async (origin: string) => {
      const status = await world().http.get(`${origin}/rooms/lots/status`);
      return (status.json() as { phase: string }).phase;
    };
    for (const origin of origins) await expect.poll(() => isOpen(origin)).toBe("prequeue");
    const tries = origins.flatMap((origin) => [1, 2, 3, 4].map(() => take(world(), "lots", "203.0.113.70", origin)));
    expect((await statuses(tries)).filter((each) => each === 201)).toHaveLength(2);
    const others = origins.map((origin, at) => take(world(), "lots", `203.0.113.8${at}`, origin));
    expect(await statuses(others)).toEqual([201, 201]);
  });
});
