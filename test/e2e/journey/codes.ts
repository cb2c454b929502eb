import { expect, test } from "vitest";
import { codeIn, type LoginRequest, type RelyingParty } from "../../support/relying-party.ts";
import type { Page } from "../../support/visitor.ts";
import type { World } from "../world.ts";

export const codesRooms = [
  { id: "codes" },
  { id: "others" },
  { id: "confidential", client: { require_pkce: false } },
  {
    id: "public",
    client: { client_secret: undefined, token_endpoint_auth_method: "none" },
  },
];

export function describeCodes(world: () => World): void {
  async function enter(site: RelyingParty, room: string): Promise<{ page: Page; login: LoginRequest; code: string }> {
    await world().admin.increment(room, 1);
    const login = site.startLogin();
    const page = await world().visitor().login(login.url, { stopAt: site.isCallback });
    return { page, login, code: codeIn(page, login.state, world().issuer) };
  }

  test("a code redeemed twenty times at once yields one 200", async () => {
    const site = world().relyingParty("codes");
    const { login, code } = await enter(site, "codes");
    const answers = await Promise.all(Array.from({ length: 20 }, () => site.redeem(code, login)));
    const counts = answers.map(({ status }) => status).sort();
    expect(counts).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
    for (const answer of answers.filter(({ status }) => status === 400)) {
      expect(answer.json()).toMatchObject({ error: "invalid_grant" });
    }
  });

  test("a code that was used is refused afterwards, and its access token is revoked", async () => {
    const site = world().relyingParty("codes");
    const { page, login, code } = await enter(site, "codes");
    const { accessToken } = await site.finishLogin(page, login);
    expect((await site.userinfo(accessToken)).status).toBe(200);
    expect((await site.redeem(code, login)).json()).toMatchObject({ error: "invalid_grant" });
    expect((await site.userinfo(accessToken)).status).toBe(401);
  });

  test.each([
    ["a wrong PKCE verifier", { code_verifier: "x".repeat(43) }],
    ["no PKCE verifier", { code_verifier: null }],
    ["another redirect URI", { redirect_uri: "https://others.example.test/callback" }],
    ["no redirect URI", { redirect_uri: null }],
  ])("%s is refused, and the code still works for its owner", async (_, changes) => {
    const site = world().relyingParty("codes");
    const { page, login, code } = await enter(site, "codes");
    const refused = await site.redeem(code, login, changes);
    expect(refused.status).toBe(400);
    expect((refused.json() as { error: string }).error).toMatch(/^invalid_(grant|request)$/);
    await site.finishLogin(page, login);
  });

  test("another client cannot redeem a code, and the code still works for its owner", async () => {
    const site = world().relyingParty("codes");
    const { page, login, code } = await enter(site, "codes");
    const refused = await world().relyingParty("others").redeem(code, login);
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    await site.finishLogin(page, login);
  });

  test("a wrong client secret is refused, and the code still works for its owner", async () => {
    const site = world().relyingParty("codes");
    const { page, login, code } = await enter(site, "codes");
    const post = world().relyingParty("codes", { authentication: "post" });
    const refused = await post.redeem(code, login, { client_secret: "wrong" });
    expect([refused.status, refused.json()]).toMatchObject([401, { error: "invalid_client" }]);
    await site.finishLogin(page, login);
  });

  test("the secret may be sent in the body", async () => {
    const site = world().relyingParty("codes", { authentication: "post" });
    const { page, login } = await enter(site, "codes");
    expect((await site.finishLogin(page, login)).claims.room).toBe("codes");
  });

  test("a confidential client may do without PKCE and nonce; a public client may not do without PKCE", async () => {
    const site = world().relyingParty("confidential");
    const plain = { code_challenge: null, code_challenge_method: null, nonce: null };
    await world().admin.increment("confidential", 1);
    const login = site.startLogin(plain);
    const page = await world().visitor().login(login.url, { stopAt: site.isCallback });
    const answer = await site.redeem(codeIn(page, login.state, world().issuer), login, { code_verifier: null });
    expect(answer.status).toBe(200);

    const open = world().relyingParty("public");
    const refused = open.startLogin(plain);
    const refusal = await world().visitor().navigate(refused.url, { stopAt: open.isCallback });
    expect(refusal.location?.searchParams.get("error")).toBe("invalid_request");
    expect(refusal.location?.searchParams.get("state")).toBe(refused.state);
  });
}
