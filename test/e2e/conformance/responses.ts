/** What a login gives: code, tokens, signature, refresh. */
import { decodeJwt, decodeProtectedHeader } from "jose";
import { expect, test } from "vitest";
import type { World } from "../world.ts";
import { createParty, errorIn, readTokens } from "./party.ts";

/** Bits, by the frequency of its characters, which tells a little less than there is. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const bits = [...counts.values()].map((count) => -count * Math.log2(count / text.length));
  return bits.reduce((sum, each) => sum + each, 0);
}

export function describeResponses(world: () => World): void {
  test("oidcc-server: a login gives a code that nobody guesses, a signed ID token and an access token that works", async () => {
    const party = createParty(world(), "op");
    const { code, tokens, page } = await party.logIn();
    expect(page.status).toBe(303);
    expect(code).toMatch(/^[\x20-\x7e]{22,}$/);
    expect(entropyOf(code)).toBeGreaterThan(128);
    expect((await party.logIn()).code).not.toBe(code);
    expect(await party.userinfo(tokens.access_token)).toMatchObject({ sub: tokens.claims.sub });
  });

  test("oidcc-server-client-secret-post: a login with the secret in the body", async () => {
    const { tokens } = await createParty(world(), "post", { authentication: "post" }).logIn();
    expect(tokens.claims).toMatchObject({ room: "post" });
  });

  test("oidcc-response-type-missing: an error at the redirect URI", async () => {
    const party = createParty(world(), "closed");
    const login = party.start({ response_type: null });
    expect(errorIn(await party.ask(login), login, world())).toMatch(/^(invalid_request|unsupported_response_type)$/);
  });

  test("oidcc-idtoken-signature: RS256, by the one key that has the kid of the header", async () => {
    const { tokens } = await createParty(world(), "op").logIn();
    // The signature itself has been verified.
    expect(decodeProtectedHeader(tokens.id_token)).toMatchObject({ alg: "RS256", kid: expect.stringMatching(/./) });
  });

  test("oidcc-idtoken-unsigned: none is not offered, and no ID token comes without a signature", async () => {
    const metadata = (await world().http.get(`${world().issuer}/.well-known/openid-configuration`)).json();
    const { id_token_signing_alg_values_supported: algorithms } = metadata as Record<string, string[]>;
    expect(algorithms).toContain("RS256");
    expect(algorithms).not.toContain("none");
    const { tokens } = await createParty(world(), "op").logIn({ id_token_signed_response_alg: "none" });
    expect(tokens.id_token.split(".")[2]).not.toBe("");
  });

  test("oidcc-ensure-request-without-nonce-succeeds-for-code-flow: there is none in the ID token then", async () => {
    const { tokens } = await createParty(world(), "op").logIn({ nonce: null });
    expect(tokens.claims).not.toHaveProperty("nonce");
  });

  test("oidcc-ensure-request-with-valid-pkce-succeeds: a challenge by S256 and its verifier", async () => {
    const { login, tokens } = await createParty(world(), "pkce", { usesPkce: true }).logIn();
    expect(login.url.searchParams.get("code_challenge_method")).toBe("S256");
    expect(tokens.claims).toMatchObject({ room: "pkce" });
  });

  test("oidcc-refresh-token: it gives the same visitor a new access token, and nothing to another client", async () => {
    const metadata = (await world().http.get(`${world().issuer}/.well-known/openid-configuration`)).json();
    expect(metadata).toMatchObject({ grant_types_supported: ["authorization_code", "refresh_token"] });
    const party = createParty(world(), "refresh");
    const { tokens } = await party.logIn();
    expect(tokens.refresh_token).toMatch(/^[\x20-\x7e]+$/);

    const refreshed = await party.site.refresh(tokens.refresh_token ?? "");
    const { id_token } = refreshed.json() as { id_token: string };
    const second = await readTokens(world(), "refresh", refreshed, (decodeJwt(id_token).nonce as string) ?? null);
    expect(second.access_token).not.toBe(tokens.access_token);
    const { sub, iss, aud, auth_time, iat } = tokens.claims;
    expect(second.claims).toMatchObject({ sub, iss, aud, auth_time });
    expect(Number(second.claims.iat)).toBeGreaterThanOrEqual(Number(iat));
    expect(await party.userinfo(second.access_token)).toMatchObject({ sub });

    const others = await createParty(world(), "other-refresh").site.refresh(tokens.refresh_token ?? "");
    expect([others.status, others.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    expect((await party.site.refresh(tokens.refresh_token ?? "")).status).toBe(200);
  });
}
