/** `usher/tokens`: what it signs is what the gate takes. */
import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import { createInvitationSigner, InvitationError } from "../../../../src/features/invitations/tokens.ts";
import { createInvitationVerifier } from "../../../../src/oidc/gate/invitation-verifier.ts";

const audience = "https://queue.example.com";
const secret = "secret-of-the-mailing-0123456789abcdef";
const nowMs = Date.now();
const inAnHour = Math.floor(nowMs / 1_000) + 3_600;

type Settings = Parameters<typeof createInvitationVerifier>[1];
const verifier = (settings: Partial<Settings> = { secrets: [secret] }) =>
  createInvitationVerifier({ room: "shop", audience }, { secrets: [], classes: [], ...settings } as Settings, {
    now: () => nowMs,
  });

describe("a signer of invitations", () => {
  const signer = (key = secret) => createInvitationSigner({ issuer: audience, room: "shop", key: { secret: key } });
  const soon = new Date(inAnHour * 1_000);

  test.each(["RS256", "ES256", "EdDSA"])("signs with a private key whose public part the room has: %s", async (alg) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg }] };
    const key = { privateKey: { ...(await exportJWK(privateKey)), kid: "one" } };
    const invitation = createInvitationSigner({ issuer: audience, room: "shop", key }).sign({
      key: "ann",
      expiresAt: soon,
    });
    expect(await verifier({ secrets: [], jwks: jwks as never })(await invitation)).toMatchObject({ key: "ann" });
  });

  test("makes links that lead to a target", async () => {
    const options = { issuer: audience, room: "shop", key: { secret }, target: "https://shop.example.com/?a=b&c" };
    const link = new URL(await createInvitationSigner(options).link({ key: "ann", expiresAt: soon }));
    expect(link.pathname).toBe("/rooms/shop/enter");
    expect(link.searchParams.get("target")).toBe(options.target);
    expect(await verifier()(link.searchParams.get("invitation") ?? "")).toMatchObject({ key: "ann" });
  });

  test.each([
    [{ key: "", expiresAt: soon }, /1 to 256/],
    [{ key: "x".repeat(257), expiresAt: soon }, /1 to 256/],
    [{ key: "ann", expiresAt: new Date(0) }, /is over/],
    [{ key: "ann", expiresAt: new Date(Number.NaN) }, /no date/],
    [{ key: "ann", expiresAt: new Date(nowMs + 400 * 86_400_000) }, /366 days/],
  ])("refuses what no room would take: %j", async (invited, message) => {
    await expect(signer().sign(invited)).rejects.toThrow(InvitationError);
    await expect(signer().sign(invited)).rejects.toThrow(message);
  });

  test("refuses keys that cannot sign, and quotes none", () => {
    expect(() => signer("short")).toThrow("fewer than 32");
    const key = { privateKey: "-----BEGIN PRIVATE KEY-----\nTOPSECRET\n-----END PRIVATE KEY-----" };
    const make = () => createInvitationSigner({ issuer: audience, room: "shop", key });
    expect(make).toThrow(InvitationError);
    expect(make).not.toThrow(/TOPSECRET/);
  });
});
