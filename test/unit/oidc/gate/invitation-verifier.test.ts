import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createInvitationVerifier } from "../../../../src/oidc/gate/invitation-verifier.ts";

const audience = "https://queue.example.com";
const secret = "secret-of-the-mailing-0123456789abcdef";
const older = "secret-of-before-0123456789abcdef-0123";
const nowMs = Date.now();
const clock = { now: () => nowMs };
const inAnHour = Math.floor(nowMs / 1_000) + 3_600;
const usual = { secrets: [secret, older], classes: [{ id: "members" }] };
const encoded = (text: string) => new TextEncoder().encode(text);

type Settings = Parameters<typeof createInvitationVerifier>[1];
const verifier = (settings: Partial<Settings> = usual) =>
  createInvitationVerifier({ room: "shop", audience }, { secrets: [], classes: [], ...settings } as Settings, clock);

interface Claims {
  [name: string]: unknown;
}
function token(claims: Claims = {}, key = secret, alg = "HS256"): Promise<string> {
  const all = { aud: audience, room: "shop", sub: "ann", exp: inAnHour, ...claims };
  return new SignJWT(all).setProtectedHeader({ alg }).sign(encoded(key));
}

describe("an invitation that is signed with a secret", () => {
  test("names its key, its class and its end, by the secret in force or the one before", async () => {
    const verify = verifier();
    const good = { key: "ann", classId: "", expiresMs: inAnHour * 1_000 };
    expect(await verify(await token())).toEqual(good);
    expect(await verify(await token({}, older))).toEqual(good);
    expect(await verify(await token({ class: "members" }))).toEqual({ ...good, classId: "members" });
    expect(await verify(await token({ aud: ["https://else.example.com", audience] }))).toEqual(good);
  });

  test.each<[string, Claims]>([
    ["of another audience", { aud: "https://else.example.com" }],
    ["without one", { aud: undefined }],
    ["to another room", { room: "other" }],
    ["to no room", { room: undefined }],
    ["to several rooms", { room: ["shop"] }],
    ["without a key", { sub: undefined }],
    ["with an empty key", { sub: "" }],
    ["with a key that is too long", { sub: "x".repeat(257) }],
    ["with a key that is no text", { sub: 5 }],
    ["with a list of keys", { sub: ["ann"] }],
    ["with a key that is an object", { sub: { length: 3 } }],
    ["of a class that there is not", { class: "press" }],
    ["of a class that is no text", { class: ["members"] }],
    ["that never ends", { exp: undefined }],
    ["that ends too late", { exp: inAnHour + 367 * 86_400 }],
    ["that does not count yet", { nbf: inAnHour }],
  ])("is refused %s", async (_, claims) => {
    expect(await verifier()(await token(claims))).toBe("invalid");
  });

  test("compares subjects as the room says: as they are written, or as e-mail addresses", async () => {
    const keyOf = async (sub: string, subjects: "exact" | "email") =>
      ((await verifier({ ...usual, subjects })(await token({ sub }))) as { key: string }).key;
    for (const [one, other] of [
      ["a@x.org", "A@x.org"],
      ["a@x.org", " a@X.ORG "],
      ["zo\u00eb@x.org", "zoe\u0308@x.org"],
    ] as const) {
      expect(await keyOf(one, "exact")).not.toBe(await keyOf(other, "exact"));
      expect(await keyOf(one, "email")).toBe(await keyOf(other, "email"));
    }
    expect(await keyOf("a@x.org", "email")).not.toBe(await keyOf("b@x.org", "email"));
    expect(await verifier({ ...usual, subjects: "email" })(await token({ sub: "  " }))).toBe("invalid");
  });

  test("that has ended is told so, with half a minute for clocks, and only where it is for the room", async () => {
    const at = (sec: number) => Math.floor(nowMs / 1_000) + sec;
    expect(await verifier()(await token({ exp: at(-20) }))).toMatchObject({ key: "ann" });
    expect(await verifier()(await token({ exp: at(-60) }))).toBe("expired");
    expect(await verifier()(await token({ exp: at(-60), room: "other" }))).toBe("invalid");
    expect(await verifier()(await token({ exp: at(-60) }, "another-secret-0123456789abcdef-0123"))).toBe("invalid");
  });

  test("is refused with another algorithm, with none, cut short, too long, or signed by nobody", async () => {
    const verify = verifier();
    const claims = { aud: audience, room: "shop", sub: "ann", exp: inAnHour };
    const { privateKey } = await generateKeyPair("ES256");
    const good = await token();
    for (const bad of [
      await token({}, secret + secret, "HS512"),
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: "ES256" }).sign(privateKey),
      await token({}, "another-secret-0123456789abcdef-0123"),
      good.slice(0, -2),
      good.replace(/\.[^.]*$/, "."),
      `${good}${"x".repeat(4_096)}`,
      "",
      "a.b.c",
    ]) {
      expect(await verify(bad)).toBe("invalid");
    }
  });

  test("names who says so, where the room asks for that", async () => {
    const verify = verifier({ ...usual, issuer: "https://shop.example.com" });
    expect(await verify(await token({ iss: "https://shop.example.com" }))).toMatchObject({ key: "ann" });
    for (const iss of [undefined, "https://else.example.com"])
      expect(await verify(await token({ iss }))).toBe("invalid");
  });
});

describe("an invitation that is signed with a private key", () => {
  let keys: JWK[] = [];
  let isDown = false;
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.statusCode = isDown ? 503 : 200;
    response.end(JSON.stringify({ keys }));
  });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close());
  const uri = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;

  async function pair(alg: string, kid: string) {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    return {
      jwk: { ...(await exportJWK(publicKey)), kid, alg },
      privateJwk: { ...(await exportJWK(privateKey)), kid, alg },
    };
  }
  const sign = async ({ alg = "", kid = "", ...privateJwk }: JWK) =>
    new SignJWT({ aud: audience, room: "shop", sub: "ann", exp: inAnHour })
      .setProtectedHeader({ alg, kid })
      .sign(await importJWK(privateJwk, alg));

  test.each(["RS256", "ES256", "EdDSA"])("counts by its public key, and no MAC made with that: %s", async (alg) => {
    const { jwk, privateJwk } = await pair(alg, "one");
    const verify = verifier({ jwks: { keys: [jwk] } as never });
    expect(await verify(await sign(privateJwk))).toMatchObject({ key: "ann" });
    expect(await verify(await sign((await pair(alg, "one")).privateJwk))).toBe("invalid");
    expect(await verify(await token({}, JSON.stringify(jwk)))).toBe("invalid");
  });

  test("follows keys that are fetched: another one is asked for, and keys that are away are no fault of the token", async () => {
    const [one, two] = [await pair("ES256", "one"), await pair("ES256", "two")];
    keys = [one.jwk];
    isDown = true;
    expect(await verifier({ jwksUri: uri() })(await sign(one.privateJwk))).toBe("away");
    isDown = false;
    const verify = verifier({ jwksUri: uri() });
    asked = 0;
    for (let i = 0; i < 5; i++) expect(await verify(await sign(one.privateJwk))).toMatchObject({ key: "ann" });
    expect(asked).toBe(1);
    // A key that is not there is asked for once in a while, whoever names it.
    for (let i = 0; i < 5; i++) expect(await verify(await sign(two.privateJwk))).toBe("invalid");
    expect(asked).toBe(1);
    keys = [one.jwk, two.jwk];
    expect(await verifier({ jwksUri: uri() })(await sign(two.privateJwk))).toMatchObject({ key: "ann" });
  });
});
