import { createLocalJWKSet, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { RsaSigningJwk } from "../../../../src/config/index.ts";
import {
  AdmissionRefusedError,
  type AdmissionVerifierOptions,
  createAdmissionVerifier,
} from "../../../../src/features/verify/package/index.ts";
import { LONG_ANSWER_READ_MAX, startLongAnswer } from "../../../support/long-answer.ts";
import { freePort } from "../../../support/ports.ts";
import { makeSigningJwk } from "../../../support/signing-jwk.ts";
import { startSiteServer } from "../../../support/site-server.ts";

const issuer = "https://queue.example.com";

describe("usher/verify", () => {
  let own: RsaSigningJwk;
  let other: RsaSigningJwk;
  const nowSec = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: issuer,
    aud: `${issuer}/rooms/tickets`,
    sub: "tickets.a",
    room: "tickets",
    queue_position: 1,
    admitted_via: "queue",
    admitted_at: nowSec,
    admitted_until: nowSec + 1_200,
    iat: nowSec,
    exp: nowSec + 300,
  };

  beforeAll(async () => {
    [own, other] = [makeSigningJwk(), makeSigningJwk()];
  }, 30_000);

  const publicKeys = (...jwks: RsaSigningJwk[]) => {
    return { keys: [own, ...jwks].map(({ kty, n, e, kid, alg, use }) => ({ kty, n, e, kid, alg, use })) };
  };

  function verifier(options: Partial<AdmissionVerifierOptions> = {}) {
    return createAdmissionVerifier({ issuer, room: "tickets", keys: createLocalJWKSet(publicKeys()), ...options });
  }

  async function sign(changes: object = {}, header: object = {}, jwk = own): Promise<string> {
    return new SignJWT({ ...claims, ...changes })
      .setProtectedHeader({ alg: "RS256", kid: jwk.kid, typ: "admission+jwt", ...header })
      .sign(await importJWK({ ...jwk }, "RS256"));
  }

  it("answers the claims of a good token", async () => {
    expect(await verifier()(await sign())).toEqual(claims);
    expect(await verifier({ audience: "shop" })(await sign({ aud: "shop" }))).toMatchObject({ aud: "shop" });
    expect(await verifier()(await sign({ exp: Math.floor(Date.now() / 1_000) - 2 }))).toMatchObject({
      sub: "tickets.a",
    });
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ["missing", "nothing", async () => undefined],
    ["missing", "an empty text", async () => ""],
    ["malformed", "no token", async () => "x"],
    ["malformed", "two parts", async () => "e30.e30"],
    ["malformed", "a list, as a query parameter given twice", async () => ["a", "b"]],
    ["malformed", "one that is too long", async () => sign({ filler: "x".repeat(4_096) })],
    ["expired", "one that is over", async () => sign({ exp: nowSec - 60 })],
    ["other_room", "another room's, with the same audience", async () => sign({ room: "other" })],
    ["other_room", "another audience", async () => sign({ aud: "elsewhere" })],
    ["forged", "another issuer", async () => sign({ iss: "https://evil.example" })],
    ["forged", "another key of the same name", async () => sign({}, { kid: own.kid }, other)],
    ["forged", "a key that nobody knows", async () => sign({}, {}, other)],
    ["forged", "an ID token", async () => sign({}, { typ: undefined })],
    ["forged", "an access token", async () => sign({}, { typ: "at+jwt" })],
    ["forged", "one without an end", async () => sign({ exp: undefined })],
    ["forged", "an unsigned one", async () => new UnsecuredJWT(claims).encode()],
    ["forged", "one signed with the public key", async () => signSymmetric()],
  ])("says %s of %s", async (reason, _, make) => {
    const refusal = verifier()((await make()) as string | undefined);
    await expect(refusal).rejects.toThrow(AdmissionRefusedError);
    await expect(refusal).rejects.toMatchObject({ reason });
  });

  it.each([{}, { kid: undefined }, { kid: 1 }, { kid: "" }, { crit: ["x"], x: 1 }, { alg: "none" }, { b64: false }])(
    "does not blame the keys, of which there may be two, for what anybody can send: %j",
    async (header) => {
      const keys = createLocalJWKSet(publicKeys(other));
      const [, payload, signature] = (await sign({}, {}, other)).split(".");
      const written = JSON.stringify({ alg: "RS256", kid: own.kid, typ: "admission+jwt", ...header });
      const token = `${Buffer.from(written).toString("base64url")}.${payload}.${signature}`;
      await expect(verifier({ keys })(token)).rejects.toMatchObject({ reason: "forged" });
    },
  );

  function signSymmetric(): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid: own.kid, typ: "admission+jwt" })
      .sign(new TextEncoder().encode(own.n));
  }

  it("fetches the issuer's keys once", async () => {
    const port = await freePort();
    let asked = 0;
    const server = await startSiteServer(
      (request, response) => {
        asked += request.url === "/.well-known/jwks.json" ? 1 : 0;
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(publicKeys()));
      },
      { port },
    );
    try {
      const here = `http://localhost:${port}`;
      const verify = createAdmissionVerifier({ issuer: here, room: "tickets" });
      const token = await sign({ iss: here, aud: `${here}/rooms/tickets` });
      for (let times = 0; times < 3; times++) expect(await verify(token)).toMatchObject({ iss: here });
      expect(asked).toBe(1);
    } finally {
      await server.stop();
    }
  });

  it("says that keys cannot be had, which is no fault of the token", async () => {
    const verify = createAdmissionVerifier({ issuer: `http://localhost:${await freePort()}`, room: "tickets" });
    await expect(verify(await sign())).rejects.toMatchObject({ reason: "keys_unavailable" });
  });

  it("reads no key set of 400 MiB to its end", async () => {
    const source = await startLongAnswer();
    try {
      const verify = createAdmissionVerifier({ issuer: source.url, room: "tickets" });
      await expect(verify(await sign())).rejects.toMatchObject({ reason: "keys_unavailable" });
      expect(source.requests).toBeGreaterThan(0);
      expect(source.sent).toBeLessThan(LONG_ANSWER_READ_MAX * source.requests);
    } finally {
      await source.close();
    }
  });
});
