import { describe, expect, it } from "vitest";
import { tokenIn, withoutToken, withToken } from "../../../../../src/web/visitor/links/hand-over.ts";

describe("the token in an address", () => {
  it.each([
    ["https://a.example/", "https://a.example/?usher_token=T"],
    ["https://a.example/?", "https://a.example/?usher_token=T"],
    ["https://a.example/?b=%20c+d&e", "https://a.example/?b=%20c+d&e&usher_token=T"],
    ["https://a.example/#part", "https://a.example/?usher_token=T#part"],
    ["https://a.example/?usher_token=old&b=c", "https://a.example/?b=c&usher_token=T"],
  ])("is added to %s, whose other parts stay as they were", (address, expected) => {
    expect(withToken(address, "T")).toBe(expected);
  });

  it.each([
    ["https://a.example/?usher_token=T", "https://a.example/"],
    ["https://a.example/?b=c&usher_token=T&d=%20", "https://a.example/?b=c&d=%20"],
    ["https://a.example/?usher_token&usher_token=&x", "https://a.example/?x"],
    ["https://a.example/?my_usher_token=T", "https://a.example/?my_usher_token=T"],
    ["https://a.example/?", "https://a.example/?"],
    ["https://a.example/usher_token=T", "https://a.example/usher_token=T"],
  ])("is taken out of %s", (address, expected) => {
    expect(withoutToken(address)).toBe(expected);
  });

  it("is read, the last one where there are several", () => {
    expect(tokenIn("https://a.example/?usher_token=old&b&usher_token=T")).toBe("T");
    expect(tokenIn("https://a.example/?usher_token")).toBe("");
    expect(tokenIn("https://a.example/?other=T")).toBeNull();
    expect(tokenIn("https://a.example/")).toBeNull();
  });
});
