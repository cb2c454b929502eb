import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { calculateJwkThumbprint, compactVerify, importJWK, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { createReceiptKey, readReceipt, signReceipt } from "../../../../src/room/draw-recipe/index.ts";
import { receipt, receiptKey } from "./made-draw.ts";

const text = signReceipt(receiptKey, receipt);
const [head = "", body = "", signature = ""] = text.split(".");

function part(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** What somebody could sign with a key of their own: a private key (PKCS #8), and its public half as JWK. */
const own = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), createHash("sha256").digest()]),
  format: "der",
  type: "pkcs8",
});
const { x = "" } = createPublicKey(own).export({ format: "jwk" });
const jwk = { kty: "OKP", crv: "Ed25519", x } as const;

describe("a receipt", () => {
  it("says what was signed, and by whom", () => {
    expect(readReceipt(text)).toEqual({ receipt, kid: receiptKey.kid });
  });

  it("can be checked with any library for JSON Web Signatures", async () => {
    const { payload, protectedHeader } = await compactVerify(text, await importJWK(receiptKey.jwk, "Ed25519"));
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(receipt);
    const kid = await calculateJwkThumbprint(receiptKey.jwk);
    expect(protectedHeader).toEqual({ alg: "Ed25519", typ: "usher-receipt+jwt", jwk: receiptKey.jwk, kid });
  });

  it("can be made with another library, and by other code that signs", async () => {
    const kid = await calculateJwkThumbprint(jwk);
    const made = await new SignJWT({ ...receipt })
      .setProtectedHeader({ alg: "Ed25519", typ: "usher-receipt+jwt", jwk, kid })
      .sign(own);
    expect(readReceipt(made)).toEqual({ receipt, kid });
    const key = createReceiptKey(createHash("sha256").digest(), (message) => sign(null, message, own));
    expect(readReceipt(signReceipt(key, receipt))).toEqual({ receipt, kid });
  });

  it("cannot be changed", () => {
    const changed = `${head}.${part({ ...receipt, entry: 1 })}.${signature}`;
    expect(readReceipt(changed)).toBe("its signature is wrong: it was changed or made up");
  });

  it("cannot be put under another key", () => {
    const { kid, ...key } = createReceiptKey(createHash("sha256").digest());
    const header = part({ alg: "Ed25519", typ: "usher-receipt+jwt", jwk: key.jwk, kid });
    expect(readReceipt(`${header}.${body}.${signature}`)).toContain("its signature is wrong");
  });

  it.each([
    ["", "three parts"],
    ["a.b", "three parts"],
    [`${text}.x`, "three parts"],
    [`${head}.${body}.`, "its signature is wrong"],
    [`${head}.${body}.${signature}A`, "its signature is wrong"],
    [`${head}.%.${signature}`, "cannot be read"],
    [`${part("header")}.${body}.${signature}`, "it is of the type undefined"],
    [`${part({ alg: "none", typ: "usher-receipt+jwt" })}.${body}.`, "not signed with Ed25519"],
    [`${part({ alg: "Ed25519", typ: "usher-receipt+jwt", crit: ["b64"] })}.${body}.`, "not signed with Ed25519 alone"],
    [`${part({ alg: "Ed25519", typ: "usher-receipt+jwt" })}.${body}.`, "does not carry its public key"],
    [`${part({ alg: "Ed25519", typ: "JWT" })}.${body}.`, "it is of the type JWT"],
    [`${part({ alg: "Ed25519", typ: "usher-receipt+jwt", jwk, kid: "?" })}.${body}.`, "not the thumbprint"],
    ["e".repeat(10_000), "too long"],
  ])("is none of these: %.60s", (other, reason) => {
    expect(readReceipt(other)).toContain(reason);
  });

  it.each([
    [{ entry: 0 }, "entry: expected a whole number from 1 on"],
    [{ entry: "17" }, "entry: expected a whole number from 1 on"],
    [{ sub: null }, "sub: expected a text"],
    [{ commitment: "ABC" }, "commitment: expected 64 hexadecimal digits in lower case"],
    [{ beacon: { chain: "x" } }, "beacon.chain: expected 64 hexadecimal digits in lower case"],
    [{ position: -1 }, "position: expected a whole number from 1 on"],
  ])("must say all that a receipt says: not %o", (change, reason) => {
    expect(readReceipt(signReceipt(receiptKey, { ...receipt, ...change } as never))).toBe(reason);
  });
});
