import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type CrawlerDns,
  type CrawlerResult,
  claimedBy,
  createCrawlerCheck,
  createCrawlerDns,
} from "../../../../src/lib/rules/index.ts";
import { reverseName, startDnsServer } from "../../../support/dns-server.ts";

const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const bingbot = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";
const hourMs = 3_600_000;

describe("a client that says it is a crawler", () => {
  let server: Awaited<ReturnType<typeof startDnsServer>>;
  let nowMs: number;
  let counted: CrawlerResult[];
  beforeEach(async () => {
    [nowMs, counted] = [1_000_000, []];
    server = await startDnsServer();
  });
  afterEach(() => server.stop());

  const make = (
    dns: CrawlerDns = createCrawlerDns({ servers: [server.address], timeoutMs: 5_000 }),
    timeoutMs = 5_000,
  ) => createCrawlerCheck({ dns, nowMs: () => nowMs, timeoutMs, count: (result) => void counted.push(result) });
  /** What is answered once the lookup is over. */
  async function settled(check: ReturnType<typeof make>, address: string, agent: string) {
    const before = counted.length;
    expect(check(address, agent)).toBe("pending");
    await vi.waitUntil(() => counted.length > before, { timeout: 20_000 });
    return check(address, agent);
  }
  const claim = (address: string, name: string, back: { a?: string[]; aaaa?: string[] }) => {
    server.records[reverseName(address)] = { ptr: [name] };
    server.records[name.toLowerCase().replace(/\.$/, "")] = back;
  };

  it.each([
    ["66.249.66.1", "crawl-66-249-66-1.googlebot.com", googlebot],
    ["66.249.66.2", "geo-crawl-66-249-66-2.geo.googlebot.com", googlebot],
    ["66.249.66.3", "CRAWL-66-249-66-3.GoogleBot.com", googlebot],
    [
      "66.249.90.77",
      "rate-limited-proxy-66-249-90-77.google.com",
      "AdsBot-Google (+http://www.google.com/adsbot.html)",
    ],
    ["157.55.33.18", "msnbot-157-55-33-18.search.msn.com", bingbot],
    [
      "17.58.101.179",
      "17-58-101-179.applebot.apple.com",
      "Mozilla/5.0 (Applebot/0.1; +http://www.apple.com/go/applebot)",
    ],
    [
      "95.108.213.1",
      "95-108-213-1.spider.yandex.com",
      "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
    ],
    ["116.179.32.1", "baiduspider-116-179-32-1.crawl.baidu.com", "Mozilla/5.0 (compatible; Baiduspider/2.0)"],
    ["77.75.77.1", "fulltextrobot-77-75-77-1.seznam.cz", "Mozilla/5.0 (compatible; SeznamBot/4.0)"],
    ["52.70.240.171", "52-70-240-171.crawl.amazonbot.amazon", "Mozilla/5.0 (Amazonbot/0.1)"],
  ])("is one where the name of %s is its owner's, and has the address: %s", async (address, name, agent) => {
    claim(address, name, { a: ["203.0.113.9", address] });
    expect(await settled(make(), address, agent)).toBe(true);
    expect(counted).toEqual(["verified"]);
  });

  it("is one by an IPv6 address, too, however that is written", async () => {
    claim("2001:4860:4801:10::1", "crawl-a.googlebot.com", { aaaa: ["2001:4860:4801:10::1"] });
    const check = make();
    expect(await settled(check, "2001:4860:4801:0010:0:0:0:1", googlebot)).toBe(true);
    expect(check("2001:4860:4801:10::1", googlebot)).toBe(true);
    claim("66.249.66.9", "crawl-b.googlebot.com", { a: ["66.249.66.9"] });
    expect(await settled(check, "::ffff:66.249.66.9", googlebot)).toBe(true);
  });

  it.each([
    ["whose name is another's", "1.2.3.4", "host.example.com", ["1.2.3.4"], googlebot],
    ["whose name only ends like its owner's", "1.2.3.4", "crawl-1.notgooglebot.com", ["1.2.3.4"], googlebot],
    ["whose name begins with its owner's", "1.2.3.4", "crawl-1.googlebot.com.example.com", ["1.2.3.4"], googlebot],
    ["whose name has another address", "1.2.3.4", "crawl-1.googlebot.com", ["66.249.66.1"], googlebot],
    ["whose name has no address", "1.2.3.4", "crawl-1.googlebot.com", [], googlebot],
    [
      "that is a machine which anybody can rent",
      "34.1.2.3",
      "3.2.1.34.bc.googleusercontent.com",
      ["34.1.2.3"],
      googlebot,
    ],
    [
      "that fetches for anybody who asks",
      "66.102.1.1",
      "google-proxy-66-102-1-1.google.com",
      ["66.102.1.1"],
      googlebot,
    ],
    ["that says it is another crawler", "157.55.33.18", "msnbot-1.search.msn.com", ["157.55.33.18"], googlebot],
  ])("is none %s", async (_, address, name, addresses, agent) => {
    claim(address, name, { a: addresses });
    expect(await settled(make(), address, agent)).toBe(false);
    expect(counted).toEqual(["refuted"]);
  });

  it("is none without a name", async () => {
    expect(await settled(make(), "1.2.3.4", googlebot)).toBe(false);
  });

  it("is never looked up by the words of other clients, nor by an address that is not public", () => {
    const check = make({ names: () => expect.fail("asked"), addresses: () => expect.fail("asked") });
    for (const agent of [
      "",
      "Mozilla/5.0 (X11; Linux x86_64) Chrome/130",
      "YandexSearch/7.2 YaBrowser/24",
      `${"x".repeat(2_000)}Googlebot`,
    ])
      expect([agent.slice(0, 20), claimedBy(agent), check("66.249.66.1", agent)]).toEqual([
        agent.slice(0, 20),
        null,
        false,
      ]);
    for (const address of ["10.0.0.1", "127.0.0.1", "::1", "fd00::1", "somebody", ""])
      expect(check(address, googlebot)).toBe(false);
  });

  it("is remembered for a day, or an hour where it was none, and looked up once however often it asks", async () => {
    claim("66.249.66.1", "crawl-66-249-66-1.googlebot.com", { a: ["66.249.66.1"] });
    const check = make();
    for (let visit = 0; visit < 10; visit++) expect(check("66.249.66.1", googlebot)).toBe("pending");
    await vi.waitUntil(() => counted.length > 0, { timeout: 20_000 });
    for (let visit = 0; visit < 10; visit++) expect(check("66.249.66.1", googlebot)).toBe(true);
    expect(server.asked).toHaveLength(2);
    expect(await settled(check, "1.2.3.4", googlebot)).toBe(false);
    nowMs += hourMs;
    expect(check("66.249.66.1", googlebot)).toBe(true);
    expect(await settled(check, "1.2.3.4", googlebot)).toBe(false);
    const before = counted.length;
    nowMs += 23 * hourMs;
    // It was one until now, and goes on while it is looked up again.
    server.records["crawl-66-249-66-1.googlebot.com"] = { a: [] };
    expect(check("66.249.66.1", googlebot)).toBe(true);
    await vi.waitUntil(() => counted.length > before, { timeout: 20_000 });
    expect(check("66.249.66.1", googlebot)).toBe(false);
  });

  it("is neither while the DNS fails or is silent, and is asked about again after half a minute", async () => {
    server.records[reverseName("66.249.66.1")] = { rcode: 2 };
    server.records[reverseName("66.249.67.1")] = { silent: true };
    const check = make(undefined, 50);
    expect(await settled(check, "66.249.66.1", googlebot)).toBe("pending");
    expect(await settled(check, "66.249.67.1", googlebot)).toBe("pending");
    expect(counted).toEqual(["unanswered", "unanswered"]);
    const asked = server.asked.length;
    nowMs += 29_999;
    expect(check("66.249.66.1", googlebot)).toBe("pending");
    expect(server.asked).toHaveLength(asked);
    nowMs += 1;
    claim("66.249.66.1", "crawl-66-249-66-1.googlebot.com", { a: ["66.249.66.1"] });
    expect(await settled(make(), "66.249.66.1", googlebot)).toBe(true);
  });

  it("that was one stays one while the DNS is silent", async () => {
    claim("66.249.66.1", "crawl-66-249-66-1.googlebot.com", { a: ["66.249.66.1"] });
    const check = make(undefined, 5_000);
    expect(await settled(check, "66.249.66.1", googlebot)).toBe(true);
    server.records[reverseName("66.249.66.1")] = { rcode: 2 };
    nowMs += 25 * hourMs;
    expect(check("66.249.66.1", googlebot)).toBe(true);
    await vi.waitUntil(() => counted.at(-1) === "unanswered", { timeout: 20_000 });
    expect(check("66.249.66.1", googlebot)).toBe(true);
  });

  it("is not forgotten for thousands who are none", async () => {
    const check = make({
      names: async (address) => [address === "66.249.66.1" ? "crawl-66-249-66-1.googlebot.com" : "a.example"],
      addresses: async () => ["66.249.66.1"],
    });
    expect(await settled(check, "66.249.66.1", googlebot)).toBe(true);
    for (let host = 1; host <= 10_100; host++) {
      check(`2001:db8::${host.toString(16)}`, googlebot);
      await new Promise((done) => setImmediate(done));
    }
    expect(check("66.249.66.1", googlebot)).toBe(true);
  });

  it("is looked up with 20 others at most, and with one other of its network: the rest are not begun", () => {
    const asked: string[] = [];
    const check = make({
      names: (address) => {
        asked.push(address);
        return new Promise(() => undefined);
      },
      addresses: () => expect.fail("asked"),
    });
    for (let host = 1; host <= 5; host++) expect(check(`66.249.66.${host}`, googlebot)).toBe("pending");
    expect(asked).toEqual(["66.249.66.1", "66.249.66.2"]);
    for (let host = 1; host <= 5; host++) check(`2001:4860:4801:${host}::1`, googlebot);
    expect(asked).toHaveLength(4);
    for (let network = 1; network <= 40; network++) expect(check(`66.250.${network}.1`, googlebot)).toBe("pending");
    expect(asked).toHaveLength(20);
    expect(counted.filter((result) => result === "refused")).toHaveLength(3 + 3 + 24);
  });
});
