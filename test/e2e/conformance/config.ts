/** The metadata, as an issuer by https serves them. */
import type { JSONWebKeySet } from "jose";
import { expect, test } from "vitest";
import type { World } from "../world.ts";

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

export function describeConfig(world: () => World): void {
  const here = (address: string) => address.replace(world().issuer, world().gateways[0]?.origin ?? "");
  async function read() {
    const answer = await world().http.get(here(`${world().issuer}/.well-known/openid-configuration`));
    expect([answer.status, answer.header("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    return answer.json() as Record<string, string | string[] | boolean>;
  }

  test("oidcc-discovery-endpoint-verification: what it must say, every address by https, and keys without secrets", async () => {
    const metadata = await read();
    const { issuer } = world();
    expect(metadata).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      response_types_supported: ["code"],
      grant_types_supported: expect.arrayContaining(["authorization_code"]),
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: expect.arrayContaining(["RS256"]),
      scopes_supported: expect.arrayContaining(["openid"]),
      code_challenge_methods_supported: ["S256"],
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      claims_parameter_supported: false,
    });
    expect(metadata).not.toHaveProperty("registration_endpoint");
    const addresses = Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$/.test(name));
    expect(addresses.length).toBeGreaterThanOrEqual(7);
    for (const [name, address] of addresses) expect(address, name).toMatch(/^https:\/\//);
    // Every claim and method once; languages as BCP 47 writes them.
    for (const list of Object.values(metadata).filter(Array.isArray)) expect(new Set(list).size).toBe(list.length);
    const languages = metadata.ui_locales_supported as string[];
    expect(Intl.getCanonicalLocales(languages)).toEqual(languages);
    for (const scope of metadata.scopes_supported as string[]) expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);

    const { keys } = (await world().http.get(here(String(metadata.jwks_uri)))).json() as JSONWebKeySet;
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: "RSA", use: "sig", alg: "RS256", kid: expect.stringMatching(/./) });
      for (const member of privateMembers) expect(key).not.toHaveProperty(member);
    }
  });

  test("oidcc-rp-initiated-logout-discovery-endpoint-verification: end_session_endpoint is named, by https", async () => {
    expect((await read()).end_session_endpoint).toBe(`${world().issuer}/logout`);
  });
}
