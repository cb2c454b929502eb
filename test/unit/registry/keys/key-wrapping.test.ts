import { CompactEncrypt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { readTicketKey } from "../../../../src/config/index.ts";
import { unwrapKey, wrapKey, wrappedWith } from "../../../../src/registry/keys/key-wrapping.ts";
import { ecPem, issuer, keyText } from "../key-world.ts";

const root = readTicketKey(keyText("root"));
const other = readTicketKey(keyText("other"));
const text = keyText("a ticket key");
const { kid } = readTicketKey(text);
const name = { kid, purpose: "tickets", alg: null } as const;

describe("a wrapped key", () => {
  it("is unwrapped by whoever has the root among others, and by its name", async () => {
    const wrapped = await wrapKey(root, issuer, name, text);
    expect(await unwrapKey([other, root], issuer, name, wrapped)).toEqual({
      key: { kid, purpose: "tickets", alg: null, value: readTicketKey(text) },
      text,
    });
    expect(decodeProtectedHeader(wrapped)).toEqual({ alg: "dir", enc: "A256GCM", kid: root.kid });
    expect(wrappedWith(wrapped)).toBe(root.kid);
  });

  it("says nothing of the key, and is another text each time", async () => {
    const [one, two] = [await wrapKey(root, issuer, name, text), await wrapKey(root, issuer, name, text)];
    expect(one).not.toBe(two);
    const readable = one
      .split(".")
      .map((part) => Buffer.from(part, "base64url").toString("latin1"))
      .join();
    expect(readable).not.toContain("a ticket key");
  });

  it("may be a signing key", async () => {
    const pem = ecPem();
    const { readSigningKey } = await import("../../../../src/config/index.ts");
    const jwk = readSigningKey(pem);
    const signing = { kid: jwk.kid, purpose: "signing", alg: "ES256" } as const;
    const wrapped = await wrapKey(root, issuer, signing, pem);
    expect((await unwrapKey([root], issuer, signing, wrapped))?.key).toEqual({ ...signing, value: jwk });
  });

  it("is worth nothing to a process with other ticket keys, even if they are named alike", async () => {
    const wrapped = await wrapKey(root, issuer, name, text);
    expect(await unwrapKey([other], issuer, name, wrapped)).toBeNull();
    expect(await unwrapKey([], issuer, name, wrapped)).toBeNull();
    expect(await unwrapKey([{ ...other, kid: root.kid }], issuer, name, wrapped)).toBeNull();
  });

  it("is worth nothing at another issuer, and passes for no other key", async () => {
    const wrapped = await wrapKey(root, issuer, name, text);
    expect(await unwrapKey([root], "https://other.example.com", name, wrapped)).toBeNull();
    expect(await unwrapKey([root], issuer, { ...name, kid: "another" }, wrapped)).toBeNull();
    expect(await unwrapKey([root], issuer, { ...name, purpose: "cookies" }, wrapped)).toBeNull();
    expect(await unwrapKey([root], issuer, { ...name, alg: "RS256" }, wrapped)).toBeNull();
  });

  it("is worth nothing when a character of it was changed, or its header", async () => {
    const wrapped = await wrapKey(root, issuer, name, text);
    const [header = "", ...rest] = wrapped.split(".");
    for (const at of [header.length + 4, wrapped.length - 30, wrapped.length - 3]) {
      const changed = wrapped.slice(0, at) + (wrapped[at] === "A" ? "B" : "A") + wrapped.slice(at + 1);
      expect(await unwrapKey([root], issuer, name, changed), String(at)).toBeNull();
    }
    const weaker = Buffer.from(JSON.stringify({ alg: "dir", enc: "A128GCM", kid: root.kid })).toString("base64url");
    for (const bad of [[weaker, ...rest].join("."), "", "x", "a.b.c.d.e"]) {
      expect(await unwrapKey([root], issuer, name, bad)).toBeNull();
      expect(wrappedWith(bad)).toBe(bad.startsWith(weaker) ? root.kid : "");
    }
  });

  it("is worth nothing when it was encrypted with the ticket key itself", async () => {
    const secret = readTicketKey("r".repeat(32));
    const content = JSON.stringify({ issuer, kid, purpose: "tickets", alg: null, key: text });
    const direct = await new CompactEncrypt(new TextEncoder().encode(content))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: secret.kid })
      .encrypt(secret.secret);
    expect(await unwrapKey([secret], issuer, name, direct)).toBeNull();
  });
});
