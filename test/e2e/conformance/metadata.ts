/** RFC 8414 (metadata of an authorization server) and RFC 9207 (its name in each response). */
import { expect, test } from "vitest";
import { redirectUri, type World } from "../world.ts";
import { createParty, errorIn, postedBy } from "./party.ts";

export function describeMetadata(world: () => World): void {
  const openid = () => world().http.get(`${world().issuer}/.well-known/openid-configuration`);
  const oauth = () => world().http.get(`${world().issuer}/.well-known/oauth-authorization-server`);

  test("RFC 8414: both well-known addresses give the same metadata, and may be kept as long", async () => {
    const [first, second] = await Promise.all([openid(), oauth()]);
    expect(second.json()).toEqual(first.json());
    for (const answer of [first, second]) {
      expect([answer.status, answer.header("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
      expect(answer.header("cache-control")).toBe("public, max-age=3600");
      expect(answer.header("access-control-allow-origin")).toBe("*");
      expect(answer.setCookies).toEqual([]);
    }
  });

  test("RFC 8414: the metadata name what there is, and nothing else", async () => {
    const { issuer } = world();
    const proving = ["client_secret_basic", "client_secret_post", "private_key_jwt"];
    const algs = ["RS256", "PS256", "ES256", "EdDSA"];
    expect((await oauth()).json()).toEqual({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_session_supported: true,
      backchannel_logout_supported: true,
      claim_types_supported: ["normal"],
      claims_parameter_supported: false,
      claims_supported: [
        ...["sub", "room", "queue_position", "admitted_via", "admitted_at", "auth_time"],
        ...["email", "email_verified", "sid", "iss"],
      ],
      code_challenge_methods_supported: ["S256"],
      dpop_signing_alg_values_supported: expect.arrayContaining(["ES256"]),
      end_session_endpoint: `${issuer}/logout`,
      grant_types_supported: ["authorization_code", "refresh_token"],
      id_token_signing_alg_values_supported: expect.arrayContaining(["RS256"]),
      introspection_endpoint: `${issuer}/introspect`,
      introspection_endpoint_auth_methods_supported: proving,
      introspection_endpoint_auth_signing_alg_values_supported: algs,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      response_modes_supported: ["form_post", "fragment", "query"],
      response_types_supported: ["code"],
      revocation_endpoint: `${issuer}/revoke`,
      revocation_endpoint_auth_methods_supported: [...proving, "none"],
      revocation_endpoint_auth_signing_alg_values_supported: algs,
      scopes_supported: ["openid"],
      subject_types_supported: ["public"],
      token_endpoint: `${issuer}/token`,
      token_endpoint_auth_methods_supported: [...proving, "none"],
      token_endpoint_auth_signing_alg_values_supported: algs,
      ui_locales_supported: expect.arrayContaining(["en", "de", "pt-BR", "zh-Hant"]),
      userinfo_endpoint: `${issuer}/userinfo`,
    });
  });

  test("RFC 8414: what the metadata name answers, and by no other method", async () => {
    for (const [path, method] of [
      ["/token", "GET"],
      ["/revoke", "GET"],
      ["/introspect", "GET"],
      ["/introspect", "PUT"],
      ["/.well-known/oauth-authorization-server", "POST"],
    ]) {
      const answer = await world().http.request(`${world().issuer}${path}`, { method: method ?? "" });
      expect([answer.status, answer.header("allow")], path).toEqual([405, expect.stringMatching(/POST|GET/)]);
    }
  });

  test("RFC 9207: iss comes with the code, in every response mode", async () => {
    const party = createParty(world(), "op");
    const query = await party.ask(party.start());
    const fragment = await party.ask(party.start({ response_mode: "fragment" }));
    const form = await party.ask(party.start({ response_mode: "form_post" }));
    for (const answer of [
      query.location?.searchParams,
      new URLSearchParams(fragment.location?.hash.slice(1)),
      postedBy(form.body),
    ]) {
      expect([answer?.has("code"), answer?.get("iss")]).toEqual([true, world().issuer]);
    }
  });

  test.each([
    ["a prompt that is refused", { prompt: "none" }],
    ["a scope that is refused", { scope: "profile", nonce: null }],
    ["a response type that is refused", { response_type: "token" }],
    ["a request object", { request: "e30.e30." }],
  ])("RFC 9207: iss comes with the error for %s, in every response mode", async (_, parameters) => {
    const party = createParty(world(), "closed");
    const login = party.start({ ...parameters, response_mode: "query" });
    // A token must never be in a query; there is none in an error either.
    if (!("response_type" in parameters)) expect(errorIn(await party.ask(login), login, world())).not.toBeNull();
    const fragment = await party.ask(party.start({ ...parameters, response_mode: "fragment" }));
    const form = await party.ask(party.start({ ...parameters, response_mode: "form_post" }));
    for (const answer of [new URLSearchParams(fragment.location?.hash.slice(1)), postedBy(form.body)]) {
      expect([answer.has("error"), answer.has("code"), answer.get("iss")]).toEqual([true, false, world().issuer]);
    }
    expect(form.body).toContain(`action="${redirectUri("closed")}"`);
  });
}
