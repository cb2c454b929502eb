import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { RoomConfig, SigningJwk } from "../../../src/config/index.ts";
import { makeSigningKey, readSigningKey } from "../../../src/config/secrets/keys.ts";
import { systemRandom } from "../../../src/lib/clock-and-random.ts";
import { type AdmissionTokens, createAdmissionTokens } from "../../../src/oidc/admission-tokens.ts";
import { createIssuerKeys, type IssuerKeys } from "../../../src/registry/index.ts";
import type { Admission } from "../../../src/room/index.ts";
import { makeSigningJwk } from "../../support/signing-jwk.ts";

const issuer = "https://queue.example.com";
const nowMs = Date.UTC(2027, 2, 1, 10);
const admission: Admission = {
  sub: "tickets.0123456789012345678901",
  edition: 1,
  position: 7,
  usedPosition: 7,
  via: "queue",
  admittedMs: nowMs - 60_500,
  expiresMs: nowMs + 1_200_000,
  expiresFlowMs: 1_200_000,
  ended: null,
  logins: [],
};

describe("admission tokens", () => {
  let keys: SigningJwk[];
  let tokens: AdmissionTokens;

  function make(signingKeys: readonly SigningJwk[], audience = "shop", of = issuer) {
    const material = { signing: signingKeys, tickets: [], draw: [], cookies: [] };
    return makeOf(createIssuerKeys(material), audience, of);
  }

  function makeOf(issuerKeys: IssuerKeys, audience = "shop", of = issuer, line?: string) {
    return createAdmissionTokens({
      issuer: of,
      keys: issuerKeys,
      directory: {
        get: (room) => {
          const admissionToken = { audience: room === "tickets" ? audience : room, validityMs: 300_000 };
          return { waysIn: { admissionToken }, line } as unknown as RoomConfig;
        },
      },
    });
  }

  beforeAll(async () => {
    keys = [makeSigningJwk(), makeSigningJwk()];
    tokens = await make(keys);
  }, 30_000);

  it("do not pass a room that has the id of an earlier one", async () => {
    const material = { signing: keys, tickets: [], draw: [], cookies: [] };
    const rooms = [undefined, "0a1b2c3d", "4e5f6a7b"].map((line) =>
      makeOf(createIssuerKeys(material), "shop", issuer, line),
    );
    for (const [own, room] of rooms.entries()) {
      const { token } = await room.issue("tickets", admission, nowMs);
      const read = await Promise.all(rooms.map((each) => each.read("tickets", token, nowMs)));
      expect(read.map((each) => each !== null)).toEqual(rooms.map((_, at) => at === own));
    }
  });

  it("say who was admitted, how and when, and are typed", async () => {
    const { token, expiresMs } = await tokens.issue("tickets", admission, nowMs);
    expect(expiresMs).toBe(nowMs + 300_000);
    expect(decodeJwt(token)).toEqual({
      iss: issuer,
      aud: "shop",
      sub: admission.sub,
      room: "tickets",
      queue_position: 7,
      admitted_via: "queue",
      admitted_at: Math.floor(admission.admittedMs / 1_000),
      admitted_until: admission.expiresMs / 1_000,
      iat: nowMs / 1_000,
      exp: nowMs / 1_000 + 300,
    });
    expect(decodeProtectedHeader(token)).toEqual({ alg: "RS256", kid: keys[0]?.kid, typ: "admission+jwt" });
    expect(await tokens.read("tickets", token, nowMs)).toEqual({
      sub: admission.sub,
      issuedMs: nowMs,
      expiresMs: nowMs + 300_000,
      admittedMs: Math.floor(admission.admittedMs / 1_000) * 1_000,
      admittedUntilMs: Math.ceil(admission.expiresMs / 1_000) * 1_000,
      position: 7,
      via: "queue",
      handOver: null,
    });
  });

  it("end with the admission", async () => {
    const ending = { ...admission, position: 0, expiresMs: nowMs + 10_000 };
    const { token, expiresMs } = await tokens.issue("tickets", ending, nowMs);
    expect([expiresMs, decodeJwt(token).exp]).toEqual([nowMs + 10_000, nowMs / 1_000 + 10]);
    expect(decodeJwt(token).queue_position).toBeNull();
  });

  it("are good for a minute where they travel in an address, and all of one login have one name", async () => {
    const [first, second] = [
      await tokens.issueHandOver("tickets", admission, "login-1", nowMs),
      await tokens.issueHandOver("tickets", admission, "login-1", nowMs + 1_000),
    ];
    expect(first.expiresMs).toBe(nowMs + 60_000);
    const name = decodeJwt(first.token).jti;
    expect(name).toBe(`login-1.${admission.sub}`);
    expect(decodeJwt(second.token).jti).toBe(name);
    const next = await tokens.issueHandOver("tickets", admission, "login-2", nowMs);
    expect(decodeJwt(next.token).jti).not.toBe(name);
    expect((await tokens.read("tickets", first.token, nowMs))?.handOver).toBe("login-1");
    const ending = { ...admission, expiresMs: nowMs + 10_000 };
    expect((await tokens.issueHandOver("tickets", ending, "login-1", nowMs)).expiresMs).toBe(nowMs + 10_000);
  });

  it("are read until they expire, by the clock that is given", async () => {
    const { token } = await tokens.issue("tickets", admission, nowMs);
    expect(await tokens.read("tickets", token, nowMs + 299_000)).not.toBeNull();
    expect(await tokens.read("tickets", token, nowMs + 300_000)).toBeNull();
  });

  it("are read with any key in use, and with no other", async () => {
    const [first, second] = keys as [SigningJwk, SigningJwk];
    const { token } = await (await make([second])).issue("tickets", admission, nowMs);
    expect(await tokens.read("tickets", token, nowMs)).not.toBeNull();
    expect(await (await make([first])).read("tickets", token, nowMs)).toBeNull();
  });

  it("are signed with the first key for RS256 as it is now, and read while the one that signed them is in use", async () => {
    const [first, second] = keys as [SigningJwk, SigningJwk];
    const curve = readSigningKey(await makeSigningKey("ES256", systemRandom));
    const material = { tickets: [], draw: [], cookies: [] };
    const kept = createIssuerKeys({ ...material, signing: [curve, first] });
    const rotating = await makeOf(kept);
    const kidNow = async () => decodeProtectedHeader((await rotating.issue("tickets", admission, nowMs)).token).kid;
    const { token } = await rotating.issue("tickets", admission, nowMs);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: "RS256", kid: first.kid });
    kept.replace({ ...material, signing: [second, first] });
    await expect.poll(kidNow).toBe(second.kid);
    expect(await rotating.read("tickets", token, nowMs)).not.toBeNull();
    kept.replace({ ...material, signing: [second] });
    await expect.poll(() => rotating.read("tickets", token, nowMs)).toBeNull();
  });

  it("of another room, issuer or audience, untyped, unsigned, altered or oversized are none", async () => {
    const { token } = await tokens.issue("tickets", admission, nowMs);
    const claims = decodeJwt(token);
    const [head = "", body = "", signature = ""] = token.split(".");
    const { importJWK } = await import("jose");
    const key = await importJWK({ ...(keys[0] as SigningJwk) }, "RS256");
    const signed = (typ: string | undefined, more: object = {}) =>
      new SignJWT({ ...claims, ...more })
        .setProtectedHeader({ alg: "RS256", kid: keys[0]?.kid ?? "", ...(typ !== undefined && { typ }) })
        .sign(key);
    const bad = [
      (await tokens.issue("other", admission, nowMs)).token,
      (await (await make(keys, "shop", "https://other.example.com")).issue("tickets", admission, nowMs)).token,
      (await (await make(keys, "elsewhere")).issue("tickets", admission, nowMs)).token,
      await signed("JWT"),
      await signed(undefined),
      await signed("at+jwt"),
      await signed("admission+jwt", { room: "other" }),
      await signed("admission+jwt", { exp: undefined }),
      await signed("admission+jwt", { sub: undefined }),
      new UnsecuredJWT(claims).encode(),
      `${Buffer.from('{"alg":"none","typ":"admission+jwt"}').toString("base64url")}.${body}.`,
      `${head}.${Buffer.from(JSON.stringify({ ...claims, sub: "tickets.x" })).toString("base64url")}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      "",
      "x",
      await signed("admission+jwt", { filler: "x".repeat(4_096) }),
    ];
    for (const each of bad) expect(await tokens.read("tickets", each, nowMs), each).toBeNull();
    expect(await tokens.read("tickets", await signed("admission+jwt"), nowMs)).not.toBeNull();
  });
});
