import { generateKeyPairSync } from "node:crypto";
import { calculateJwkThumbprint, importJWK, jwtVerify, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { SIGNING_ALGS } from "../../../../src/config/schema/choices.ts";
import { loadKeyMaterial, readSigningKeys } from "../../../../src/config/secrets/key-material.ts";
import { makeSigningKey, publicJwk, readSigningKey } from "../../../../src/config/secrets/keys.ts";
import { systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { loadConfig } from "../../../support/load-config.ts";
import { nextRsaKey } from "../../../support/rsa-keys.ts";

const rsa = nextRsaKey();
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const ed = generateKeyPairSync("ed25519").privateKey;
const pem = (key = rsa) => key.export({ type: "pkcs8", format: "pem" }).toString();
const jwk = (key = rsa, more: object = {}) => JSON.stringify({ ...key.export({ format: "jwk" }), ...more });

describe("a signing key", () => {
  it.each([
    ["an RSA key as PEM", pem(), "RS256"],
    ["an RSA key as PEM of its own kind", rsa.export({ type: "pkcs1", format: "pem" }).toString(), "RS256"],
    ["an RSA key as JWK", jwk(), "RS256"],
    ["an RSA key as JWK for PS256", jwk(rsa, { alg: "PS256" }), "PS256"],
    ["a P-256 key as PEM", pem(ec), "ES256"],
    ["a P-256 key as PEM of its own kind", ec.export({ type: "sec1", format: "pem" }).toString(), "ES256"],
    ["a P-256 key as JWK", jwk(ec), "ES256"],
    ["a P-256 key as JWK for ES256", jwk(ec, { alg: "ES256" }), "ES256"],
    ["an Ed25519 key as PEM", pem(ed), "EdDSA"],
    ["an Ed25519 key as JWK for EdDSA", jwk(ed, { alg: "EdDSA" }), "EdDSA"],
  ])("%s is read", async (_, written, alg) => {
    const key = readSigningKey(written);
    expect(key).toMatchObject({ alg, use: "sig" });
    const isThumbprint = (await calculateJwkThumbprint(publicJwk(key))).startsWith(key.kid);
    // The same RSA key for RS256 has that name.
    expect(isThumbprint).toBe(alg !== "PS256");
    expect(key.kid).toMatch(/^[\w-]{16}$/);
    expect(Object.keys(publicJwk(key)).filter((member) => ["d", "p", "q", "dp", "dq", "qi"].includes(member))).toEqual(
      [],
    );
  });

  it.each([
    [
      "an RSA key for an algorithm of curves",
      jwk(rsa, { alg: "ES256" }),
      "expected as alg of this JWK: RS256 or PS256",
    ],
    ["an RSA key for RS512", jwk(rsa, { alg: "RS512" }), "expected as alg of this JWK: RS256 or PS256"],
    ["an Ed25519 key for ES256", jwk(ed, { alg: "ES256" }), "expected as alg of this JWK: EdDSA"],
    ["a P-256 key for RS256", jwk(ec, { alg: "RS256" }), "expected as alg of this JWK: ES256"],
    [
      "a P-384 key",
      pem(generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey),
      "expected an RSA key of 2048 to 8192 bits, an elliptic curve key on P-256 or an Ed25519 key",
    ],
    [
      "an Ed448 key",
      generateKeyPairSync("ed448").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      "expected an RSA key of 2048 to 8192 bits, an elliptic curve key on P-256 or an Ed25519 key",
    ],
    [
      "a public P-256 key",
      JSON.stringify(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" })),
      "expected an RSA, P-256 or Ed25519 private key, unencrypted, as PEM or as a JWK in JSON",
    ],
  ])("%s is refused", (_, written, message) => {
    expect(() => readSigningKey(written)).toThrow(new Error(message));
  });

  it.each(SIGNING_ALGS)("is made for %s, and signs what others can verify", async (alg) => {
    const key = readSigningKey(await makeSigningKey(alg, systemRandom));
    expect(key.alg).toBe(alg);
    const token = await new SignJWT({}).setProtectedHeader({ alg }).sign(await importJWK({ ...key }));
    await expect(jwtVerify(token, await importJWK(publicJwk(key)), { algorithms: [alg] })).resolves.toBeDefined();
  });
});

describe("a list of signing keys", () => {
  it("has those for RS256 first, and each key once, however it is written", () => {
    const keys = readSigningKeys([pem(ec), pem(ed), pem(), jwk(), jwk(rsa, { alg: "PS256" })]);
    expect(keys.map(({ alg }) => alg)).toEqual(["RS256", "ES256", "EdDSA"]);
  });

  it("needs one for RS256, and says what for", async () => {
    const macKeys = ["k".repeat(32)];
    const keys = { tickets: macKeys, cookies: macKeys, signing: [pem(ec), jwk(rsa, { alg: "PS256" })] };
    await expect(loadKeyMaterial({ keys, secretsFile: "/nowhere" })).rejects.toThrow(
      /keys\.signing.*no RSA key for RS256, which admission tokens/,
    );
  });
});

describe("id_token_signed_response_alg", () => {
  const document = (alg: unknown) => ({
    issuer: "https://q.example",
    rooms: [{ id: "a" }],
    clients: [
      {
        client_id: "c",
        client_secret: "s".repeat(32),
        redirect_uris: ["https://site.example/cb"],
        room: "a",
        ...(alg !== undefined && { id_token_signed_response_alg: alg }),
      },
    ],
  });
  const algOf = async (alg: unknown) =>
    (await loadConfig({ document: document(alg), env: {} })).config.issuers[0]?.clients[0]?.idTokenSignedResponseAlg;

  it("is taken from the file; without it there is none, which stands for RS256", async () => {
    for (const alg of SIGNING_ALGS) expect(await algOf(alg)).toBe(alg);
    expect(await algOf(undefined)).toBeUndefined();
  });

  it.each(["none", "HS256", "RS512", "es256", 256])("%s is refused", async (alg) => {
    await expect(algOf(alg)).rejects.toThrow(/clients\[0\]\.id_token_signed_response_alg/);
  });
});
