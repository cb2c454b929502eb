import { createECDH, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { encrypt, plainBytesMax } from "../../../../src/features/push/encryption.ts";
import { decrypt } from "../support/push-service.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");

describe("the encryption of a notification", () => {
  it("is that of the example of RFC 8291, appendix A, byte by byte", () => {
    const message = encrypt(
      Buffer.from("When I grow up, I want to be a watermelon"),
      {
        p256dh: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
      },
      { privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), salt: bytes("DGv6ra1nlYgDCS1FRnbzlw") },
    );
    expect(message.toString("base64url")).toBe(
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml" +
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT" +
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
    );
  });

  it("is undone by a browser, up to the length that every push service takes, and not beyond", () => {
    const ecdh = createECDH("prime256v1");
    const auth = randomBytes(16);
    const keys = { p256dh: ecdh.generateKeys(), auth };
    for (const length of [0, 1, 500, plainBytesMax]) {
      const text = randomBytes(length);
      const privateKey = Buffer.concat([Buffer.of(0), randomBytes(31)]);
      const message = encrypt(text, keys, { privateKey, salt: randomBytes(16) });
      expect(message.length).toBeLessThanOrEqual(4_096);
      expect(decrypt(message, { ecdh, auth }).equals(text)).toBe(true);
    }
    const secrets = { privateKey: Buffer.concat([Buffer.of(0), randomBytes(31)]), salt: randomBytes(16) };
    expect(() => encrypt(randomBytes(plainBytesMax + 1), keys, secrets)).toThrow("too long");
  });
});
