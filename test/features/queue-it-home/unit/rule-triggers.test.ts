/** Rules as connectors are told them, and what the published connector for JavaScript makes of that. */
import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { integrationConfig } from "../../../../src/features/queue-it-home/integration-config.ts";
import { sendRules, type TriggerPart } from "../../../../src/features/queue-it-home/rule-triggers.ts";
import { decide, type RuleAction, readRules, type WrittenRule } from "../../../../src/lib/rules/index.ts";

/** Which integration counts, as the published connector decides it. */
const { IntegrationEvaluator } = createRequire(import.meta.url)(
  "@queue-it/connector-javascript/dist/IntegrationConfig/integrationConfigHelpers",
) as {
  IntegrationEvaluator: new () => {
    getMatchedIntegrationConfig(...of: unknown[]): { ActionType: string; EventId: string } | null;
  };
};

const targets = ["https://shop.test/*", "http://localhost:8443/*"];
const sent = (rules: readonly WrittenRule[], later: readonly string[] = []) => sendRules(rules, { targets, later });
const one = (when: string, action: RuleAction = "queue") => sent([{ name: "one", action, when }]);
/** `PagePath Equals /a`, `!` before a negative one, `i:` before a value without regard to case; in one line for each trigger. */
const lines = ({ rules }: ReturnType<typeof sent>) =>
  rules.flatMap(({ triggers }) =>
    triggers.map(({ LogicalOperator, TriggerParts }) => TriggerParts.map(partLine).join(` ${LogicalOperator} `)),
  );
function partLine(part: TriggerPart): string {
  const what = [part.UrlPart, part.CookieName, part.HttpHeaderName].find((name) => name !== "") ?? part.ValidatorType;
  const value = part.ValuesToCompare?.join("|") ?? part.ValueToCompare;
  return `${part.IsNegative ? "!" : ""}${what} ${part.Operator} ${part.IsIgnoreCase ? "i:" : ""}${value}`;
}
const path = "http.request.uri.path";

describe("an expression that a connector can compare in full", () => {
  it.each<[string, string[]]>([
    [`${path} eq "/a"`, ["PagePath Equals /a"]],
    [`${path} ne "/a"`, ["!PagePath Equals /a"]],
    [`lower(${path}) contains "/a"`, ["PagePath Contains i:/a"]],
    [`${path} in {"/a" "/b"}`, ["PagePath EqualsAny /a|/b"]],
    [`not ${path} in {"/a" "/b"}`, ["!PagePath EqualsAny /a|/b"]],
    // As browsers send it, however it is written.
    [`${path} in {"/é" "/%63afe" "/a{b}"}`, ["PagePath EqualsAny /%C3%A9|/cafe|/a%7Bb%7D"]],
    ['http.request.full_uri eq "HTTPS://Shop.test/A"', ["PageUrl Equals https://shop.test/A"]],
    ['http.host eq "shop.test"', ["HostName Equals i:shop.test"]],
    ['http.host eq "localhost"', ["HostName EqualsAny i:localhost|localhost:8443"]],
    ['http.request.full_uri contains "?x=1"', ["PageUrl Contains ?x=1"]],
    ['http.user_agent contains "Bot"', ["UserAgentValidator Contains Bot"]],
    ['http.cookie contains "a=1"', ["cookie Contains a=1"]],
    ['http.request.cookies["s"][0] eq ""', ["s Equals "]],
    ['http.request.headers["X-App"][0] eq "1"', ["x-app Equals 1"]],
    [
      `(${path} eq "/a" or ${path} eq "/b") and http.host eq "shop.test"`,
      ["PagePath Equals /a And HostName Equals i:shop.test", "PagePath Equals /b And HostName Equals i:shop.test"],
    ],
    [`not (${path} eq "/a" and http.host eq "shop.test")`, ["!PagePath Equals /a", "!HostName Equals i:shop.test"]],
    // The second says nothing that the first does not.
    [`${path} eq "/a" or (${path} eq "/a" and http.host eq "shop.test")`, ["PagePath Equals /a"]],
  ])("%s", (when, expected) => {
    for (const action of ["queue", "ignore"] as const) {
      const { rules, differences } = one(when, action);
      expect(rules.map(({ actionType }) => actionType)).toEqual([action === "queue" ? "Queue" : "Ignore"]);
      expect(lines(one(when, action))).toEqual(expected);
      expect(differences).toEqual([]);
    }
  });
});

const host = 'http.host eq "shop.test"';
const everything = "PageUrl Contains *";
describe("an expression that it cannot: what queues goes out wider, what lets pass narrower", () => {
  it.each<[string, string[], string[]]>([
    [`starts_with(${path}, "/a")`, ["PagePath Contains /a"], []],
    [`ends_with(${path}, ".css")`, ["PagePath Contains .css"], []],
    [`not starts_with(${path}, "/a")`, [everything], ["!PagePath Contains /a"]],
    [`${host} and starts_with(${path}, "/a")`, ["HostName Equals i:shop.test And PagePath Contains /a"], []],
    [
      `${host} or starts_with(${path}, "/a")`,
      ["HostName Equals i:shop.test", "PagePath Contains /a"],
      ["HostName Equals i:shop.test"],
    ],
    ['http.request.method eq "POST"', [everything], []],
    [`${host} and not http.request.method eq "POST"`, ["HostName Equals i:shop.test"], []],
    [`${host} and ip.src in {192.0.2.0/24}`, ["HostName Equals i:shop.test"], []],
    [`${host} and not verified_crawler`, ["HostName Equals i:shop.test"], []],
    [`${host} or verified_crawler`, [everything], ["HostName Equals i:shop.test"]],
    ['http.request.uri.query contains "x=1"', ["PageUrl Contains x=1"], []],
    ['not http.request.uri contains "/a?"', [everything], ["!PageUrl Contains /a?"]],
    ['http.request.uri.query eq ""', [everything], []],
    // A star is any text to a connector, in a negative part, too.
    [`${path} contains "*"`, ["PagePath Contains *"], []],
    [`not ${path} contains "*"`, [everything], ["PagePath Equals "]],
    // Some connectors compare cookies decoded.
    ['http.request.cookies["s"][0] eq "a%20b"', ["s EqualsAny a%20b|a b"], []],
  ])("%s", (when, wide, narrow) => {
    expect(lines(one(when, "queue"))).toEqual(wide);
    expect(lines(one(when, "bypass"))).toEqual(narrow);
    for (const action of ["queue", "bypass"] as const)
      expect(one(when, action).differences).toEqual([
        { at: 0, message: expect.stringMatching(/^connectors of Queue-it cannot compare \S/) },
      ]);
  });

  test("and each such rule is named, with what becomes of it", () => {
    const messages = (when: string, action: RuleAction) => one(when, action).differences.map(({ message }) => message);
    expect([
      messages(`starts_with(${path}, "/a")`, "queue"),
      messages('http.request.method eq "POST"', "queue"),
      messages("ip.src in {192.0.2.1}", "bypass"),
      messages(`${host} or verified_crawler`, "ignore"),
    ]).toEqual([
      [`connectors of Queue-it cannot compare starts_with(${path}, "/a"): there more requests queue than by this rule`],
      [
        'connectors of Queue-it cannot compare http.request.method eq "POST": there every request queues ' +
          "that no rule before this one has let pass",
      ],
      [
        "connectors of Queue-it cannot compare ip.src in {192.0.2.1}: the rule is not sent to them, " +
          "and the next ones decide about what it lets pass",
      ],
      ["connectors of Queue-it cannot compare verified_crawler: there fewer requests pass by this rule"],
    ]);
  });

  test("more combinations than a rule may have triggers: wider, or fewer", () => {
    const either = (name: string) =>
      `(${[...Array(8).keys()].map((at) => `${path} contains "/${name}${at}"`).join(" or ")})`;
    const when = ["a", "b", "c"].map(either).join(" and ");
    const wide = one(when, "queue");
    expect(lines(wide).length).toBeLessThanOrEqual(50);
    expect(wide.differences).toMatchObject([{ message: expect.stringContaining("more than 50 combinations") }]);
    const narrow = one(when, "ignore");
    expect(lines(narrow)).toHaveLength(50);
    expect(lines(narrow).every((line) => line.split(" And ").length === 3)).toBe(true);
  });
});

const triggers = [
  {
    LogicalOperator: "Or",
    TriggerParts: [
      {
        ValidatorType: "UrlValidator",
        UrlPart: "PagePath",
        Operator: "Contains",
        ValueToCompare: "/sale",
        IsIgnoreCase: true,
      },
      { ValidatorType: "Cookie", CookieName: "staff", Operator: "Contains", ValueToCompare: "*", IsNegative: true },
    ],
  },
];

test("triggers go out as they stand, in the spelling of the connectors", () => {
  const { rules, differences } = sent([{ name: "sale", action: "ignore", triggers }]);
  const [{ TriggerParts: parts = [] } = {}] = triggers;
  expect(differences).toEqual([]);
  expect(rules).toMatchObject([
    {
      name: "sale",
      actionType: "Ignore",
      triggers: [
        { LogicalOperator: "Or", TriggerParts: [parts[0], { ...parts[1], ValidatorType: "CookieValidator" }] },
      ],
    },
  ]);
});

describe("the integrations of a home", () => {
  const admission = { durationMs: 60_000, maxDurationMs: null };
  const integrations = (
    ...rooms: { id: string; title?: string; targets?: string[]; rules: WrittenRule[] | null }[]
  ) => {
    const home = { path: "/queue-it", customerId: "acme", rooms: new Map(rooms.map(({ id }) => [`event-${id}`, id])) };
    const roomOf = (id: string) => {
      const room = rooms.find((each) => each.id === id);
      return room === undefined ? null : { title: "Tickets", targets, admission, ...room };
    };
    return integrationConfig(home, roomOf, { issuer: "https://queue.test", nowMs: 0 }).Integrations;
  };
  const rest = { name: "rest", action: "ignore" } as const;
  const checkout: WrittenRule = { name: "checkout", action: "queue", when: `starts_with(${path}, "/checkout")` };

  it("are those of the rules in their order, and one of the targets for what no rule matches", () => {
    const of = integrations({ id: "a", rules: [{ name: "shop", action: "bypass", when: host }, checkout] });
    expect(of.map(({ Name, ActionType, EventId }) => [Name, ActionType, EventId])).toEqual([
      ["Tickets: shop", "Ignore", "event-a"],
      ["Tickets: checkout", "Queue", "event-a"],
      ["Tickets", "Queue", "event-a"],
    ]);
    expect(of.at(-1)?.Triggers).toHaveLength(targets.length);
  });

  it("end with a rule that matches everything", () => {
    const of = integrations({ id: "a", rules: [checkout, rest, { ...checkout, name: "never" }] });
    expect(of.map(({ Name }) => Name)).toEqual(["Tickets: checkout", "Tickets: rest"]);
  });

  it("have names of their own, though titles are the same", () => {
    const of = integrations({ id: "a", rules: null }, { id: "b", rules: [checkout] });
    expect(of.map(({ Name }) => Name)).toEqual(["Tickets", "Tickets: checkout", "Tickets (event-b)"]);
  });

  it("let nobody pass whose address is one of a room behind it", () => {
    const of = integrations(
      { id: "a", targets: ["https://a.test/*"], rules: [checkout, rest] },
      { id: "b", targets: ["https://b.test/x/*", "https://b.test/y"], rules: null },
    );
    const shown = of.map(({ Triggers }) =>
      Triggers.map(({ TriggerParts }) => TriggerParts.map(partLine).join(" And ")),
    );
    expect(shown).toEqual([
      ["PagePath Contains /checkout And HostName Equals i:a.test"],
      ["!HostName Equals i:b.test", "!PagePath Equals /y And !PagePath Contains /x/"],
      ["HostName Equals i:b.test And PagePath Contains /x/", "HostName Equals i:b.test And PagePath Equals /y"],
    ]);
  });

  it("stay few, however many rooms come behind", () => {
    const behind = [...Array(40).keys()].map((at) => {
      return { id: `b${at}`, targets: [`https://b${at}.test/x/*`, `https://c${at}.test/*`], rules: null };
    });
    const [, passing] = integrations({ id: "a", rules: [checkout, rest] }, ...behind);
    expect(passing?.Triggers).toHaveLength(1);
    const [part] = passing?.Triggers[0]?.TriggerParts ?? [];
    expect(part).toMatchObject({ UrlPart: "HostName", Operator: "EqualsAny", IsNegative: true });
    expect(part?.ValuesToCompare).toHaveLength(80);
  });

  it("never let more pass than the rules do, whatever they are", () => {
    const value = fc.constantFrom("/a", "/b", "/a/b", "/", "/c*", "*", "x=1", "b");
    const text = fc.constantFrom(path, "http.request.full_uri", "http.user_agent", 'http.request.cookies["s"][0]');
    const leaf = fc.oneof(
      fc.tuple(text, fc.constantFrom("contains"), value).map(([field, how, to]) => `${field} ${how} "${to}"`),
      fc.constantFrom("/a", "/b", "/a/b").map((to) => `${path} eq "${to}"`),
      fc.constantFrom("/a", "/b").map((to) => `starts_with(${path}, "${to}")`),
      fc.constantFrom("/b", "b").map((to) => `ends_with(${path}, "${to}")`),
      fc.constantFrom("x=1", "").map((to) => `http.request.uri.query eq "${to}"`),
      fc.constantFrom("shop.test", "other.test").map((to) => `http.host eq "${to}"`),
      fc.constantFrom('http.request.method eq "POST"', "ip.src in {192.0.2.1}", "verified_crawler"),
    );
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        tie("tree").map((part) => `not (${part})`),
        fc.tuple(tie("tree"), fc.constantFrom("and", "or"), tie("tree")).map(([a, how, b]) => `(${a} ${how} ${b})`),
      ),
    }));
    const action = fc.constantFrom<RuleAction>("queue", "bypass", "ignore");
    const rule = fc.record({ when: tree, action });
    const asked = fc.record({
      host: fc.constantFrom("shop.test", "other.test"),
      path: fc.constantFrom("/", "/a", "/b", "/a/b", "/c*", "/z/a"),
      query: fc.constantFrom("", "?x=1", "?x=1&y=/a"),
      method: fc.constantFrom("GET", "POST"),
      agent: fc.constantFrom("b", "other"),
      cookie: fc.constantFrom("", "b", "/a"),
      address: fc.constantFrom("192.0.2.1", "192.0.2.2"),
      crawler: fc.boolean(),
    });
    let passed = 0;
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 4 }),
        fc.array(asked, { minLength: 8, maxLength: 8 }),
        (written, all) => {
          const rules = written.map((each, at) => ({ ...each, name: `rule-${at}` }));
          const read = readRules(rules);
          if ("faults" in read) throw new Error(JSON.stringify(read.faults));
          const room = { id: "a", targets: ["https://shop.test/*"], rules };
          const alone = integrations(room);
          const first = integrations(room, { id: "b", targets: ["https://other.test/z/*"], rules: null });
          for (const each of all) {
            const { action: becomes, rule: by } = decide(read.set, requestOf(each), () => each.crawler);
            const matched = matchOf(alone, each);
            // What is no target of the room passes where no rule says anything of it.
            if (matched === null && by === null) expect(each.host).toBe("other.test");
            else if (matched?.ActionType !== "Queue") expect(becomes).not.toBe("queue");
            if (matched?.ActionType === "Ignore") passed++;
            const ofBoth = matchOf(first, each);
            if (each.host === "shop.test" && ofBoth?.ActionType !== "Queue") expect(becomes).not.toBe("queue");
            if (each.host === "other.test" && each.path === "/z/a") expect(ofBoth?.EventId).toBe("event-b");
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(passed).toBeGreaterThan(20);
  });
});

interface Asked {
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly method: string;
  readonly agent: string;
  readonly cookie: string;
  readonly address: string;
}

function headersOf({ agent, cookie }: Asked): Readonly<Record<string, string>> {
  return { "user-agent": agent, cookie: cookie === "" ? "" : `s=${cookie}` };
}

function requestOf(asked: Asked) {
  const { host, path, query, method, address } = asked;
  const headers = headersOf(asked);
  const header = (name: string) => headers[name];
  return { method, protocol: "https" as const, authority: host, target: path + query, address, header };
}

function matchOf(Integrations: readonly object[], asked: Asked) {
  const headers = headersOf(asked);
  const request = {
    getUserAgent: () => asked.agent,
    getHeader: (name: string) => headers[name] ?? "",
    getCookieValue: () => asked.cookie,
  };
  const address = `https://${asked.host}${asked.path}${asked.query}`;
  return new IntegrationEvaluator().getMatchedIntegrationConfig({ Integrations }, address, {
    getHttpRequest: () => request,
  });
}
