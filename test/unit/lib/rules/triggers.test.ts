import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decide, readRules } from "../../../../src/lib/rules/index.ts";

type Part = Record<string, unknown>;
const request = (url: string, headers: Record<string, string> = {}) => {
  const { host, pathname, search } = new URL(url);
  return {
    method: "GET",
    protocol: "https" as const,
    authority: host,
    target: pathname + search,
    header: (name: string) => headers[name],
    address: null,
  };
};
function matches(triggers: readonly object[], url: string, headers?: Record<string, string>): boolean {
  const read = readRules([
    { name: "queue", action: "queue", triggers },
    { name: "rest", action: "ignore" },
  ]);
  if ("faults" in read) throw new Error(read.faults.map(({ message }) => message).join());
  return decide(read.set, request(url, headers)).action === "queue";
}
const one = (part: Part) => [{ LogicalOperator: "And", TriggerParts: [part] }];
const url = (UrlPart: string, Operator: string, more: Part) => ({ ValidatorType: "Url", UrlPart, Operator, ...more });

describe("triggers", () => {
  it.each<[string, Part, string, Record<string, string>, boolean]>([
    ["a path", url("PagePath", "Equals", { ValueToCompare: "/sale" }), "https://a.test/sale", {}, true],
    [
      "a path, in the long spelling",
      { ValidatorType: "UrlValidator", UrlPart: "PagePath", Operator: "Equals", ValueToCompare: "/sale" },
      "https://a.test/sale",
      {},
      true,
    ],
    ["another path", url("PagePath", "Equals", { ValueToCompare: "/sale" }), "https://a.test/sale/1", {}, false],
    [
      "an address",
      url("PageUrl", "Contains", { ValueToCompare: "a.test/sale?x" }),
      "https://a.test/sale?x=1",
      {},
      true,
    ],
    ["a host", url("HostName", "Equals", { ValueToCompare: "A.test" }), "https://a.test/", {}, true],
    ["another host", url("HostName", "Equals", { ValueToCompare: "b.test" }), "https://a.test/", {}, false],
    [
      "a negative part",
      url("PagePath", "Contains", { ValueToCompare: "/x", IsNegative: true }),
      "https://a.test/y",
      {},
      true,
    ],
    [
      "a negative part that fits",
      url("PagePath", "Contains", { ValueToCompare: "/x", IsNegative: true }),
      "https://a.test/x",
      {},
      false,
    ],
    ["one of several", url("PagePath", "EqualsAny", { ValuesToCompare: ["/a", "/b"] }), "https://a.test/b", {}, true],
    [
      "none of several",
      url("PagePath", "ContainsAny", { ValuesToCompare: ["/a", "/b"] }),
      "https://a.test/c",
      {},
      false,
    ],
    ["a star", url("PageUrl", "Contains", { ValueToCompare: "*" }), "https://a.test/c", {}, true],
    [
      "a star, negative",
      url("PageUrl", "Contains", { ValueToCompare: "*", IsNegative: true }),
      "https://a.test/c",
      {},
      true,
    ],
    ["a star that is equalled", url("PagePath", "Equals", { ValueToCompare: "*" }), "https://a.test/c", {}, false],
    [
      "a cookie",
      { ValidatorType: "Cookie", CookieName: "s", Operator: "Equals", ValueToCompare: "1" },
      "https://a.test/",
      { cookie: "t=2; s=1" },
      true,
    ],
    [
      "no cookie, star",
      { ValidatorType: "Cookie", CookieName: "s", Operator: "Contains", ValueToCompare: "*" },
      "https://a.test/",
      { cookie: "t=2" },
      false,
    ],
    [
      "a user agent",
      { ValidatorType: "UserAgent", Operator: "Contains", ValueToCompare: "BOT", IsIgnoreCase: true },
      "https://a.test/",
      { "user-agent": "a bot" },
      true,
    ],
    [
      "a user agent in its case",
      { ValidatorType: "UserAgent", Operator: "Contains", ValueToCompare: "BOT" },
      "https://a.test/",
      { "user-agent": "a bot" },
      false,
    ],
    [
      "a header",
      { ValidatorType: "HttpHeader", HttpHeaderName: "X-App", Operator: "Equals", ValueToCompare: "1" },
      "https://a.test/",
      { "x-app": "1" },
      true,
    ],
  ])("compare %s", (_, part, address, headers, isMatch) => {
    expect(matches(one(part), address, headers)).toBe(isMatch);
  });

  it("join their parts by And or Or, and are joined by or", () => {
    const [sale, x] = ["/sale", "/x"].map((ValueToCompare) => url("PagePath", "Contains", { ValueToCompare }));
    const both = { LogicalOperator: "And", TriggerParts: [sale, x] };
    const either = { LogicalOperator: "Or", TriggerParts: [sale, x] };
    expect(matches([both], "https://a.test/sale")).toBe(false);
    expect(matches([both], "https://a.test/sale/x")).toBe(true);
    expect(matches([either], "https://a.test/x")).toBe(true);
    expect(matches([both, either], "https://a.test/x")).toBe(true);
  });

  it("have all their faults told, with the place of each", () => {
    const parts = [
      { ValidatorType: "Url", UrlPart: "Path", Operator: "Equals", ValueToCompare: "/a" },
      { ValidatorType: "RequestBody", Operator: "Contains", ValueToCompare: "x" },
      { ValidatorType: "Cookie", Operator: "Is", ValueToCompare: 7, IsNegative: "no" },
      {
        ValidatorType: "HttpHeader",
        HttpHeaderName: "X-Forwarded-For",
        Operator: "EqualsAny",
        ValuesToCompare: ["a", 1],
      },
      { ValidatorType: "Geo", Operator: "Equals", ValueToCompare: "a", Colour: "red" },
    ];
    const read = readRules([
      { name: "a", action: "queue", triggers: [{ LogicalOperator: "Xor", TriggerParts: parts }, {}, 7] },
    ]);
    if (!("faults" in read)) throw new Error("no faults");
    const at = (...path: (string | number)[]) => [0, "triggers", ...path].join(".");
    expect(read.faults.map(({ path }) => path.join("."))).toEqual([
      at(0, "LogicalOperator"),
      at(0, "TriggerParts", 0, "UrlPart"),
      at(0, "TriggerParts", 1, "ValidatorType"),
      at(0, "TriggerParts", 2, "CookieName"),
      at(0, "TriggerParts", 2, "Operator"),
      at(0, "TriggerParts", 2, "IsNegative"),
      at(0, "TriggerParts", 2, "ValueToCompare"),
      at(0, "TriggerParts", 3, "HttpHeaderName"),
      at(0, "TriggerParts", 3, "ValuesToCompare", 1),
      at(0, "TriggerParts", 4, "Colour"),
      at(0, "TriggerParts", 4, "ValidatorType"),
      at(1, "TriggerParts"),
      at(2),
      at(2, "TriggerParts"),
    ]);
    expect(read.faults.every(({ message }) => message.length > 10)).toBe(true);
  });

  it("and rules are read or refused, whatever stands there", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (triggers, written) => {
        for (const rules of [written, [written], [{ name: "a", action: "queue", triggers }]]) {
          const read = readRules(rules);
          expect("set" in read || read.faults.length > 0).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
