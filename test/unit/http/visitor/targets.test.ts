import { describe, expect, it } from "vitest";
import { createExemptPaths } from "../../../../src/http/forward-auth/exempt-paths.ts";
import { createTargets } from "../../../../src/http/visitor/targets.ts";
import { targetTricks } from "../../../support/target-tricks.ts";

describe("the targets of a room", () => {
  const targets = createTargets(["https://shop.example.com/products/*", "https://shop.example.com/checkout"]);

  it.each(targetTricks("https://shop.example.com"))("are not reached by %j", (trick) => {
    expect(targets.find(trick)).toBeNull();
  });

  it.each([
    ["https://shop.example.com/checkout", "https://shop.example.com/checkout"],
    ["https://shop.example.com/checkout?a=%20b+c&a=d", "https://shop.example.com/checkout?a=%20b+c&a=d"],
    ["https://SHOP.example.com:443/products/7", "https://shop.example.com/products/7"],
    ["https://shop.example.com/products/", "https://shop.example.com/products/"],
    ["https://shop.example.com/checkout?a={b|c}^2", "https://shop.example.com/checkout?a={b|c}^2"],
  ])("are found: %s", (address, found) => {
    expect(targets.find(address)).toBe(found);
  });

  it("name the first exact one as the usual one", () => {
    expect(targets.usual).toBe("https://shop.example.com/checkout");
    expect(createTargets(["https://shop.example.com"]).usual).toBe("https://shop.example.com/");
    expect(createTargets(["https://shop.example.com/*"]).usual).toBeNull();
    expect(createTargets([]).find("https://shop.example.com/")).toBeNull();
  });
});

describe("exempt paths", () => {
  const isExempt = createExemptPaths(["/health", "/assets/*"]);

  it.each(["/health", "/assets/", "/assets/a.css", "/assets/a%20b/c.css"])("let %s through", (path) => {
    expect(isExempt(path)).toBe(true);
  });

  it.each([
    "/",
    "/healthy",
    "/health/",
    "/assets",
    "/Assets/a.css",
    "//assets/a.css",
    "/assets/../checkout",
    "/assets/%2e%2e/checkout",
    "/assets/..%2fcheckout",
    "/assets/%252e%252e/checkout",
    "/assets/..;/checkout",
    "/assets/..\\checkout",
    "/assets/%5c../checkout",
    "/assets//../checkout",
    "/assets/a\0",
    "/assets/%00",
    "/x/../assets/a.css",
    "/assets/..%3f/checkout",
    "/assets/..%23/checkout",
    "/assets/..%20/checkout",
    "/assets/.%20./checkout",
    "/assets/%EF%BC%8E%EF%BC%8E/checkout",
    "/assets/..%EF%BC%8Fcheckout",
    `/assets/%${"25".repeat(5)}`,
    "/assets/a|b",
  ])("do not let %j through", (path) => {
    expect(isExempt(path)).toBe(false);
  });
});
