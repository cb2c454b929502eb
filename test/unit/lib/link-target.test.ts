import { describe, expect, it } from "vitest";
import { createTargetList } from "../../../src/lib/link-target.ts";
import { targetTricks } from "../../support/target-tricks.ts";

const list = ["https://shop.example.com/checkout", "https://shop.example.com/products/*", "http://localhost:3001/"];
const find = createTargetList(list);
const isAllowed = (value: string) => find(value) !== null;
/** A percent sign, encoded so many times over. */
const percent = (layers: number) => `%${"25".repeat(layers)}`;

describe("a list of targets", () => {
  it.each([
    "https://shop.example.com/checkout",
    "https://shop.example.com/checkout?cart=7&back=https://evil.example/",
    "https://SHOP.example.com:443/checkout",
    "https://shop.example.com/products/",
    "https://shop.example.com/products/7/large",
    "https://shop.example.com/products/caf%C3%A9",
    "https://shop.example.com/products/..7..",
    "https://shop.example.com/products/a%2Fb",
    "https://shop.example.com/products/100%25",
    "https://shop.example.com/products/%E2%82%AC",
    "http://localhost:3001",
    "http://localhost:3001/?a=..%2f..",
    "https://shop.example.com/products/a%20b/%C2%BD%E2%80%A6",
    "https://shop.example.com/products/what%3f",
    "https://shop.example.com/products/50%EF%BC%85",
    `https://shop.example.com/products/100${percent(4)}`,
    "https://shop.example.com/checkout?filter={a|b}^2",
    `https://shop.example.com/checkout?${"x".repeat(4_096 - 34)}`,
  ])("allows %s", (value) => expect(isAllowed(value)).toBe(true));

  it.each(targetTricks("https://shop.example.com"))("refuses %j", (value) => expect(isAllowed(value)).toBe(false));

  it("answers what was compared, as browsers write it, and no character of it is left to be read as another", () => {
    expect(find("https://SHOP.example.com:443/checkout?a={b}|c^d'&e=%7C")).toBe(
      "https://shop.example.com/checkout?a={b}|c^d%27&e=%7C",
    );
    const longest = `https://shop.example.com/checkout?${"{".repeat(4_096 - 34)}`;
    const found = find(longest) ?? "";
    expect(new URL(`https://queue.example.com/?to=${encodeURIComponent(found)}`).searchParams.get("to")).toBe(longest);
  });

  it("finds an address behind a thousand others", () => {
    const long = createTargetList([
      ...Array.from({ length: 500 }, (_, index) => `https://shop${index}.example.com/*`),
      ...Array.from({ length: 500 }, (_, index) => `https://shop.example.com/${index}`),
    ]);
    expect(long("https://shop499.example.com/a")).toBe("https://shop499.example.com/a");
    expect(long("https://shop.example.com/499")).toBe("https://shop.example.com/499");
    expect(long("https://shop.example.com/4990")).toBeNull();
  });

  it("reads its entries once", () => {
    const entries = ["https://shop.example.com/*"];
    const found = createTargetList(entries);
    entries.length = 0;
    expect(found("https://shop.example.com/a")).toBe("https://shop.example.com/a");
  });
});
