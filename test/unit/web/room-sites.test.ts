import { describe, expect, it, test } from "vitest";
import type { ClientConfig } from "../../../src/config/config.ts";
import { createRoomSites } from "../../../src/web/room-sites.ts";
import { makeSiteRoom } from "../../support/site-room.ts";
import { targetTricks } from "../../support/target-tricks.ts";

describe("the targets of a room", () => {
  const targetsOf = (...targets: string[]) =>
    createRoomSites("https://queue.example", makeSiteRoom("tickets", { targets }), []);
  const targets = targetsOf("https://shop.example.com/products/*", "https://shop.example.com/checkout");

  it.each(targetTricks("https://shop.example.com"))("are not reached by %j", (trick) => {
    expect(targets.findTarget(trick)).toBeNull();
  });

  it.each([
    ["https://shop.example.com/checkout", "https://shop.example.com/checkout"],
    ["https://shop.example.com/checkout?a=%20b+c&a=d", "https://shop.example.com/checkout?a=%20b+c&a=d"],
    ["https://SHOP.example.com:443/products/7", "https://shop.example.com/products/7"],
    ["https://shop.example.com/products/", "https://shop.example.com/products/"],
    ["https://shop.example.com/checkout?a={b|c}^2", "https://shop.example.com/checkout?a={b|c}^2"],
  ])("are found: %s", (address, found) => {
    expect(targets.findTarget(address)).toBe(found);
  });

  it("name the first exact one as the usual one", () => {
    expect(targets.usualTarget).toBe("https://shop.example.com/checkout");
    expect(targetsOf("https://shop.example.com").usualTarget).toBe("https://shop.example.com/");
    expect(targetsOf("https://shop.example.com/*").usualTarget).toBeNull();
    expect(targetsOf().findTarget("https://shop.example.com/")).toBeNull();
  });
});

describe("exempt paths", () => {
  const room = makeSiteRoom("tickets", { verify: { exempt: ["/health", "/assets/*"] } });
  const { isExempt } = createRoomSites("https://queue.example", room, []);

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

const plain: ClientConfig = {
  clientId: "shop",
  clientSecret: "s".repeat(32),
  redirectUris: ["https://shop.example/callback"],
  postLogoutRedirectUris: [],
  rooms: ["tickets", "checkout"],
  profile: "generic",
  loginTimeoutMs: 300_000,
  tokenEndpointAuthMethod: "client_secret_basic",
  initiateLoginUri: "https://shop.example/start",
  initiateLoginUris: { checkout: "https://shop.example/pay" },
  targetLinkUris: [],
  thirdPartyLogin: false,
  rememberedLogins: "one",
  requirePkce: false,
  refreshTokens: false,
  claims: [],
};
const deep: ClientConfig = {
  ...plain,
  clientId: "deep",
  rooms: ["tickets"],
  initiateLoginUri: "https://deep.example/start?to={target_link_uri}",
  targetLinkUris: ["https://deep.example/*"],
};
const targets: Record<string, string[]> = {
  tickets: ["https://app.example/*", "https://deep.example/app"],
  app: ["https://app.example/*", "https://app.example/in"],
  bare: ["https://app.example/*"],
};
const sitesOf = (id: string) =>
  createRoomSites("https://queue.example", makeSiteRoom(id, { targets: targets[id] ?? [] }), [plain, deep]);
const usual = (id: string) => sitesOf(id).continueTo(undefined);
const loginAt = (id: string, client: string) => sitesOf(id).loginAt(client);
const to = (id: string, target: string) => sitesOf(id).continueTo(target);

test("the usual way is the login of the first client, with the room's own start; else the room's first exact target", () => {
  expect(usual("tickets")).toEqual({ by: "login", address: "https://shop.example/start" });
  expect(usual("checkout")).toEqual({ by: "login", address: "https://shop.example/pay" });
  expect(usual("app")).toEqual({ by: "token", address: "https://app.example/in" });
  expect([usual("bare"), usual("nowhere")]).toEqual([null, null]);
});

test("the way of a client is its own login, where it is one of the room's", () => {
  const start = `https://deep.example/start?to=${encodeURIComponent("https://shop.example/")}`;
  expect(loginAt("tickets", "deep")).toEqual(start);
  expect(loginAt("checkout", "shop")).toEqual("https://shop.example/pay");
  expect([loginAt("checkout", "deep"), loginAt("tickets", "nobody"), loginAt("nowhere", "shop")]).toEqual([
    null,
    null,
    null,
  ]);
});

test("a page is reached by the first client that lists it, else by the room's own list, else not at all", () => {
  const page = "https://deep.example/app";
  expect(to("tickets", page)).toEqual({
    by: "login",
    address: `https://deep.example/start?to=${encodeURIComponent(page)}`,
  });
  expect(to("tickets", "https://app.example/7")).toEqual({ by: "token", address: "https://app.example/7" });
  for (const address of ["https://shop.example/", "https://app.example.evil/", "javascript:alert(1)", ""]) {
    expect(to("tickets", address), address).toBeNull();
  }
  expect(to("checkout", page)).toBeNull();
});

test("a visitor who leaves is sent to where a login starts, to an address after logout, or to a target, and nowhere else", () => {
  const left = createRoomSites(
    "https://queue.example",
    makeSiteRoom("tickets", { targets: ["https://app.example/*"] }),
    [{ ...plain, postLogoutRedirectUris: ["https://shop.example/bye"] }],
  );
  for (const address of ["https://shop.example/start", "https://shop.example/bye", "https://app.example/7"]) {
    expect(left.findReturn(address)).toBe(address);
  }
  expect(left.findReturn("https://shop.example/bye?x")).toBeNull();
  expect([...left.origins].sort()).toEqual(["https://app.example", "https://shop.example"]);
});
