import { describe, expect, it } from "vitest";
import { type Fault, formatFault } from "../../../src/config/checks/faults.ts";
import type { ClientConfig } from "../../../src/config/config.ts";
import { PROFILE_NAMES, PROFILES } from "../../../src/config/schema/choices.ts";
import { loadConfig } from "../../support/load-config.ts";

async function load(client: Record<string, unknown>): Promise<{ client: ClientConfig; warnings: readonly string[] }> {
  const document = {
    issuer: "https://queue.example.com",
    rooms: [{ id: "a" }, { id: "b" }],
    clients: [
      {
        client_id: "shop",
        client_secret: "a-long-enough-secret",
        redirect_uris: ["https://shop.example.com/cb"],
        ...("rooms" in client ? {} : { room: "a" }),
        ...client,
      },
    ],
    admin: { keys: [{ id: "ops", key_sha256: "ab".repeat(32) }] },
  };
  const { config, warnings } = await loadConfig({ document, env: {} });
  const [first] = config.issuers[0]?.clients ?? [];
  if (first === undefined) throw new Error("no client");
  return { client: first, warnings };
}
const faultsOf = async (client: Record<string, unknown>): Promise<string[]> => {
  const error: unknown = await load(client).catch((thrown: unknown) => thrown);
  return (error as { faults: readonly Fault[] }).faults.map(formatFault);
};

describe("a profile", () => {
  it.each(PROFILE_NAMES)("%s gives its defaults, and each can be overridden", async (profile) => {
    const known = PROFILES[profile];
    const { client } = await load({ profile });
    expect(client).toMatchObject({
      profile,
      loginTimeoutMs: known.loginTimeoutMs,
      tokenEndpointAuthMethod: known.tokenEndpointAuthMethod ?? "client_secret_basic",
      requirePkce: known.requirePkce,
      refreshTokens: known.refreshTokens,
      claims: known.claims,
      rememberedLogins: known.rememberedLogins,
      initiateLoginUri: `https://shop.example.com${known.restart.path ?? "/"}`,
      thirdPartyLogin: false,
    });
    const other = await load({
      profile,
      login_timeout: "7s",
      token_endpoint_auth_method: "client_secret_post",
      require_pkce: !known.requirePkce,
      refresh_tokens: !known.refreshTokens,
      claims: ["email", "email_verified"],
      remembered_logins: known.rememberedLogins === "one" ? "many" : "one",
      initiate_login_uri: "https://www.example.com/in",
      third_party_login: true,
    });
    expect(other.client).toMatchObject({
      loginTimeoutMs: 7_000,
      tokenEndpointAuthMethod: "client_secret_post",
      requirePkce: !known.requirePkce,
      refreshTokens: !known.refreshTokens,
      claims: ["email", "email_verified"],
      rememberedLogins: known.rememberedLogins === "one" ? "many" : "one",
      initiateLoginUri: "https://www.example.com/in",
      thirdPartyLogin: true,
    });
  });

  it.each([
    ["generic", "https://shop.example.com/", false],
    ["apache", "https://shop.example.com/cb", true],
    ["oauth2-proxy", "https://shop.example.com/oauth2/start?rd={target_link_uri}", false],
    ["wordpress", "https://shop.example.com/wp-login.php?force_redirect=1&redirect_to={target_link_uri}", false],
  ])("%s keeps targets over a restart by its own means", async (profile, initiateLoginUri, thirdPartyLogin) => {
    const targets = { target_link_uris: ["https://shop.example.com/products/*"] };
    expect((await load({ profile, ...targets })).client).toMatchObject({ initiateLoginUri, thirdPartyLogin });
    const given = { profile, ...targets, initiate_login_uri: "https://shop.example.com/" };
    expect((await load(given)).client).toMatchObject({
      initiateLoginUri: "https://shop.example.com/",
      thirdPartyLogin: false,
    });
  });

  it("never asks less of a public client than PKCE", async () => {
    const app = { client_secret: undefined, token_endpoint_auth_method: "none" };
    expect((await load(app)).client).toMatchObject({
      clientSecret: null,
      requirePkce: true,
      tokenEndpointAuthMethod: "none",
    });
  });
});

describe("a start address", () => {
  it.each([
    "https://shop.example.com/start?rd={target_link_uri}",
    "https://shop.example.com/start?a=b&rd={target_link_uri}&c=d",
    "https://shop.example.com/start?rd={target_link_uri}#top",
    "https://shop.example.com/start?a={target_link_uri}&b={target_link_uri}",
  ])("may be %s", async (uri) => {
    expect((await load({ initiate_login_uri: uri })).client.initiateLoginUri).toBe(uri);
  });

  it.each([
    ["{target_link_uri}", "whole value in the query"],
    ["https://{target_link_uri}/", "whole value in the query"],
    ["https://shop.example.com/{target_link_uri}", "whole value in the query"],
    ["https://shop.example.com/?{target_link_uri}", "whole value in the query"],
    ["https://shop.example.com/?{target_link_uri}=x", "whole value in the query"],
    ["https://shop.example.com/?rd=/x{target_link_uri}", "whole value in the query"],
    ["https://shop.example.com/?rd={target_link_uri}x", "whole value in the query"],
    ["https://shop.example.com/?a=b#{target_link_uri}", "whole value in the query"],
    ["https://shop.example.com/?a=b#c=d&e={target_link_uri}", "whole value in the query"],
    ["https://shop.example.com/?rd={target_link_uri}&x=#{target_link_uri}", "whole value in the query"],
    ["https://shop.example.com/?rd={TARGET_LINK_URI}", "the only name in braces"],
    ["https://shop.example.com/?rd={target}", "the only name in braces"],
    ["https://shop.example.com/?rd={{target_link_uri}}", "the only name in braces"],
    ["http://shop.example.com/?rd={target_link_uri}", "http for localhost"],
    ["https://me@shop.example.com/?rd={target_link_uri}", "user name"],
  ])("may not be %s", async (uri, reason) => {
    expect((await faultsOf({ initiate_login_uri: uri })).join()).toContain(reason);
    expect((await faultsOf({ initiate_login_uris: { a: uri } })).join()).toContain(reason);
  });

  it("has to be given, and free of the names that are added, for third-party-initiated logins", async () => {
    expect(await faultsOf({ third_party_login: true })).toEqual([
      expect.stringMatching(/^clients\[0\]\.initiate_login_uri: missing: required: where the site takes/),
    ]);
    for (const query of ["?iss=x", "?target_link_uri=x", "?to={target_link_uri}"]) {
      const uri = `https://shop.example.com/in${query}`;
      expect(await faultsOf({ third_party_login: true, initiate_login_uri: uri })).toEqual([
        expect.stringMatching(/^clients\[0\]\.initiate_login_uri: .*third_party_login adds iss and target_link_uri/),
      ]);
    }
    const fragment = { third_party_login: true, initiate_login_uri: "https://shop.example.com/in#x" };
    expect(await faultsOf(fragment)).toEqual([expect.stringMatching(/leave #… out$/)]);
    expect((await load({ profile: "apache", third_party_login: true })).client).toMatchObject({
      initiateLoginUri: "https://shop.example.com/cb",
      thirdPartyLogin: true,
    });
  });

  it("is only given for rooms of the client", async () => {
    const uris = { initiate_login_uris: { b: "https://shop.example.com/b" } };
    expect(await faultsOf(uris)).toEqual([
      expect.stringMatching(/^clients\[0\]\.initiate_login_uris\.b: .*unknown room of this client.*; allowed: a$/),
    ]);
    expect((await load({ rooms: ["a", "b"], ...uris })).client.initiateLoginUris).toEqual(uris.initiate_login_uris);
  });
});

describe("targets", () => {
  it.each([
    "https://shop.example.com/*/x",
    "https://shop.example.com/x*",
    "https://shop.example.com*",
    "https://*.example.com/",
    "*",
    "/checkout",
    "https://shop.example.com/?a=b",
    "https://shop.example.com/?a=b/*",
    "https://shop.example.com/#x",
    "https://shop.example.com/a/../b",
    "https://shop.example.com/a/%2e%2e/*",
    "https://shop.example.com//*",
    "http://shop.example.com/",
    "https://me@shop.example.com/",
    "javascript:alert(1)",
  ])("may not be %s", async (uri) => {
    expect(await faultsOf({ target_link_uris: [uri] })).toEqual([
      expect.stringMatching(/^clients\[0\]\.target_link_uris\[0\]: /),
    ]);
  });
});

describe("warnings", () => {
  it("tell that a load balancer without refresh tokens never hears of an end", async () => {
    expect((await load({ profile: "alb" })).warnings).toEqual([]);
    expect((await load({ profile: "alb", refresh_tokens: false })).warnings).toEqual([
      expect.stringMatching(/^clients\[0\]\.refresh_tokens: .*SessionTimeout \(7 days by default\)/),
    ]);
    expect((await load({ profile: "envoy", refresh_tokens: false })).warnings).toEqual([]);
    expect((await load({ profile: "apache", login_timeout: "55m" })).warnings).toEqual([
      expect.stringMatching(/login that is gone, unless its own timeout \(OIDCStateTimeout\) is longer than this$/),
    ]);
  });

  it("tell that a restart leads into the line of another room", async () => {
    const rooms = ["a", "b"];
    const stranded = [
      expect.stringMatching(/^clients\[0\]\.initiate_login_uris: nothing for b; .*at the address of a/),
    ];
    expect((await load({ rooms })).warnings).toEqual(stranded);
    expect((await load({ rooms: ["a"] })).warnings).toEqual([]);
    const byRoom = { initiate_login_uris: { b: "https://shop.example.com/b" } };
    expect((await load({ rooms, ...byRoom })).warnings).toEqual([]);
    const byTarget = { initiate_login_uri: "https://shop.example.com/?to={target_link_uri}" };
    expect((await load({ rooms, ...byTarget })).warnings).toEqual([]);
    const targets = ["https://shop.example.com/*"];
    expect((await load({ rooms, profile: "apache", target_link_uris: targets })).warnings).toEqual([]);
    expect((await load({ rooms, profile: "alb", target_link_uris: targets })).warnings).toEqual(stranded);
  });

  it.each(PROFILE_NAMES.filter((name) => PROFILES[name].restart.path === null))(
    "ask for the start address of %s",
    async (profile) => {
      expect((await load({ profile })).warnings).toEqual([
        expect.stringMatching(/^clients\[0\]\.initiate_login_uri: not given/),
      ]);
    },
  );
});

describe("back-channel logout", () => {
  const uri = "https://shop.example.com/logout?by=usher";

  it("has an address, and a session id unless the site wants none", async () => {
    expect((await load({})).client.backchannelLogoutUri).toBeUndefined();
    const { client } = await load({ backchannel_logout_uri: uri });
    expect(client).toMatchObject({ backchannelLogoutUri: uri, backchannelLogoutSessionRequired: true });
    const plain = await load({ backchannel_logout_uri: uri, backchannel_logout_session_required: false });
    expect(plain.client.backchannelLogoutSessionRequired).toBe(false);
  });
});

describe("a client that is held to more", () => {
  it("has a key in place of a secret, and says so", async () => {
    const jwks_uri = "https://shop.example.com/jwks";
    const byKey = { token_endpoint_auth_method: "private_key_jwt", jwks_uri };
    const { client } = await load({ ...byKey, client_secret: undefined });
    expect(client).toMatchObject({
      clientSecret: null,
      tokenEndpointAuthMethod: "private_key_jwt",
      jwksUri: jwks_uri,
    });
    expect(await faultsOf(byKey)).toEqual([
      expect.stringMatching(/^clients\[0\]\.client_secret: .*a client with a key of its own .* has no secret/),
    ]);
  });

  it("is held to what is set, and to nothing else", async () => {
    const { client } = await load({});
    expect([client.requirePushedAuthorizationRequests, client.dpopBoundAccessTokens, client.responseModes]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const more = {
      require_pushed_authorization_requests: true,
      dpop_bound_access_tokens: true,
      response_modes: ["query"],
    };
    expect((await load(more)).client).toMatchObject({
      requirePushedAuthorizationRequests: true,
      dpopBoundAccessTokens: true,
      responseModes: ["query"],
    });
  });
});
