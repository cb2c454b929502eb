/** RFC 9700 §4.14: what a stolen refresh token is good for. */
import { expect, test } from "vitest";
import type { World } from "../world.ts";
import { createParty } from "./party.ts";

export function describeRefreshTokens(world: () => World): void {
  test("RFC 9700 4.14.2: a public client's works once, and when it comes again all of its login ends", async () => {
    const party = createParty(world(), "spa", { authentication: "none", usesPkce: true });
    const { tokens } = await party.logIn();
    const first = tokens.refresh_token ?? "";
    const rotated = (await party.site.refresh(first)).json() as { refresh_token: string; access_token: string };
    expect(rotated.refresh_token).not.toBe(first);
    expect((await party.site.userinfo(rotated.access_token)).status).toBe(200);

    const again = await party.site.refresh(first);
    expect([again.status, again.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    expect((await party.site.refresh(rotated.refresh_token)).json()).toMatchObject({ error: "invalid_grant" });
    expect((await party.site.userinfo(rotated.access_token)).status).toBe(401);
  });

  test("RFC 9700 4.14.2: a confidential client's is bound to its secret, and stays", async () => {
    const party = createParty(world(), "refresh");
    const { tokens } = await party.logIn();
    const token = tokens.refresh_token ?? "";
    // As two nodes of a load balancer do, side by side.
    for (const answer of await Promise.all([party.site.refresh(token), party.site.refresh(token)])) {
      expect(answer.status).toBe(200);
    }
    const thief = await world().http.request(`${world().issuer}/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: token, client_id: "site-refresh" }),
    });
    expect([thief.status, thief.json()]).toMatchObject([401, { error: "invalid_client" }]);
    expect((await party.site.refresh(token)).status).toBe(200);
  });
}
