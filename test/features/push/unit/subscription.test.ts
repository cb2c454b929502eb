import { createECDH, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isEndpoint } from "../../../../src/features/push/services.ts";
import { readSent, readSubscription, writeSubscription } from "../../../../src/features/push/subscription.ts";

const services = ["fcm.googleapis.com", "*.push.apple.com", "127.0.0.1:4000"];

describe("the endpoint of a subscription", () => {
  it.each([
    "https://fcm.googleapis.com/fcm/send/abc:def",
    "https://web.push.apple.com/x",
    "http://127.0.0.1:4000/push/a",
  ])("may be at a service that is listed: %s", (endpoint) => expect(isEndpoint(endpoint, services)).toBe(true));

  it.each([
    "http://fcm.googleapis.com/fcm/send/abc",
    "https://fcm.googleapis.com:8443/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://evil.example/fcm.googleapis.com",
    "https://push.apple.com.evil.example/x",
    "https://evilpush.apple.com/x",
    "https://user@fcm.googleapis.com/x",
    "https://fcm.googleapis.com/x#y",
    "https://FCM.googleapis.com/x",
    "https://169.254.169.254/latest",
    "http://127.0.0.1:4001/push/a",
    "http://localhost:4000/push/a",
    "ftp://fcm.googleapis.com/x",
    "nonsense",
    `https://fcm.googleapis.com/${"x".repeat(1_024)}`,
  ])("is refused elsewhere: %s", (endpoint) => expect(isEndpoint(endpoint, services)).toBe(false));
});

describe("a subscription", () => {
  const ecdh = createECDH("prime256v1");
  const p256dh = ecdh.generateKeys().toString("base64url");
  const auth = randomBytes(16).toString("base64url");
  const good = { endpoint: "https://fcm.googleapis.com/x", keys: { p256dh, auth }, language: "de" };

  it("is read as a browser writes it, and what else it says is not kept", () => {
    expect(readSent({ ...good, expirationTime: null }, services)).toEqual(good);
  });

  it.each([
    ["nothing", null],
    ["no keys", { ...good, keys: undefined }],
    ["no endpoint", { ...good, endpoint: 7 }],
    ["a foreign endpoint", { ...good, endpoint: "https://evil.example/" }],
    ["a point that is none", { ...good, keys: { p256dh: Buffer.alloc(65, 4).toString("base64url"), auth } }],
    ["a short point", { ...good, keys: { p256dh: p256dh.slice(0, 80), auth } }],
    ["a short secret", { ...good, keys: { p256dh, auth: "AAAA" } }],
    ["a long language", { ...good, language: "x".repeat(36) }],
  ])("is refused with %s", (_, body) => {
    expect(() => readSent(body, services)).toThrow(expect.objectContaining({ code: "bad_request" }));
  });

  it("is kept as a short text, which another version may have written otherwise", () => {
    const { endpoint, keys, language } = good;
    const kept = { endpoint, ...keys, language, kid: "k", address: "https://shop.example/login", client: null };
    expect(readSubscription(writeSubscription(kept))).toEqual(kept);
    const long = { ...kept, address: `https://shop.example/${"x".repeat(2_048)}` };
    expect(readSubscription(writeSubscription(long))?.address).toBe("");
    for (const text of ["", "{}", "[1]", "[]"]) expect(readSubscription(text)).toBeNull();
  });
});
