import { describe, expect, it } from "vitest";
import { isListedTarget, readLinkTarget } from "../../../src/lib/link-target.ts";
import { targetTricks } from "../../support/target-tricks.ts";

const list = ["https://shop.example.com/checkout", "https://shop.example.com/products/*", "http://localhost:3001/"];
const isAllowed = (value: string) => {
  const url = readLinkTarget(value);
  return url !== null && isListedTarget(url, list);
};

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
  ])("allows %s", (value) => expect(isAllowed(value)).toBe(true));

  it.each(targetTricks("https://shop.example.com"))("refuses %j", (value) => expect(isAllowed(value)).toBe(false));
});
