/**
 * What bad authorization requests get: the answer of the specification, an error page where no redirect is safe, and
 * never a place in line.
 */
import { generateKeyPair, SignJWT } from "jose";
import { afterEach, describe, expect, test } from "vitest";
import { queued } from "../line.ts";
import { memoryStore, redirectUri, useWorld } from "../world.ts";

describe("bad authorization requests", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "shop", client: { redirect_uris: [redirectUri("shop"), "https://shop.example.test/a?b=c"] } }],
  }));
  const open = (parameters: Record<string, string | null>, suffix = "") => {
    const site = world().relyingParty("shop");
    const { url } = site.startLogin(parameters);
    return world()
      .visitor()
      .navigate(url.href + suffix, { stopAt: (location) => location.origin !== url.origin });
  };
  afterEach(async () => expect(await queued(world(), "shop")).toBe(0));

  test.each([
    ["an unknown client", { client_id: "nobody" }],
    ["no client", { client_id: null }],
    ["no redirect URI", { redirect_uri: null }],
    ["a redirect URI that is not registered", { redirect_uri: "https://evil.example/callback" }],
    ["a prefix of a registered one", { redirect_uri: "https://shop.example.test/callbac" }],
    ["a superstring of a registered one", { redirect_uri: "https://shop.example.test/callback2" }],
    ["a registered one with a query", { redirect_uri: "https://shop.example.test/callback?x=1" }],
    ["a registered one without its query", { redirect_uri: "https://shop.example.test/a" }],
    ["a registered one with a path that climbs", { redirect_uri: "https://shop.example.test/x/../callback" }],
    ["a registered one in capitals", { redirect_uri: "https://SHOP.example.test/callback" }],
    ["a registered one with a user", { redirect_uri: "https://shop.example.test@evil.example/callback" }],
    ["a script as redirect URI", { redirect_uri: "javascript:alert(1)" }],
  ])("%s is answered with a page and never with a redirect", async (_, parameters) => {
    const page = await open(parameters);
    expect([page.status, page.location, page.notice]).toEqual([400, undefined, "request_refused"]);
    expect(page.header("content-security-policy")).toContain("default-src 'none'");
    expect(page.header("cache-control")).toContain("no-store");
    expect(page.body).not.toContain("<script>alert");
  });

  test.each([
    ["client_id", "&client_id=site-shop"],
    ["redirect_uri", `&redirect_uri=${encodeURIComponent(redirectUri("shop"))}`],
  ])("a repeated %s is answered with a page", async (_, suffix) => {
    const page = await open({}, suffix);
    expect([page.status, page.location]).toEqual([400, undefined]);
  });

  test.each([
    ["an unsupported response type", { response_type: "id_token" }, "unsupported_response_type"],
    ["an unknown response type", { response_type: "nonsense" }, /^(unsupported_response_type|invalid_request)$/],
    ["no response type", { response_type: null }, "invalid_request"],
    ["an unknown response mode", { response_mode: "smoke" }, /^(unsupported_response_mode|invalid_request)$/],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
    ["a request URI", { request_uri: "https://evil.example/r" }, "request_uri_not_supported"],
    ["a plain PKCE challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["a short PKCE challenge", { code_challenge: "short" }, "invalid_request"],
    ["no PKCE method", { code_challenge_method: null }, "invalid_request"],
    ["a max_age that is no number", { max_age: "soon" }, "invalid_request"],
    ["prompt=none with another prompt", { prompt: "none login" }, "invalid_request"],
    ["an unknown prompt", { prompt: "dance" }, "invalid_request"],
    ["no scope", { scope: null, nonce: null }, "invalid_scope"],
    ["no scope but a nonce", { scope: null }, "invalid_request"],
    ["a scope without openid", { scope: "email" }, /^invalid_(scope|request)$/],
    ["a malformed scope", { scope: "openid  email" }, "invalid_scope"],
    ["a client's registration", { registration: "{}" }, "registration_not_supported"],
    ["an id_token_hint that is no token", { id_token_hint: "nonsense" }, "invalid_request"],
  ])("%s is reported at the redirect URI, with the state", async (_, parameters, error) => {
    const page = await open({ state: "as sent", ...parameters });
    const [address, answer] = page.location?.href.split(/[?#]/) ?? [];
    expect(address, page.notice).toBe(redirectUri("shop"));
    const values = new URLSearchParams(answer);
    expect(values.get("error")).toMatch(error);
    expect([values.get("state"), values.get("iss")]).toEqual(["as sent", world().issuer]);
  });

  test.each([["scope"], ["state"], ["nonce"], ["response_type"], ["display"]])(
    "a repeated %s is refused",
    async (name) => {
      const page = await open(name === "display" ? { display: "page" } : {}, `&${name}=again`);
      expect([303, 302, 400]).toContain(page.status);
      if (page.location !== undefined) {
        expect(page.location.href.startsWith(`${redirectUri("shop")}?`)).toBe(true);
        expect(page.location.searchParams.get("error")).toMatch(/^(invalid_request|unsupported_response_type)$/);
      }
    },
  );

  test("an over-long state is refused with a page of the right status", async () => {
    const page = await open({ state: "s".repeat(20_000) });
    expect([414, 431]).toContain(page.status);
    expect(page.location).toBeUndefined();
  });

  test("a long state that fits is carried back intact", async () => {
    const state = "s".repeat(6_000);
    const page = await open({ state, prompt: "none" });
    expect(page.location?.searchParams.get("state")).toBe(state);
  });

  test.each([["PUT"], ["DELETE"], ["PATCH"]])("%s /authorize is not allowed", async (method) => {
    const { url } = world().relyingParty("shop").startLogin();
    expect([404, 405]).toContain((await world().http.request(url, { method })).status);
  });

  test("an id_token_hint that somebody else has signed is refused before the wait", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    const hint = await new SignJWT({})
      .setProtectedHeader({ alg: "RS256" })
      .setIssuer(world().issuer)
      .setAudience("site-shop")
      .setSubject(`shop.${"A".repeat(22)}`)
      .sign(privateKey);
    const page = await open({ id_token_hint: hint });
    expect(page.location?.searchParams.get("error")).toBe("invalid_request");
  });

  test.each([
    ["line breaks", "client_id=site-shop\r\nSet-Cookie: a=b"],
    ["letters that no address takes", "client_id=site-shop&state=grün"],
    ["spaces", "client_id=site-shop&state=a b"],
  ])("a posted request with %s in it is a bad request", async (_, body) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (const path of ["authorize", "logout"]) {
      const answer = await world().http.request(`${world().issuer}/${path}`, { method: "POST", headers, body });
      expect([answer.status, answer.json()]).toMatchObject([400, { error: "bad_request" }]);
    }
  });

  test("a posted request that is no form, or too large, is refused", async () => {
    const address = `${world().issuer}/authorize`;
    const json = await world().http.request(address, { method: "POST", body: { client_id: "site-shop" } });
    expect(json.status).toBe(415);
    const large = new URLSearchParams({ state: "s".repeat(100_000) });
    const refused = await world().http.request(address, { method: "POST", body: large });
    expect(refused.status).toBe(413);
  });
});
