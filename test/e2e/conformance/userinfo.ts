import { expect, test } from "vitest";
import type { World } from "../world.ts";
import { createParty } from "./party.ts";

export function describeUserinfo(world: () => World): void {
  async function ask(accessToken: string, request: { method: string; body?: URLSearchParams; inHeader: boolean }) {
    const headers: Record<string, string> = request.inHeader ? { authorization: `Bearer ${accessToken}` } : {};
    const { inHeader: _, ...options } = request;
    const answer = await world().http.request(`${world().issuer}/userinfo`, { ...options, headers });
    expect([answer.status, answer.header("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    return answer.json();
  }

  test("oidcc-userinfo-get: the visitor's claims, the token in the header", async () => {
    const { tokens } = await createParty(world(), "op").logIn();
    const userinfo = await ask(tokens.access_token, { method: "GET", inHeader: true });
    const { sub, room, queue_position, admitted_via, admitted_at } = tokens.claims;
    expect(userinfo).toMatchObject({ sub, room, queue_position, admitted_via, admitted_at });
  });

  test("oidcc-userinfo-post-header: by POST, the token in the header", async () => {
    const { tokens } = await createParty(world(), "op").logIn();
    const userinfo = await ask(tokens.access_token, { method: "POST", inHeader: true });
    expect(userinfo).toMatchObject({ sub: tokens.claims.sub });
  });

  test("oidcc-userinfo-post-body: by POST, the token in the form", async () => {
    const { tokens } = await createParty(world(), "op").logIn();
    const body = new URLSearchParams({ access_token: tokens.access_token });
    const userinfo = await ask(tokens.access_token, { method: "POST", body, inHeader: false });
    expect(userinfo).toMatchObject({ sub: tokens.claims.sub });
  });

  /** Scopes that the metadata does not name are ignored, and the answer says what was granted (RFC 6749 3.3, 5.1). */
  async function expectIgnored(scope: string, claims: readonly string[]) {
    const party = createParty(world(), "op");
    const metadata = (await world().http.get(`${world().issuer}/.well-known/openid-configuration`)).json();
    expect(metadata).toMatchObject({ scopes_supported: ["openid"] });
    const { tokens } = await party.logIn({ scope });
    expect(tokens.scope).toBe("openid");
    const userinfo = await party.userinfo(tokens.access_token);
    expect(userinfo.sub).toBe(tokens.claims.sub);
    for (const claim of claims) {
      expect(userinfo).not.toHaveProperty(claim);
      expect(tokens.claims).not.toHaveProperty(claim);
    }
  }

  test("oidcc-scope-profile: ignored, for a visitor has no name", () =>
    expectIgnored("openid profile", ["name", "family_name", "picture", "updated_at"]));

  test("oidcc-scope-email: ignored, for a visitor has no address", () =>
    expectIgnored("openid email", ["email", "email_verified"]));

  test("oidcc-scope-address: ignored, for a visitor lives nowhere", () => expectIgnored("openid address", ["address"]));

  test("oidcc-scope-phone: ignored, for a visitor has no telephone", () =>
    expectIgnored("openid phone", ["phone_number", "phone_number_verified"]));

  test("oidcc-scope-all: ignored, all but openid", () =>
    expectIgnored("openid profile email address phone", ["name", "email", "address", "phone_number"]));

  test("oidcc-alternate-happy-flow: openid need not come first", () => expectIgnored("email openid", ["email"]));
}
