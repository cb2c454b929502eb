import { expect, test } from "vitest";
import type { ClientConfig } from "../../../../src/config/resolve/config.ts";
import { createContinuations } from "../../../../src/http/visitor/continuation.ts";

const plain: ClientConfig = {
  clientId: "shop",
  clientSecret: "s".repeat(32),
  redirectUris: ["https://shop.example/callback"],
  postLogoutRedirectUris: [],
  rooms: ["tickets", "checkout"],
  profile: "generic",
  loginTimeoutMs: 300_000,
  tokenAuthentication: "client_secret_basic",
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
const room = (id: string, targets: string[] = []) => {
  return {
    id,
    waysIn: { targets, admissionToken: { validityMs: 1 }, verify: { exempt: [] }, allowedOrigins: [] },
  };
};
const { usual, ofClient, to } = createContinuations({
  issuer: "https://queue.example",
  clients: [plain, deep],
  rooms: [
    room("tickets", ["https://app.example/*", "https://deep.example/app"]),
    room("checkout"),
    room("app", ["https://app.example/*", "https://app.example/in"]),
    room("bare", ["https://app.example/*"]),
  ],
});

test("the usual way is the login of the first client, with the room's own start; else the room's first exact target", () => {
  expect(usual("tickets")).toEqual({ by: "login", address: "https://shop.example/start" });
  expect(usual("checkout")).toEqual({ by: "login", address: "https://shop.example/pay" });
  expect(usual("app")).toEqual({ by: "token", address: "https://app.example/in" });
  expect([usual("bare"), usual("nowhere")]).toEqual([null, null]);
});

test("the way of a client is its own login, where it is one of the room's", () => {
  const start = `https://deep.example/start?to=${encodeURIComponent("https://shop.example/")}`;
  expect(ofClient("tickets", "deep")).toEqual({ by: "login", address: start });
  expect(ofClient("checkout", "shop")).toEqual({ by: "login", address: "https://shop.example/pay" });
  expect([ofClient("checkout", "deep"), ofClient("tickets", "nobody"), ofClient("nowhere", "shop")]).toEqual([
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
