import { decodeJwt, importJWK, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { readTicketKey } from "../../../../src/config/secrets/keys.ts";
import { createVapid, deriveVapidKey } from "../../../../src/features/push/vapid.ts";

const keys = ["first", "second"].map((text) => readTicketKey(text.padEnd(40, "-")));
const contact = "mailto:ops@example.com";

function publicJwk(publicKey: string) {
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33).toString("base64url"), point.subarray(33).toString("base64url")];
  return importJWK({ kty: "EC", crv: "P-256", x, y }, "ES256");
}

describe("the key for push services", () => {
  it("follows from the ticket key, so that processes with the same keys have the same", () => {
    const [first, again, second] = [keys[0], keys[0], keys[1]].map((key) => deriveVapidKey(key as never).publicKey);
    expect(first).toBe(again);
    expect(first).not.toBe(second);
    expect(Buffer.from(first ?? "", "base64url")).toHaveLength(65);
  });

  it("signs for one service, for less than a day, and is used again until an hour is left", async () => {
    let nowMs = Date.now();
    const vapid = createVapid(
      () => keys,
      contact,
      () => nowMs,
    );
    const { kid, publicKey } = vapid.current;
    const endpoint = "https://fcm.googleapis.com/fcm/send/1";
    const header = await vapid.authorization(kid, endpoint);
    const [, token = ""] = /^vapid t=(.+), k=/.exec(header ?? "") ?? [];
    expect(header?.endsWith(`, k=${publicKey}`)).toBe(true);
    const { payload } = await jwtVerify(token, await publicJwk(publicKey));
    expect(payload).toEqual({ aud: "https://fcm.googleapis.com", exp: expect.any(Number), sub: contact });
    expect(await vapid.authorization(kid, "https://fcm.googleapis.com/other")).toBe(header);
    nowMs += 11 * 3_600_000 + 1_000;
    const renewed = await vapid.authorization(kid, endpoint);
    expect(renewed).not.toBe(header);
    const exp = decodeJwt((renewed ?? "").slice("vapid t=".length).split(",")[0] ?? "").exp ?? 0;
    expect(exp * 1_000 - nowMs).toBeGreaterThan(11 * 3_600_000);
    // A clock that is set back: no push service takes a token that is good for more than a day.
    nowMs -= 86_400_000;
    expect(await vapid.authorization(kid, endpoint)).not.toBe(renewed);
  });

  it("goes on for subscriptions of an older ticket key, until that is gone", async () => {
    let held = [...keys];
    const vapid = createVapid(
      () => held,
      contact,
      () => Date.now(),
    );
    const older = deriveVapidKey(keys[1] as never);
    const endpoint = "https://fcm.googleapis.com/x";
    expect(await vapid.authorization(older.kid, endpoint)).toContain(`k=${older.publicKey}`);
    expect(vapid.find(older.publicKey)?.kid).toBe(older.kid);
    expect(vapid.current.kid).not.toBe(older.kid);
    held = held.slice(0, 1);
    expect(vapid.find(older.publicKey)).toBeNull();
    expect(vapid.find(vapid.current.publicKey)).toBe(vapid.current);
    expect(await vapid.authorization(older.kid, endpoint)).toBeNull();
  });
});
