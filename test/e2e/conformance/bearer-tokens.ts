/** RFC 6750: what userinfo answers to access tokens that are none, or come the wrong way. */
import { expect, test } from "vitest";
import type { World } from "../world.ts";
import { post } from "./endpoint.ts";
import { createParty } from "./party.ts";

export function describeBearerTokens(world: () => World): void {
  const address = () => `${world().issuer}/userinfo`;
  const get = (authorization?: string) => world().http.get(address(), authorization ? { authorization } : {});

  test("RFC 6750 3.1: who brings no token is asked for one, without an error code", async () => {
    const answer = await get();
    const { issuer } = world();
    const bearer = `Bearer realm="${issuer}"`;
    // RFC 9449 7.1: it may be one that is bound to a key.
    expect(answer.status).toBe(401);
    expect(answer.header("www-authenticate")).toMatch(
      new RegExp(`^${bearer}, DPoP realm="${issuer}", algs="[\\w ]+"$`),
    );
    expect(answer.header("cache-control")).toBe("no-store");
  });

  test("RFC 6750 3.1: what is no access token is an invalid_token", async () => {
    const { tokens, code } = await createParty(world(), "refresh").logIn();
    for (const token of ["nonsense", tokens.id_token, tokens.refresh_token, code, `${tokens.access_token}x`]) {
      const answer = await get(`Bearer ${token}`);
      expect([answer.status, answer.json()]).toMatchObject([401, { error: "invalid_token" }]);
      expect(answer.header("www-authenticate")).toMatch(/^Bearer realm="[^"]+", error="invalid_token", error_desc/);
      expect(answer.setCookies).toEqual([]);
    }
  });

  test("RFC 6750 2: a good token that comes the wrong way, or twice, is an invalid_request", async () => {
    const { tokens } = await createParty(world(), "op").logIn();
    const token = tokens.access_token;
    const header = { authorization: `Bearer ${token}` };
    const answers = [
      await world().http.get(`${address()}?access_token=${token}`),
      await world().http.get(`${address()}?access_token=${token}`, header),
      await post(world(), "/userinfo", { access_token: token }, header),
      await post(world(), "/userinfo", [
        ["access_token", token],
        ["access_token", token],
      ]),
      await get(`Basic ${token}`),
      await get("Bearer"),
      await get(`Bearer ${token} ${token}`),
      await world().http.request(address(), { method: "POST", body: { access_token: token } }),
    ];
    for (const [index, answer] of answers.entries()) {
      expect([answer.status, answer.json()], String(index)).toMatchObject([400, { error: "invalid_request" }]);
      expect(answer.header("www-authenticate"), String(index)).toMatch(/^Bearer realm=.*error="invalid_request"/);
      expect(answer.body).not.toContain(token);
    }
    // None of that has ended it, and the scheme is read in letters of any size (RFC 9110 11.1).
    expect((await get(`bearer ${token}`)).status).toBe(200);
  });

  test("RFC 6750 3.1: a scope that the token has not is an insufficient_scope", async () => {
    const { tokens } = await createParty(world(), "op").logIn();
    const answer = await world().http.get(`${address()}?scope=openid%20email`, {
      authorization: `Bearer ${tokens.access_token}`,
    });
    expect([answer.status, answer.json()]).toMatchObject([403, { error: "insufficient_scope", scope: "email" }]);
  });
}
