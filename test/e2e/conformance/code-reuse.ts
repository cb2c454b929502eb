import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { World } from "../world.ts";
import { createParty } from "./party.ts";

export function describeLateCodeReuse(world: () => World): void {
  test("oidcc-codereuse-30seconds: half a minute later a code is still refused, and its access token ends", async () => {
    const party = createParty(world(), "op");
    const used = await party.logIn();
    expect((await party.site.userinfo(used.tokens.access_token)).status).toBe(200);
    await delay(30_000);
    const refused = await party.redeem(used);
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    expect((await party.site.userinfo(used.tokens.access_token)).status).toBe(401);
  });
}

export function describeCodeReuse(world: () => World): void {
  test("oidcc-codereuse: a code that was used is refused", async () => {
    const party = createParty(world(), "op");
    const used = await party.logIn();
    const refused = await party.redeem(used);
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    expect(refused.json()).not.toHaveProperty("access_token");
  });
}
