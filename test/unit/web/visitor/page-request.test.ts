import type { Context } from "koa";
import { describe, expect, test } from "vitest";
import { createPageWishes, isLocalAddress } from "../../../../src/web/visitor/pages/page-request.ts";

const issuer = "https://queue.example.com";
const languages = {
  usualOf: (room: string) => ({ tickets: "de", shop: "fr" })[room],
  usual: "pl",
  areOffered: true,
};
const wishesOf = createPageWishes(issuer, languages);

function contextOf(address: string, headers: Record<string, string> = {}, method = "GET"): Context {
  const get = (name: string) => headers[name.toLowerCase()] ?? "";
  return { method, originalUrl: address, req: { headers }, get } as unknown as Context;
}

test("a browser that could not load a file of a page gets the next one whole, where pages have files at all", () => {
  const headers = { cookie: "a=b; usher.assets=inline" };
  expect(createPageWishes(issuer, languages, true)(contextOf("/authorize", headers)).isWhole).toBe(true);
  expect(createPageWishes(issuer, languages, true)(contextOf("/authorize")).isWhole).toBe(false);
  expect(wishesOf(contextOf("/authorize", headers)).isWhole).toBe(false);
});

describe("what a request says about languages", () => {
  test("its header, its cookie, its parameter, its room", () => {
    const headers = { "accept-language": "cs, en;q=0.5", cookie: "a=b; __Host-usher.language=ar" };
    const address = "/rooms/tickets/enter?target=x&ui_locales=fr-CA+de";
    expect(wishesOf(contextOf(address, headers))).toEqual({
      gzip: false,
      language: "cs, en;q=0.5",
      chosen: "ar",
      uiLocales: "fr-CA de",
      usual: "de",
      isWhole: false,
      here: address,
    });
  });

  test.each([
    ["/authorize?ui_locales=de&x=1", "de"],
    ["/authorize?x=1&ui_locales=%20de%20%20%20fr%20", "de fr"],
    ["/authorize?x=1&ui_locales=de%0d%0aSet-Cookie:x", "de"],
    ["/authorize?x=1&ui_locales=de%20%22<>%20fr", "de fr"],
    ["/authorize?x=1&ui_locales=", undefined],
    ["/authorize?x=1&ui_locales=%E0%A4", undefined],
    ["/authorize?x=1&my_ui_locales=de", undefined],
    [`/authorize?ui_locales=${"a+".repeat(500)}`, Array(10).fill("a").join(" ")],
  ])("of %s: %s", (address, uiLocales) => {
    expect(wishesOf(contextOf(address)).uiLocales).toBe(uiLocales);
  });

  test("what a request asked for holds for the fresh one that takes its place, until that asks for another", () => {
    const cookie = "__Host-usher.ui-locales=fr-CA.de";
    expect(wishesOf(contextOf("/authorize?x=1", { cookie })).uiLocales).toBe("fr-CA de");
    expect(wishesOf(contextOf("/authorize?ui_locales=pl", { cookie })).uiLocales).toBe("pl");
  });

  test("a page is in the languages that the page before it was asked to be in, unless it is asked itself", () => {
    const headers = { referer: `${issuer}/logout?ui_locales=fr` };
    expect(wishesOf(contextOf("/logout/success", headers)).uiLocales).toBe("fr");
    expect(wishesOf(contextOf("/logout/success?ui_locales=de", headers)).uiLocales).toBe("de");
    const foreign = { referer: "https://shop.example/?ui_locales=fr" };
    expect(wishesOf(contextOf("/logout/success", foreign)).uiLocales).toBeUndefined();
  });

  test("the room of the page counts before that of the address, and without one the language that all rooms share", () => {
    expect(wishesOf(contextOf("/authorize?x=1"), "shop").usual).toBe("fr");
    expect(wishesOf(contextOf("/rooms/shop/leave")).usual).toBe("fr");
    expect(wishesOf(contextOf("/rooms/other/leave"), "other").usual).toBe("pl");
    expect(wishesOf(contextOf("/")).usual).toBe("pl");
  });
});

describe("the chooser leads back", () => {
  test("to the page, or, from the answer to a form, to the page with the form", () => {
    expect(wishesOf(contextOf("/authorize?x=1&y=%22")).here).toBe("/authorize?x=1&y=%22");
    const headers = { referer: `${issuer}/authorize?x=1&ui_locales=de` };
    const wishes = wishesOf(contextOf("/rooms/shop/leave", headers, "POST"));
    expect(wishes).toMatchObject({ here: "/authorize?x=1&ui_locales=de", uiLocales: "de", usual: "fr" });
  });

  test.each([
    ["", ""],
    ["https://evil.example/authorize?x", ""],
    [`${issuer}.evil.example/x`, ""],
    [`${issuer}//evil.example`, "/"],
  ])("to no other address, where the browser says %j of that page", (referer, here) => {
    expect(wishesOf(contextOf("/rooms/shop/leave", { referer }, "POST")).here).toBe(here);
  });

  test("nowhere where there is no chooser", () => {
    const of = createPageWishes(issuer, { ...languages, areOffered: false });
    expect(of(contextOf("/authorize?x=1")).here).toBeUndefined();
  });

  test.each([
    ["/", true],
    ["/authorize?a=b&c=%2F%2F", true],
    ["/rooms/a/enter?target=https://shop.example/", true],
    ["", false],
    ["authorize", false],
    ["//evil.example", false],
    ["/\\evil.example", false],
    ["/a\\b", false],
    ["https://evil.example/", false],
    ["/\r\nSet-Cookie: a=b", false],
    ["/\tx", false],
    ["/ x", false],
    ["/ü", false],
    [`/${"x".repeat(30_000)}`, false],
  ])("%j is an address of ours: %s", (address, isOwn) => {
    expect(isLocalAddress(address)).toBe(isOwn);
  });
});

test("a page before this one whose address would be refused is none", () => {
  const before = (query: string) => wishesOf(contextOf("/", { referer: `${issuer}/authorize?ui_locales=fr${query}` }));
  expect(before("&a=1").uiLocales).toBe("fr");
  expect(before("&a".repeat(200)).uiLocales).toBeUndefined();
  expect(before(`&a=${"x".repeat(17_000)}`).uiLocales).toBeUndefined();
});
