import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CrawlerCheck, decide, readRules, ruleWarnings } from "../../../../src/lib/rules/index.ts";
import { readingsOf } from "../../../../src/lib/rules/readings.ts";

function rulesOf(...rules: object[]) {
  const read = readRules(rules);
  if ("faults" in read) throw new Error(read.faults.map(({ message }) => message).join());
  return read.set;
}
const request = (target: string, more: object = {}) => ({
  method: "GET",
  protocol: "https" as const,
  authority: "shop.test",
  target,
  header: () => undefined,
  address: "192.0.2.7",
  ...more,
});
const rest = { name: "rest", action: "ignore" };
const queueCheckout = rulesOf(
  { name: "checkout", when: 'starts_with(http.request.uri.path, "/checkout")', action: "queue" },
  rest,
);
const freeAssets = rulesOf({
  name: "assets",
  when: 'starts_with(http.request.uri.path, "/assets/")',
  action: "ignore",
});

describe("the rules of a room", () => {
  it("are asked in order, and the first that matches decides; where none does, the request queues", () => {
    const set = rulesOf(
      { name: "a", when: 'http.request.uri.path eq "/a"', action: "bypass" },
      { name: "b", when: 'starts_with(http.request.uri.path, "/a")', action: "ignore" },
    );
    expect(decide(set, request("/a"))).toMatchObject({ action: "bypass", rule: "a", by: "rule" });
    expect(decide(set, request("/ab"))).toMatchObject({ action: "ignore", rule: "b", by: "rule" });
    expect(decide(set, request("/b"))).toEqual({ action: "queue", rule: null, by: "no_rule", isPending: false });
  });

  it.each<[string, object, string, boolean]>([
    ['http.request.uri.query contains "a=1"', {}, "/x?b=2&a=1", true],
    ['http.request.uri.query eq ""', {}, "/x", true],
    ['http.request.uri.query eq ""', {}, "/x?usher_token=abc", true],
    ['http.request.uri.query eq "b=1"', {}, "/x?usher_token=abc&b=1", true],
    ['http.request.uri eq "/x?b=1"', {}, "/x?b=1", true],
    ['http.request.full_uri eq "https://SHOP.test/x?b=1"', {}, "/x?b=1", true],
    ['http.request.full_uri eq "https://shop.test:8443/x"', { authority: "shop.test:8443" }, "/x", true],
    ['http.host eq "Shop.test"', { authority: "shop.test:8443" }, "/x", true],
    ['http.host eq "shop.test"', { authority: "shop.test." }, "/x", true],
    ['http.host in {"a.test" "b.test"}', {}, "/x", false],
    ['http.request.method in {"POST" "PUT"}', { method: "PUT" }, "/x", true],
    ['http.request.uri.path eq "/caf%C3%A9"', {}, "/caf%c3%a9", true],
    ['http.request.uri.path eq "/café"', {}, "/caf%C3%A9", true],
    ['http.request.uri.path eq "/café"', {}, "/cafe%CC%81", true],
    ['http.request.uri.path eq "/a~b"', {}, "/%61%7Eb", true],
    ['http.request.uri.query eq "a=b%20c"', {}, "/x?a=b%20c", true],
    ["ip.src in {192.0.2.0/24}", {}, "/x", true],
    ["ip.src in {192.0.2.0/24}", { address: "::ffff:192.0.2.1" }, "/x", true],
    ["ip.src in {2001:db8::/32}", { address: "2001:db8::1" }, "/x", true],
    ["ip.src in {192.0.2.8}", {}, "/x", false],
    ['not http.host eq "a.test"', {}, "/x", true],
  ])("compare %s", (when, more, target, isMatch) => {
    const set = rulesOf({ name: "a", when, action: "bypass" });
    expect(decide(set, request(target, more)).action).toBe(isMatch ? "bypass" : "queue");
  });

  // What is written in another way, and may be the same page to a site, is not let through by a rule for the rest.
  const spellings = [
    ...[
      "/checkout",
      "/checkout/pay",
      "/checkout?x=/assets/",
      "/%63heckout",
      "/%63%68eckout/pay",
      "//checkout",
      "///checkout",
    ],
    ...[
      "/x/../checkout",
      "/./checkout",
      "/x/%2e%2e/checkout",
      "/x/%2E%2e/checkout",
      "/x/..%2fcheckout",
      "/x%2f..%2fcheckout",
    ],
    ...[
      "/x/%252e%252e/checkout",
      "/%2563heckout",
      "/%252563heckout",
      "/x/..;/checkout",
      "/x/..;a=b/checkout",
      "/;a/checkout",
    ],
    ...[
      "/x/..\\checkout",
      "/x/..%5ccheckout",
      "/x\\..\\checkout",
      "/Checkout",
      "/CHECKOUT/PAY",
      "/%43heckout",
      "/%ef%bd%83heckout",
    ],
    ...["/check%E2%80%8Bout", "/check%20out", "/x/..%3f/checkout", "/%2fcheckout", "/%5Ccheckout", "/x/.%2e/checkout"],
    ...["/%ef%bc%85%36%33heckout", "/x/%ef%bc%8e%ef%bc%8e/checkout", "/%e2%84%aa/../checkout"],
    // Nobody can say how these are read.
    ...[
      "/%",
      "/%zz",
      "/%c0%af",
      "/%ff",
      "/a%00b",
      "/a%0ab",
      "/\u00e9",
      "/a b",
      "*",
      "checkout",
      "",
      `/${"a".repeat(5_000)}`,
    ],
    ...["/%2525252525252563heckout"],
    // A site that reads the target as an address takes what two slashes begin for a host.
    ...["//x/checkout", "///x/checkout", "/\\x/checkout", "/%2fx/checkout"],
    // Some leave a step out before they climb, others climb from it.
    ...["//../checkout", "/%20/../checkout", "/x/%e2%80%8b/../../checkout", "/x/;/../checkout", "/x/..;/../checkout"],
  ];
  it.each(spellings)("let nobody past the line by spelling: %j", (target) => {
    expect(decide(queueCheckout, request(target)).action).toBe("queue");
    expect(
      decide(
        rulesOf({ name: "x", when: 'not starts_with(http.request.uri.path, "/checkout")', action: "bypass" }),
        request(target),
      ).action,
    ).toBe("queue");
  });

  it.each([
    "/",
    "/products",
    "/products/Checkout-bag",
    "/a%20b",
    "/caf%C3%A9",
    "/x//y",
    "/a/../b",
    "/a;b=c",
    "/.well-known/x",
    "/a%2Fb",
    "/..a/b",
  ])("let what is no checkout in any spelling pass: %s", (target) => {
    expect(decide(queueCheckout, request(target))).toMatchObject({ action: "ignore", rule: "rest" });
  });

  it.each([
    ...[
      "/assets",
      "/Assets/a.css",
      "//assets/a.css",
      "/assets/../checkout",
      "/assets/%2e%2e/checkout",
      "/assets/..%2fcheckout",
    ],
    ...[
      "/assets/..;/checkout",
      "/assets/..\\checkout",
      "/checkout/..%2fassets/a",
      "/checkout/../assets/a",
      "/x/../assets/a.css",
    ],
    ...["/assets/%252e%252e/checkout", "/assets%2fa.css", "/assets/..%3f/checkout", "/assets/%u002e./checkout"],
  ])("let %s not pass as an asset", (target) => {
    expect(decide(freeAssets, request(target)).action).toBe("queue");
  });

  it("let assets pass", () => {
    for (const target of [
      "/assets/",
      "/assets/a.css?v=1",
      "/assets/%61.css",
      "/assets/A.css",
      "/assets/a%20b.css",
      "/assets//b",
    ])
      expect([target, decide(freeAssets, request(target)).action]).toEqual([target, "ignore"]);
  });

  it("compare a query however it is spelled", () => {
    const set = rulesOf({ name: "pay", when: 'http.request.uri.query contains "step=pay now"', action: "queue" }, rest);
    for (const query of ["step=pay%20now", "step=pay+now", "%73tep=pay+now", "STEP=Pay+now", "a=b&step=p%61y%20now"])
      expect([query, decide(set, request(`/x?${query}`)).action]).toEqual([query, "queue"]);
    expect(decide(set, request("/x?step=pay")).action).toBe("ignore");
    expect(decide(set, request("/x?q=100%&step=pay")).action).toBe("ignore");
    expect(decide(set, request("/x?q=é")).action).toBe("queue");
  });

  it("let nobody pass by what is not known, and queue whom they cannot tell", () => {
    const unknown = request("/x", { address: null });
    const office = { name: "office", when: "ip.src in {192.0.2.0/24}" };
    expect(decide(rulesOf({ ...office, action: "bypass" }), unknown).action).toBe("queue");
    expect(decide(rulesOf({ ...office, action: "queue" }, rest), unknown).action).toBe("queue");
    expect(decide(rulesOf({ name: "x", when: "not ip.src in {192.0.2.0/24}", action: "bypass" }), unknown).action).toBe(
      "queue",
    );
    // What follows whatever the address is, is known.
    const either = { name: "x", when: 'ip.src in {192.0.2.0/24} or http.host eq "shop.test"', action: "bypass" };
    expect(decide(rulesOf(either), unknown).action).toBe("bypass");
    expect(decide(rulesOf({ ...office, action: "bypass" }), request("/x", { address: "shop" })).action).toBe("queue");
  });

  it("ask for a crawler once, only where a rule comes to it, and say when it is being looked up", () => {
    const asked: string[] = [];
    const by =
      (answer: boolean | "pending"): CrawlerCheck =>
      (address, agent) => {
        asked.push(`${address} ${agent}`);
        return answer;
      };
    const set = rulesOf(
      { name: "home", when: 'http.request.uri.path eq "/"', action: "ignore" },
      { name: "crawlers", when: "verified_crawler", action: "bypass" },
    );
    const visit = request("/A%20b//c", {
      header: (name: string) => (name === "user-agent" ? "Googlebot/2.1" : undefined),
    });
    expect(decide(set, visit, by(true))).toMatchObject({ action: "bypass", rule: "crawlers" });
    expect(decide(set, visit, by(false))).toMatchObject({ action: "queue", isPending: false });
    expect(decide(set, visit, by("pending"))).toMatchObject({ action: "queue", isPending: true });
    expect(asked).toEqual(Array.from({ length: 3 }, () => "192.0.2.7 Googlebot/2.1"));
    expect(decide(set, request("/"), by(true)).rule).toBe("home");
    expect(asked).toHaveLength(3);
    expect(decide(set, visit, null)).toMatchObject({ action: "queue", isPending: false });
    const people = rulesOf({ name: "people", when: "not verified_crawler", action: "queue" }, rest);
    expect(decide(people, visit, by("pending"))).toMatchObject({ action: "queue", isPending: true });
    expect(decide(people, visit, by(true))).toMatchObject({ action: "ignore" });
    const later = rulesOf({ name: "crawlers", when: "verified_crawler", action: "bypass" }, rest);
    expect(decide(later, visit, by("pending"))).toMatchObject({ action: "ignore", isPending: false });
    const elsewhere = rulesOf({
      name: "crawlers",
      when: 'verified_crawler and http.request.uri.path eq "/x"',
      action: "bypass",
    });
    expect(decide(elsewhere, visit, by("pending"))).toMatchObject({ action: "queue", isPending: false });
  });

  it("never fail, whatever is asked, and agree for all spellings of a path", () => {
    const set = rulesOf(
      {
        name: "a",
        when: 'http.request.uri.path contains "a" and not http.request.uri.query contains "b"',
        action: "bypass",
      },
      { name: "b", when: 'ends_with(http.request.full_uri, "c") or lower(http.host) eq "x"', action: "ignore" },
    );
    const piece = fc.constantFrom(
      ..."/.%25aA;\\?#&=+ \u00e9\u200b".split(""),
      "%2e",
      "%2F",
      "%5c",
      "%c3%a9",
      "..",
      "%25",
    );
    const target = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 24 }).map((parts) => `/${parts.join("")}`),
    );
    fc.assert(
      fc.property(target, fc.string({ unit: "binary" }), (text, host) => {
        expect(["queue", "bypass", "ignore"]).toContain(decide(set, request(text, { authority: host })).action);
      }),
      { numRuns: 2_000 },
    );
    const encode = (text: string, which: readonly boolean[]) =>
      [...text]
        .map((letter, at) => (which[at % which.length] ? `%${letter.charCodeAt(0).toString(16)}` : letter))
        .join("");
    const step = fc.constantFrom("checkout", "assets", "x", "y-1", "~z");
    const which = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), which, (steps, bits) => {
        const plain = `/${steps.join("/")}`;
        const spelled = `/${steps.map((each) => encode(each, bits)).join("/")}`;
        for (const rules of [queueCheckout, freeAssets, set])
          expect(decide(rules, request(spelled))).toEqual(decide(rules, request(plain)));
      }),
    );
    const detour = fc.constantFrom("/x/..", "/.", "/", "/%2e", "/x/%2e%2e", "/y/z/../..", "/a;b/..", "/\\", "/x%2f..");
    fc.assert(
      fc.property(fc.array(detour, { minLength: 1, maxLength: 4 }), which, (detours, bits) => {
        const spelled = `${detours.join("")}/${encode("checkout", bits)}`;
        expect(decide(queueCheckout, request(spelled)).action).toBe("queue");
      }),
    );
  });

  it.each([
    "/api//../checkout",
    "/api/%20/../checkout",
    "/api/;/../checkout",
    "/api/..;/../checkout",
    "/api/\\/../checkout",
  ])("let nobody past a folder by a step that some servers leave out: %s", (target) => {
    const when = 'starts_with(http.request.uri.path, "/api/checkout")';
    expect(decide(rulesOf({ name: "api", when, action: "queue" }, rest), request(target)).action).toBe("queue");
  });

  it.each(["shop.test.", "shop.test:8443", "shop.test:0443", "shop.test"])(
    "let nobody past a full address by the port or the dot of its host: %s",
    (authority) => {
      const when = 'starts_with(http.request.full_uri, "https://shop.test/checkout")';
      const set = rulesOf({ name: "checkout", when, action: "queue" }, rest);
      expect(decide(set, request("/checkout", { authority })).action).toBe("queue");
    },
  );

  it("do not go by a method that is not known", () => {
    const posts = 'http.request.method eq "POST"';
    const unknown = request("/x", { method: null });
    expect(decide(rulesOf({ name: "posts", when: posts, action: "ignore" }), unknown).action).toBe("queue");
    expect(decide(rulesOf({ name: "posts", when: posts, action: "queue" }, rest), unknown).action).toBe("queue");
  });

  it("compare so much at most: what is longer queues", () => {
    const isRead = (query: string) =>
      readingsOf(`/A%2541;b\\c%253fd/${query}`, { query: true, case: "always" }) !== null;
    expect([isRead(`?${"%61+".repeat(100)}`), isRead(`?${"%61+".repeat(3_000)}`)]).toEqual([true, false]);
  });

  it("are compared with so many readings of a target at most, however it is spelled", () => {
    const piece = fc.constantFrom(
      "/",
      "..",
      ";",
      "%252f",
      "%2525252e",
      "\\",
      "a",
      "A",
      "%41",
      "%ef%bc%8e",
      "%3f",
      "%253f",
      "?",
      "+",
    );
    const target = fc.array(piece, { minLength: 1, maxLength: 60 }).map((parts) => `/${parts.join("")}`);
    fc.assert(
      fc.property(target, (text) => {
        const readings = readingsOf(text, { query: true, case: "always" });
        expect(readings?.length ?? 0).toBeLessThanOrEqual(100);
      }),
      { numRuns: 1_000 },
    );
    expect(readingsOf("/products/7?a=b", { query: true, case: "as_sent" })).toHaveLength(1);
  });
});

describe("a list of rules", () => {
  const faultsOf = (written: unknown) => {
    const read = readRules(written);
    return "faults" in read ? read.faults.map(({ path, message }) => `${path.join(".")}: ${message}`) : [];
  };

  it("has all faults told at once, each with its place", () => {
    expect(
      faultsOf([
        { name: "A", action: "pass", when: "x" },
        { name: "a", action: "queue", when: 7 },
        { name: "a", action: "queue", when: "verified_crawler", triggers: [], colour: "red" },
        7,
      ]),
    ).toEqual([
      expect.stringContaining("0.name: expected a name of lower-case letters"),
      "0.action: expected one of queue, bypass, ignore",
      expect.stringContaining("0.when: column 1: there is no field x"),
      "1.when: expected an expression, as text",
      "2.name: another rule of the room has this name",
      "2.colour: unknown key: there are name, action, when, triggers",
      "2.triggers: given beside when: keep one of them, or make two rules",
      "3: expected a mapping with name, action, when, triggers",
    ]);
  });

  it.each([[undefined], [null], [[]], ["x"], [{}], [Array.from({ length: 51 }, () => rest)]])(
    "is refused: %j",
    (written) => {
      expect(faultsOf(written)).toEqual([": expected a list of 1 to 50 rules"]);
    },
  );

  it("is bounded in all conditions and values together", () => {
    const some = Array.from({ length: 300 }, (_, at) => `"/${at}"`).join(" ");
    const rules = Array.from({ length: 4 }, (_, at) => ({
      name: `r${at}`,
      action: "queue",
      when: `http.request.uri.path in {${some}}`,
    }));
    expect(faultsOf(rules)).toEqual([": all rules together have 1204 conditions and values: expected at most 1000"]);
    expect(faultsOf(rules.slice(1))).toEqual([]);
  });

  it("is warned about where it does nothing, or lets pass whoever asks for it", () => {
    const warningsOf = (...rules: object[]) =>
      ruleWarnings(rulesOf(...rules)).map(({ path, message }) => `${path.join(".")}: ${message}`);
    expect(warningsOf({ name: "a", when: "verified_crawler", action: "queue" })).toEqual([
      expect.stringContaining(": all of them queue"),
    ]);
    expect(warningsOf(rest, { name: "a", action: "queue" })).toEqual([
      expect.stringContaining("0: matches every request"),
    ]);
    expect(warningsOf({ name: "a", when: 'http.user_agent contains "app"', action: "bypass" })).toEqual([
      expect.stringContaining("0: lets pass by what every visitor can write"),
    ]);
    for (const when of [
      "verified_crawler",
      'http.user_agent contains "app" and ip.src in {192.0.2.1}',
      'http.request.uri.path eq "/a"',
    ])
      expect(warningsOf({ name: "a", when, action: "bypass" })).toEqual([]);
  });
});
