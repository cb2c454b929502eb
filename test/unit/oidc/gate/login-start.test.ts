import { describe, expect, it, test } from "vitest";
import type { ClientConfig } from "../../../../src/config/config.ts";
import { createLoginStart } from "../../../../src/oidc/gate/authorization-request.ts";

const client: ClientConfig = {
  clientId: "shop",
  clientSecret: "s".repeat(32),
  redirectUris: ["https://shop.example/oidc/callback"],
  postLogoutRedirectUris: [],
  rooms: ["tickets", "checkout"],
  profile: "generic",
  loginTimeoutMs: 300_000,
  tokenEndpointAuthMethod: "client_secret_basic",
  initiateLoginUri: "https://shop.example/start?from=queue&x=%20y",
  initiateLoginUris: {},
  targetLinkUris: ["https://shop.example/products/*", "https://shop.example/checkout"],
  thirdPartyLogin: false,
  rememberedLogins: "one",
  requirePkce: false,
  refreshTokens: false,
  claims: [],
};
const start = (changes: Partial<ClientConfig> = {}) =>
  createLoginStart({ ...client, ...changes }, "https://queue.example");
const target = "https://shop.example/products/7?size=%C3%9F&a=b#".slice(0, -1);

test("an address without a place for the target is used verbatim, letter by letter", () => {
  expect(start()("tickets", undefined)).toBe(client.initiateLoginUri);
  expect(start()("tickets", target)).toBe(client.initiateLoginUri);
});

test("a room has the address that is given for it", () => {
  const addressFor = start({ initiateLoginUris: { checkout: "https://shop.example/checkout" } });
  expect(addressFor("checkout", undefined)).toBe("https://shop.example/checkout");
  expect(addressFor("tickets", undefined)).toBe(client.initiateLoginUri);
});

describe("a place for the target", () => {
  const addressFor = start({ initiateLoginUri: "https://shop.example/oauth2/start?rd={target_link_uri}&x=1" });

  it("takes it as one value, whatever is in it", () => {
    const address = new URL(addressFor("tickets", target) ?? "");
    expect([...address.searchParams]).toEqual([
      ["rd", target],
      ["x", "1"],
    ]);
    expect(address.href).toContain("?rd=https%3A%2F%2Fshop.example%2Fproducts%2F7%3Fsize%3D%25C3%259F%26a%3Db&x=1");
  });

  it("takes the first exact address of the list where the request names none, or the origin", () => {
    expect(addressFor("tickets", undefined)).toContain("?rd=https%3A%2F%2Fshop.example%2Fcheckout&");
    const unlisted = start({ initiateLoginUri: "https://a.example/?t={target_link_uri}", targetLinkUris: [] });
    expect(unlisted("tickets", undefined)).toBe("https://a.example/?t=https%3A%2F%2Fshop.example%2F");
  });

  it("takes nothing that is not on the list", () => {
    expect(addressFor("tickets", "https://evil.example/products/7")).toBeNull();
    expect(addressFor("tickets", "https://shop.example/")).toBeNull();
    expect(start({ targetLinkUris: [] })("tickets", target)).toBeNull();
  });

  it("gets what was compared, and not what was written", () => {
    const address = new URL(addressFor("tickets", "HTTPS://SHOP.example:443/checkout") ?? "");
    expect(address.searchParams.get("rd")).toBe("https://shop.example/checkout");
  });
});

test("a third-party-initiated login names the issuer and the target, and no visitor", () => {
  const uri = "https://shop.example/oidc/callback";
  const read = (address: string | null) => Object.fromEntries(new URL(address ?? "").searchParams);
  const plain = start({ initiateLoginUri: uri, thirdPartyLogin: true });
  expect(read(plain("tickets", target))).toEqual({ iss: "https://queue.example", target_link_uri: target });
  const withQuery = start({ initiateLoginUri: `${uri}?a=b`, thirdPartyLogin: true });
  expect(read(withQuery("tickets", undefined))).toEqual({
    a: "b",
    iss: "https://queue.example",
    target_link_uri: "https://shop.example/checkout",
  });
});
