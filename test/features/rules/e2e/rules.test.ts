/**
 * Goal: the rules of a room decide, by forward authentication of real gateways, which requests of its site queue; however an address is
 * spelled, nobody comes past the line, and crawlers pass whom a real DNS server confirms. Method: requests as proxies make them, from all of
 * docs/forward-auth.md.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { stringify } from "yaml";
import { queued } from "../../../e2e/line.ts";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { reverseName, startDnsServer } from "../../../support/dns-server.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { runUsher } from "../../../support/usher-command.ts";

const host = "shop.example.test";
const site = `https://${host}`;
const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const settings = {
  targets: [`${site}/`, `${site}/*`],
  verify: { exempt: ["/health"] },
  rules: [
    { name: "crawlers", when: "verified_crawler", action: "bypass" },
    { name: "office", when: "ip.src in {198.51.100.0/24}", action: "bypass" },
    {
      name: "sale",
      triggers: [
        {
          LogicalOperator: "And",
          TriggerParts: [{ ValidatorType: "Url", UrlPart: "PagePath", Operator: "Contains", ValueToCompare: "/sale" }],
        },
      ],
      action: "queue",
    },
    {
      name: "checkout",
      when: 'starts_with(http.request.uri.path, "/checkout") or http.request.method in {"POST"}',
      action: "queue",
    },
    { name: "rest", when: `http.host eq "${host}"`, action: "ignore" },
  ],
};
const page = {
  accept: "text/html",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
  "user-agent": "Mozilla/5.0",
};

describe("rules of a room", () => {
  let dns: Awaited<ReturnType<typeof startDnsServer>>;
  let folder: TempDir;
  const world = useWorld(async () => {
    dns = await startDnsServer({
      [reverseName("66.249.66.1")]: { ptr: ["crawl-66-249-66-1.googlebot.com"] },
      "crawl-66-249-66-1.googlebot.com": { a: ["66.249.66.1"] },
    });
    const config = { listen: { trusted_proxies: ["127.0.0.1", "::1"] }, crawlers: { dns_servers: [dns.address] } };
    return { store: memoryStore, rooms: [{ id: "shop", settings }], config };
  });
  beforeAll(async () => {
    folder = await makeTempDir("rules");
  });
  afterAll(async () => {
    await dns.stop();
    await folder.remove();
  });

  interface Asked {
    readonly room?: string;
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly from?: string;
    readonly host?: string;
  }
  /** As Traefik and Caddy ask. */
  const ask = (path: string, { room = "shop", method = "GET", headers = {}, from, host: name = host }: Asked = {}) =>
    world().http.get(`${world().issuer}/rooms/${room}/verify`, {
      ...page,
      ...headers,
      "x-forwarded-method": method,
      "x-forwarded-proto": "https",
      "x-forwarded-host": name,
      "x-forwarded-uri": path,
      ...(from && { "x-forwarded-for": from }),
    });
  const askAsNginx = (path: string) =>
    world().http.get(`${world().issuer}/rooms/shop/verify?refuse=401`, { ...page, "x-original-url": site + path });
  const askAsEnvoy = (path: string) =>
    world().http.get(`${world().issuer}/rooms/shop/verify${path}`, { ...page, host, "x-forwarded-proto": "https" });

  test("say which requests pass without an admission, and which queue; neither takes a place", async () => {
    const before = await queued(world(), "shop");
    const free = await ask("/products/7");
    expect([free.status, free.headers["x-usher-room"], free.headers["x-usher-sub"]]).toEqual([200, "shop", ""]);
    for (const [path, asked] of [
      ["/sale/shoes", {}],
      ["/checkout?step=1", {}],
      ["/", { host: "other.example.test" }],
    ] as const)
      expect([path, (await ask(path, asked)).status]).toEqual([path, 302]);
    expect((await ask("/cart", { method: "POST" })).status).toBe(401);
    expect((await ask("/health")).status).toBe(200);
    expect((await ask("/checkout", { from: "198.51.100.7" })).status).toBe(200);
    expect((await ask("/checkout", { from: "203.0.113.7" })).status).toBe(302);
    // Only the last hop is a proxy's word: what stands before it is the visitor's.
    expect((await ask("/checkout", { from: "198.51.100.7, 203.0.113.7" })).status).toBe(302);
    expect(await queued(world(), "shop")).toBe(before);
  });

  test.each([
    ...["/%63heckout", "//checkout", "/x/../checkout", "/x/%2e%2e/checkout", "/x/..%2fcheckout", "/%2563heckout"],
    ...["/Checkout", "/x/..;/checkout", "/x/..%5ccheckout", "/checkout%00", "/%ff", "/x/%2E%2E%2Fsale"],
  ])("let nobody past the line by spelling, whichever proxy asks: %s", async (path) => {
    expect((await ask(path)).status).toBe(302);
    expect((await askAsNginx(path)).status).toBe(401);
    expect((await askAsEnvoy(path)).status).toBe(302);
  });

  test("with an admission a request passes that queues; one that bypasses says whose it is, one that is ignored does not", async () => {
    await world().admin.increment("shop", 1);
    const stopAt = (location: URL) => location.host === host;
    const enter = `${world().issuer}/rooms/shop/enter?target=${encodeURIComponent(`${site}/checkout`)}`;
    const { location } = await world().visitor().login(enter, { stopAt });
    const { pathname, search } = location ?? new URL(site);
    const [cookie = ""] = (await ask(pathname + search)).setCookies.map((each) => each.split(";")[0] ?? "");
    const headers = { cookie };
    const sub = (await ask("/checkout", { headers })).headers["x-usher-sub"];
    expect(sub).toMatch(/^shop\./);
    expect((await ask("/checkout", { headers, from: "198.51.100.7" })).headers["x-usher-sub"]).toBe(sub);
    const ignored = await ask("/products/7", { headers });
    expect([ignored.status, ignored.headers["x-usher-sub"]]).toEqual([200, ""]);
  });

  test("a crawler is asked to come back until the DNS has confirmed it, and passes from then on", async () => {
    const crawler = { headers: { "user-agent": googlebot }, from: "66.249.66.1" };
    const first = await ask("/checkout", crawler);
    expect([first.status, first.headers["retry-after"], first.headers["cache-control"]]).toEqual([
      429,
      "10",
      "no-store",
    ]);
    expect(first.json()).toMatchObject({ error: "crawler_unconfirmed" });
    await vi.waitUntil(async () => (await ask("/checkout", crawler)).status === 200, { timeout: 20_000 });
    expect(dns.asked).toEqual(["ptr 1.66.249.66.in-addr.arpa", "a crawl-66-249-66-1.googlebot.com"]);

    const impostor = { headers: { "user-agent": googlebot }, from: "203.0.113.66" };
    expect((await ask("/checkout", impostor)).status).toBe(429);
    await vi.waitUntil(async () => (await ask("/checkout", impostor)).status === 302, { timeout: 20_000 });
    // Without an address that a proxy says there is nothing to look up.
    expect((await ask("/checkout", { headers: { "user-agent": googlebot } })).status).toBe(302);
    const metrics = await world().http.get(`${world().gateways[0]?.operatorsOrigin}/metrics`);
    expect(metrics.body).toMatch(/usher_crawler_lookups_total\{result="verified"\} 1\n/);
    expect(metrics.body).toMatch(/usher_crawler_lookups_total\{result="refuted"\} 1\n/);
    const asked = dns.asked.length;
    for (let visit = 0; visit < 5; visit++) await ask("/checkout", { from: "203.0.113.77" });
    expect(dns.asked).toHaveLength(asked);
  });

  test("of a room that was made at run time are changed while it runs, and faults are told with their place", async () => {
    const made = { id: "made", targets: [`${site}/`], rules: [{ name: "rest", action: "ignore" }] };
    expect((await world().admin.request("POST", "/rooms", made)).status).toBe(201);
    await vi.waitUntil(async () => (await ask("/checkout", { room: "made" })).status === 200, { timeout: 20_000 });
    const rules = [{ name: "checkout", when: 'http.request.uri.path eq "/checkout"', action: "queue" }, ...made.rules];
    const change = (body: object) => world().admin.request("PATCH", "/rooms/made", body);
    expect((await change({ rules })).status).toBe(200);
    expect([(await ask("/checkout", { room: "made" })).status, (await ask("/", { room: "made" })).status]).toEqual([
      302, 200,
    ]);
    const refused = await change({ rules: [{ name: "checkout", when: 'ip.src.country eq "DE"', action: "queue" }] });
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { faults: [{ path: "rules[0].when", message: expect.stringMatching(/^column 1: ip\.src\.country: /) }] },
    ]);
    expect((await change({ rules: null })).status).toBe(200);
    expect((await ask("/", { room: "made" })).status).toBe(302);
  });

  describe("tried with the command", () => {
    const usher = async (...args: string[]) => {
      const file = join(folder.path, "usher.yaml");
      const document = {
        issuer: world().issuer,
        crawlers: { dns_servers: [dns.address] },
        rooms: [{ id: "shop", ...settings }],
      };
      await writeFile(file, stringify(document));
      return runUsher(["rules", "test", "shop", ...args, "--config", file]);
    };

    test("say by which rule, and why", async () => {
      const tried = await usher(`${site}/checkout?step=1`, "--ip", "203.0.113.7");
      expect(tried).toMatchObject({ code: 0, failure: "" });
      expect(tried.printed).toContain("queue: the request needs an admission, by the rule checkout.");
      expect(tried.printed).toContain("The path is compared as /checkout\n");
      expect(tried.printed).toContain("✗ crawlers (bypass)\n  false: verified_crawler\n");
      expect(tried.printed).toContain('✗ sale (queue)\n  false: Url PagePath Contains "/sale"\n');
      expect(tried.printed).toContain(
        '✓ checkout (queue)\n  true: one of\n    true: starts_with(http.request.uri.path, "/checkout")\n    false: http.request.method in {"POST"}\n',
      );
      const odd = await usher(`${site}/x/../checkout`);
      expect(odd.printed).toContain(
        "queue: the request needs an admission, since it passes as some sites read its address",
      );
      expect(odd.printed).toContain("? office (bypass)\n  not known: ip.src in {198.51.100.0/24}\n");
      const crawler = ["--ip", "66.249.66.1", "--user-agent", googlebot];
      expect((await usher(`${site}/checkout`, ...crawler, "--look-up")).printed).toContain(
        "bypass: the request passes",
      );
      expect((await usher(`${site}/checkout`, ...crawler, "--crawler", "pending")).printed).toContain(
        "it gets 429 instead",
      );
      const json = JSON.parse((await usher(`${site}/`, "--json")).printed);
      expect(json).toMatchObject({ action: "ignore", rule: "rest", by: "rule", compared: "/" });
    });

    test.each<[string, string[], number, RegExp]>([
      ["what is not expected", [`${site}/checkout`, "--expect", "ignore"], 1, /expected ignore, and it is queue/],
      ["no address", ["shop"], 1, /is no address such as/],
      ["a lookup of nobody", [`${site}/`, "--look-up"], 2, /--look-up needs --ip and --user-agent/],
      ["another action", [`${site}/`, "--expect", "let"], 2, /Allowed choices are queue, bypass, ignore/],
    ])("end otherwise with %s", async (_, args, code, words) => {
      const { code: ended, failure } = await usher(...args);
      expect([ended, failure]).toEqual([code, expect.stringMatching(words)]);
    });

    test("end with 0 with what is expected", async () => {
      expect(await usher(`${site}/checkout`, "--expect", "queue")).toMatchObject({ code: 0, failure: "" });
    });
  });
});
