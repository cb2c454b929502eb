/** What a client's settings promise to relying parties that are particular: claims, PKCE, how the secret is sent. */
import { describe, expect, test } from "vitest";
import { clientId, memoryStore, redirectUri, useWorld } from "../world.ts";

describe("a client's settings", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      { id: "plain" },
      { id: "mail", client: { profile: "oauth2-proxy" } },
      {
        id: "unverified",
        client: { claims: ["email", "email_verified"], token_endpoint_auth_method: "client_secret_post" },
      },
      { id: "refreshed", client: { profile: "wordpress" } },
    ],
  }));
  const enter = async (room: string, authentication: "basic" | "post" = "basic") => {
    await world().admin.increment(room, 1);
    const site = world().relyingParty(room, { authentication });
    const tokens = await site.login(world().visitor());
    return { site, tokens, userinfo: (await site.userinfo(tokens.accessToken)).json() as Record<string, unknown> };
  };

  test("nobody gets an address who does not need one", async () => {
    const { tokens, userinfo } = await enter("plain");
    expect(tokens.claims).not.toHaveProperty("email");
    expect(userinfo).not.toHaveProperty("email");
    expect(userinfo).not.toHaveProperty("email_verified");
  });

  test("an address that nobody has stands in the ID token and at userinfo, and nothing says that it is verified", async () => {
    const { tokens, userinfo } = await enter("mail");
    const email = `${tokens.claims.sub}@visitor.invalid`;
    expect(email).toMatch(/^[\w.-]{1,64}@visitor\.invalid$/);
    expect([tokens.claims.email, userinfo.email]).toEqual([email, email]);
    expect(tokens.claims).not.toHaveProperty("email_verified");
    expect(userinfo).not.toHaveProperty("email_verified");
  });

  test.each(["basic", "post"] as const)(
    "an address may be said to be unverified; the secret may come by %s",
    async (by) => {
      const { tokens, userinfo } = await enter("unverified", by);
      expect(tokens.claims).toMatchObject({ email: `${tokens.claims.sub}@visitor.invalid`, email_verified: false });
      expect(userinfo).toMatchObject({ email: tokens.claims.email, email_verified: false });
    },
  );

  test("a refresh says the same", async () => {
    const { site, tokens } = await enter("refreshed");
    const refreshed = (await site.refresh(tokens.refreshToken ?? "")).json() as { access_token: string };
    const { email } = (await site.userinfo(refreshed.access_token)).json() as { email: string };
    expect(email).toBe(`${tokens.claims.sub}@visitor.invalid`);
  });

  test("where the profile demands PKCE, a request without it goes back, and takes no place", async () => {
    const url = new URL(`${world().issuer}/authorize`);
    const request = { response_type: "code", client_id: clientId("mail"), scope: "openid", state: "x" };
    for (const [name, value] of Object.entries(request)) url.searchParams.set(name, value);
    url.searchParams.set("redirect_uri", redirectUri("mail"));
    const page = await world()
      .visitor()
      .navigate(url, { stopAt: ({ origin }) => origin !== world().issuer });
    expect(page.location?.searchParams.get("error")).toBe("invalid_request");
    expect(page.setCookies.join()).not.toContain("usher-mail");
  });
});
