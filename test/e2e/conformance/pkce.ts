/** RFC 7636, and what RFC 9700 says about getting around it (§2.1.1, §4.8). test/e2e/journey/codes.ts has wrong verifiers. */
import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { World } from "../world.ts";
import { createParty, errorIn } from "./party.ts";

export function describePkce(world: () => World): void {
  test("RFC 9700 4.8: a verifier for a code that was asked for without a challenge is refused", async () => {
    const party = createParty(world(), "op");
    const entered = await party.enter();
    // Whoever strips the challenge from a request cannot have the relying party's own verifier pass unseen.
    const refused = await party.redeem(entered, { code_verifier: entered.login.verifier });
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    expect((await party.redeem(entered)).status).toBe(200);
  });

  test("RFC 7636 4.6: a challenge binds also the client that need not send one", async () => {
    const party = createParty(world(), "op", { usesPkce: true });
    const entered = await party.enter();
    const challenge = createHash("sha256").update(entered.login.verifier).digest("base64url");
    for (const [code_verifier, error] of [
      [null, "invalid_grant"],
      [challenge, "invalid_grant"],
      [randomBytes(32).toString("base64url"), "invalid_grant"],
      [entered.login.verifier.slice(0, 42), "invalid_request"],
      [`${entered.login.verifier}!`, "invalid_request"],
    ] as const) {
      const refused = await party.redeem(entered, { code_verifier });
      expect([refused.status, refused.json()], String(code_verifier)).toMatchObject([400, { error }]);
    }
    expect((await party.redeem(entered)).status).toBe(200);
  });

  test("RFC 9700 2.1.1: the verifier of one login does not redeem the code of another", async () => {
    const party = createParty(world(), "op", { usesPkce: true });
    const [own, stolen] = [await party.enter(), await party.enter()];
    // The code of somebody else, injected into a login of one's own.
    const refused = await party.redeem({ ...stolen, login: own.login });
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
  });

  test("RFC 9700 2.1.1: a public client without a challenge is refused before it takes a place, and with one enters", async () => {
    const closed = createParty(world(), "closed-spa");
    const login = closed.start();
    expect(errorIn(await closed.ask(login), login, world())).toBe("invalid_request");
    const open = createParty(world(), "spa", { authentication: "none", usesPkce: true });
    const entered = await open.enter();
    const refused = await open.redeem(entered, { code_verifier: null });
    expect([refused.status, refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    expect((await open.redeem(entered)).status).toBe(200);
  });

  test.each([
    ["plain", { code_challenge_method: "plain" }],
    ["no method, which would mean plain", { code_challenge_method: null }],
    ["a method without a challenge", { code_challenge: null }],
    ["an empty challenge", { code_challenge: "" }],
    ["another hash", { code_challenge_method: "S512" }],
  ])("RFC 7636 4.4.1: %s is refused before it takes a place", async (_, parameters) => {
    const party = createParty(world(), "closed-spa", { usesPkce: true });
    const login = party.start(parameters);
    expect(errorIn(await party.ask(login), login, world())).toBe("invalid_request");
  });
}
