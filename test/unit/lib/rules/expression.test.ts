import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readExpression } from "../../../../src/lib/rules/expression.ts";
import { ruleBounds } from "../../../../src/lib/rules/syntax-tree.ts";

const faultsOf = (text: string) => {
  const read = readExpression(text);
  return "faults" in read ? read.faults.map(({ column, message }) => `${column}: ${message}`) : [];
};

/** The tree in short: what binds tighter stands in parentheses. */
function shapeOf(text: string): unknown {
  const read = readExpression(text);
  if ("faults" in read) throw new Error(read.faults.map(({ message }) => message).join());
  const shape = (condition: typeof read.condition): unknown => {
    if (condition.kind === "and" || condition.kind === "or") return [condition.kind, ...condition.parts.map(shape)];
    if (condition.kind === "not") return ["not", shape(condition.part)];
    if (condition.kind === "text")
      return [
        condition.field.name,
        condition.test,
        ...condition.values,
        ...(condition.ignoresCase ? ["any case"] : []),
      ];
    return condition.kind === "address" ? ["address", ...condition.ranges] : condition.kind;
  };
  return shape(read.condition);
}

describe("an expression", () => {
  it.each<[string, unknown]>([
    ['http.request.uri.path eq "/a"', ["path", "equals", "/a"]],
    ['http.request.uri.path=="/a"', ["path", "equals", "/a"]],
    ['http.request.uri.query contains "x=1"', ["query", "contains", "x=1"]],
    ['http.request.full_uri ne "https://a.test/"', ["not", ["full_uri", "equals", "https://a.test/"]]],
    ['http.host != "a.test"', ["not", ["host", "equals", "a.test"]]],
    ['http.request.method in {"PUT" "POST"}', ["method", "equals", "PUT", "POST"]],
    ['starts_with(http.request.uri.path, "/a/")', ["path", "starts", "/a/"]],
    ['ends_with ( http.request.uri.path , ".css" )', ["path", "ends", ".css"]],
    ['lower(http.user_agent) contains "bot"', ["user_agent", "contains", "bot", "any case"]],
    ['starts_with(lower(http.request.uri.path), "/a")', ["path", "starts", "/a", "any case"]],
    ['http.cookie contains "a=b"', ["cookies", "contains", "a=b"]],
    ['http.request.headers["X-Shop"][0] eq "1"', ["header", "equals", "1"]],
    ['http.request.cookies["s"][0] eq "1"', ["cookie", "equals", "1"]],
    ["ip.src in {192.0.2.0/24 2001:db8::/32}", ["address", "192.0.2.0/24", "2001:db8::/32"]],
    ["ip.src == 192.0.2.1", ["address", "192.0.2.1"]],
    ["not ip.src in {192.0.2.1}", ["not", ["address", "192.0.2.1"]]],
    ["verified_crawler", "crawler"],
    ["!verified_crawler", ["not", "crawler"]],
    ['http.user_agent eq "a\\"b\\\\c"', ["user_agent", "equals", 'a"b\\c']],
    ['http.user_agent eq r#"a"b\\c"#', ["user_agent", "equals", 'a"b\\c']],
    // Cloudflare's order: not, then and, then or.
    [
      "verified_crawler or verified_crawler and not verified_crawler",
      ["or", "crawler", ["and", "crawler", ["not", "crawler"]]],
    ],
    ["(verified_crawler || verified_crawler) && verified_crawler", ["and", ["or", "crawler", "crawler"], "crawler"]],
    ["not (verified_crawler and verified_crawler)", ["not", ["and", "crawler", "crawler"]]],
  ])("is read: %s", (text, shape) => {
    expect(shapeOf(text)).toEqual(shape);
  });

  it.each<[string, string]>([
    ["", "1: is empty"],
    ["http.host", "10: expected eq, ne, in or contains"],
    ['http.hosts eq "a.test"', "1: there is no field http.hosts: there are http.request.uri.path, "],
    ["http.host eq a.test", "14: expected a text in double quotes"],
    ["http.host eq 'a.test'", '14: expected a text in double quotes: texts stand in double quotes ("…")'],
    ['http.host eq "a.test', "14: the text has no end"],
    ['http.host eq "a.test" verified_crawler', "23: expected and, or, or the end here"],
    ['http.host eq "a.test")', "22: expected and, or, or the end here: a parenthesis is closed"],
    ['(http.host eq "a.test"', "23: expected a closing parenthesis for the one in column 1"],
    ['http.host matches "a.*"', "11: matches has no equal here: no pattern of yours is run"],
    ['http.host ~ "a.*"', "11: ~ has no equal here"],
    ['http.request.uri.path wildcard "/a/*"', "23: wildcard has no equal here"],
    ['http.request.uri.path strict wildcard "/a/*"', "23: strict has no equal here"],
    ['http.host lt "a"', "11: lt has no equal here"],
    ['http.host starts_with "a"', "11: starts_with has no equal here: it is a function"],
    ["ip.src not in {192.0.2.1}", "8: not has no equal here: write not before the field"],
    ["verified_crawler xor verified_crawler", "18: xor has no equal here"],
    ['ip.src.country eq "DE"', "1: ip.src.country: Usher knows no countries"],
    ['ip.geoip.country in {"DE" "FR"}', "1: ip.geoip.country: Usher knows no countries"],
    ["ip.src.asnum in {64496}", "1: ip.src.asnum: Usher knows no countries, networks"],
    ["cf.client.bot", "1: cf.client.bot: write verified_crawler"],
    ["cf.bot_management.verified_bot", "1: cf.bot_management.verified_bot: write verified_crawler"],
    ["cf.threat_score", "1: cf.threat_score: it is a finding of Cloudflare's own"],
    ["ip.src in $office", "11: lists with a name are kept at Cloudflare"],
    ["ip.src in {192.0.2.1, 192.0.2.2}", "21: values of a list stand with blanks"],
    ["ip.src in {}", "11: the list is empty"],
    ["ip.src in {192.0.2.1..192.0.2.9}", "12: 192.0.2.1..192.0.2.9: write a range of addresses in CIDR notation"],
    ["ip.src in {192.0.2.0/33}", '12: "192.0.2.0/33" is no address or CIDR range'],
    ["ip.src in {shop}", '12: "shop" is no address or CIDR range'],
    ["ip.src in {192.0.2.1", "11: the list has no end"],
    ['ip.src contains "1"', "8: an address contains nothing"],
    ['any(http.host eq "a")', "1: there is no function any here"],
    ['http.request.headers["host"][0] eq "a"', '1: the header "host" cannot be compared: write http.host'],
    [
      'http.request.headers["X-Forwarded-For"][0] eq "a"',
      '1: the header "X-Forwarded-For" cannot be compared: write ip.src',
    ],
    [
      'http.request.headers["authorization"][0] eq "a"',
      '1: the header "authorization" cannot be compared: a rule is no place',
    ],
    ['http.request.headers["x"][*] eq "a"', "27: expected 0"],
    ['http.request.headers["x"] eq "a"', "27: expected [0], for the first value"],
    ['http.request.uri.path eq "a"', '26: a path begins with a slash: write "/a"'],
    ['http.request.uri.path contains "a?b"', "32: a path has no ?"],
    ['http.request.uri.query eq "?a"', '27: a query begins behind its ?: write "a"'],
    ['http.request.full_uri eq "/a"', "26: a full address begins with https://"],
    ['http.host eq "a.test:443"', "14: a host has neither a scheme nor a port"],
    ['http.request.method eq "get"', '24: methods are upper case: write "GET"'],
    ['lower(http.host) eq "A.test"', '21: lower(…) never has upper case: write "a.test"'],
    ['http.host eq "a\u0007"', "14: has a character that no request has"],
    [`http.host eq "${"a".repeat(ruleBounds.value + 1)}"`, `14: has ${ruleBounds.value + 1} characters`],
    [`${"(".repeat(ruleBounds.depth + 1)}verified_crawler`, `${ruleBounds.depth + 1}: is nested more than`],
    [`http.host eq "${"a".repeat(ruleBounds.expression)}"`, "1: has 4111 characters"],
  ])("is refused, with the column and what to do: %s", (text, fault) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(fault)]);
    expect(faultsOf(text)[0]).toMatch(/^\d+: /);
    expect(faultsOf(text)[0]?.startsWith(fault)).toBe(true);
  });

  it.each(["constructor", "toString", "__proto__"])(
    "takes no name of JavaScript's own for one of its words: %s",
    (word) => {
      expect(faultsOf(`http.host ${word} "a"`)).toEqual(["11: expected eq, ne, in or contains after the field"]);
      expect(faultsOf(`${word} eq "a"`)).toEqual([expect.stringContaining(`1: there is no field ${word}`)]);
    },
  );

  it("is read or refused with a column within it, whatever it is made of", () => {
    const words = [
      "http.host",
      "ip.src",
      "verified_crawler",
      "lower(",
      "starts_with(",
      "(",
      ")",
      "{",
      "}",
      "[",
      "]",
      "eq",
      "in",
      "not",
    ];
    const more = [
      "and",
      "or",
      '"a"',
      'r#"a"#',
      '"',
      "\\",
      ",",
      "$x",
      "192.0.2.0/24",
      "0",
      "*",
      " ",
      "http.request.headers",
      "~",
    ];
    const piece = fc.oneof(fc.constantFrom(...words, ...more), fc.string({ unit: "binary", maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), fc.constantFrom("", " "), (pieces, between) => {
        const text = pieces.join(between);
        const read = readExpression(text);
        if ("condition" in read) return;
        expect(read.faults.length).toBeGreaterThan(0);
        for (const { column } of read.faults) {
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual(text.length + 1);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("has all faults told that can be found at once", () => {
    const text =
      'http.hosts eq "a" and ip.src.country in {"DE"} or (http.request.method eq "get" and cf.client.bot) and x ~ "y"';
    expect(faultsOf(text).map((fault) => fault.split(":")[0])).toEqual(["1", "23", "75", "85", "104", "106"]);
  });
});
