import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testRules } from "../../../../src/features/rules/test-rules.ts";
import { reverseName, startDnsServer } from "../../../support/dns-server.ts";
import { loadConfig } from "../../../support/load-config.ts";

const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const rules = [
  { name: "crawlers", when: "verified_crawler", action: "bypass" },
  { name: "office", when: 'ip.src in {192.0.2.0/24} and not http.cookie contains "as=customer"', action: "bypass" },
  {
    name: "checkout",
    when: 'starts_with(http.request.uri.path, "/checkout") or http.request.method eq "POST"',
    action: "queue",
  },
  { name: "rest", action: "ignore" },
];
const site = "https://shop.example.com";
const plain = { method: "GET", header: [], cookie: [] };

describe("a request that rules are tried with", () => {
  let dns: Awaited<ReturnType<typeof startDnsServer>>;
  beforeAll(async () => {
    dns = await startDnsServer({
      [reverseName("66.249.66.1")]: { ptr: ["crawl-66-249-66-1.googlebot.com"] },
      "crawl-66-249-66-1.googlebot.com": { a: ["66.249.66.1"] },
    });
  });
  afterAll(() => dns.stop());

  async function tried(path: string, options: object = {}, room: object = { rules }) {
    const document = {
      issuer: "https://queue.example.com",
      crawlers: { dns_servers: [dns.address] },
      rooms: [{ id: "tickets", ...room }],
    };
    const { config } = await loadConfig({ document, env: {} });
    return testRules(config, "tickets", site + path, { ...plain, ...options });
  }

  it("is told what becomes of it, by which rule, and what each condition made of it", async () => {
    expect(await tried("/x/../%63heckout?a=b", { ip: "198.51.100.1" })).toEqual({
      action: "queue",
      rule: null,
      by: "ambiguous",
      pending: false,
      compared: "/x/../checkout",
      rules: [
        {
          name: "crawlers",
          action: "bypass",
          matches: false,
          conditions: [{ depth: 0, text: "verified_crawler", result: false }],
        },
        {
          name: "office",
          action: "bypass",
          matches: false,
          conditions: [
            { depth: 0, text: "all of", result: false },
            { depth: 1, text: "ip.src in {192.0.2.0/24}", result: false },
            { depth: 1, text: "not", result: true },
            { depth: 2, text: 'http.cookie contains "as=customer"', result: false },
          ],
        },
        {
          name: "checkout",
          action: "queue",
          matches: false,
          conditions: [
            { depth: 0, text: "one of", result: false },
            { depth: 1, text: 'starts_with(http.request.uri.path, "/checkout")', result: false },
            { depth: 1, text: 'http.request.method eq "POST"', result: false },
          ],
        },
        {
          name: "rest",
          action: "ignore",
          matches: true,
          conditions: [{ depth: 0, text: "every request", result: true }],
        },
      ],
    });
  });

  it.each<[string, string, object, string, string | null]>([
    ["/checkout", "", {}, "queue", "checkout"],
    ["/", "by POST", { method: "POST" }, "queue", "checkout"],
    ["", "at the root", {}, "ignore", "rest"],
    ["/café", "that is not encoded", {}, "ignore", "rest"],
    ["/checkout", "from the office", { ip: "192.0.2.9" }, "bypass", "office"],
    ["/checkout", "with a cookie", { ip: "192.0.2.9", cookie: ["a=b", "as=customer"] }, "queue", "checkout"],
    [
      "/checkout",
      "with that cookie in a header",
      { ip: "192.0.2.9", header: ["Cookie: as=customer"] },
      "queue",
      "checkout",
    ],
    [
      "/checkout",
      "of a crawler that is not looked up",
      { ip: "66.249.66.1", userAgent: googlebot },
      "queue",
      "checkout",
    ],
    [
      "/checkout",
      "of a crawler that is looked up",
      { ip: "66.249.66.1", userAgent: googlebot, lookUp: true },
      "bypass",
      "crawlers",
    ],
    [
      "/checkout",
      "of none that is looked up",
      { ip: "66.249.66.2", userAgent: googlebot, lookUp: true },
      "queue",
      "checkout",
    ],
    [
      "/checkout",
      "of a crawler, as it is said",
      { ip: "1.2.3.4", userAgent: googlebot, crawler: "verified" },
      "bypass",
      "crawlers",
    ],
  ])("%s %s", async (path, _, options, action, rule) => {
    expect(await tried(path, options)).toMatchObject({ action, rule, pending: false });
  });

  it("is pending while the DNS is asked", async () => {
    const options = { ip: "1.2.3.4", userAgent: googlebot, crawler: "pending" };
    expect(await tried("/checkout", options)).toMatchObject({ action: "queue", pending: true });
  });

  it("queues in a room without rules, and passes on an exempt path whatever they say", async () => {
    expect(await tried("/", {}, {})).toMatchObject({ action: "queue", by: "no_rules" });
    const exempt = { rules: [{ name: "all", action: "queue" }], verify: { exempt: ["/health"] } };
    expect(await tried("/health?x", {}, exempt)).toMatchObject({ action: "ignore", by: "exempt" });
  });

  it.each<[string, object, RegExp]>([
    ["a method", { method: "get it" }, /"get it" is no method/],
    ["an address", { ip: "192.0.2" }, /"192.0.2" is no IP address/],
    ["a header", { header: ["X-Shop"] }, /"X-Shop" is no header/],
    ["a header of two lines", { header: ["X: a\r\nY: b"] }, /is no header/],
    ["a cookie", { cookie: ["a"] }, /"a" is no cookie/],
  ])("is refused with %s that is none", async (_, options, words) => {
    await expect(tried("/", options)).rejects.toThrow(words);
  });

  it("is refused for a room that is not there, and without an address", async () => {
    const { config } = await loadConfig({
      document: { issuer: "https://queue.example.com", rooms: [{ id: "tickets" }] },
      env: {},
    });
    await expect(testRules(config, "other", site, plain)).rejects.toThrow("the file has no room other; rooms: tickets");
    await expect(testRules(config, "tickets", "shop.example.com", plain)).rejects.toThrow("is no address such as");
  });
});

describe("crawlers of a configuration", () => {
  const load = (crawlers: object) =>
    loadConfig({
      document: { issuer: "https://queue.example.com", rooms: [{ id: "tickets" }], crawlers },
      env: {},
    });

  it.each(["10.0.0.2", "10.0.0.2:5353", "2001:db8::1", "[2001:db8::1]:5353"])(
    "are asked about at %s",
    async (server) => {
      await expect(load({ dns_servers: [server] })).resolves.toBeDefined();
    },
  );

  it.each(["dns.example.com", "10.0.0.2:0", "10.0.0.2:70000", "10.0.0", "[10.0.0.2]", ""])(
    "are not asked about at %j",
    async (server) => {
      await expect(load({ dns_servers: [server] })).rejects.toThrow("crawlers.dns_servers[0]");
    },
  );
});
