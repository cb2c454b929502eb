import { createLocalJWKSet, jwtVerify } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import type { ClientConfig, SigningAlg, SigningJwk } from "../../../../src/config/index.ts";
import { makeSigningKey, publicJwk, readSigningKey } from "../../../../src/config/secrets/keys.ts";
import { systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { createLogoutTokens } from "../../../../src/oidc/logout/backchannel-logout.ts";
import { sessionIdOf } from "../../../../src/oidc/provider/admission-policy.ts";
import { createIssuerKeys } from "../../../../src/registry/index.ts";
import { nextRsaPem } from "../../../support/rsa-keys.ts";

const issuer = "https://queue.example.com";
const nowMs = Date.UTC(2027, 2, 1, 10) + 700;
const ended = { sub: "tickets.0123456789012345678901", admittedMs: nowMs - 60_000 };

function client(alg?: SigningAlg, needsSession = true): ClientConfig {
  const backchannelLogoutUri = "https://shop.example.com/logout";
  const logout = { backchannelLogoutUri, backchannelLogoutSessionRequired: needsSession };
  return { clientId: "shop", ...logout, ...(alg && { idTokenSignedResponseAlg: alg }) } as unknown as ClientConfig;
}

describe("logout tokens", () => {
  let signing: SigningJwk[];
  const tokens = (keys: readonly SigningJwk[]) =>
    createLogoutTokens({
      issuer,
      keys: createIssuerKeys({ signing: keys, tickets: [], draw: [], cookies: [] }),
      clock: { now: () => nowMs },
      random: systemRandom,
    });
  const verify = (token: string) =>
    jwtVerify(token, createLocalJWKSet({ keys: signing.map(publicJwk) }), {
      issuer,
      audience: "shop",
      typ: "logout+jwt",
      currentDate: new Date(nowMs),
    });

  beforeAll(async () => {
    signing = [readSigningKey(nextRsaPem()), readSigningKey(await makeSigningKey("ES256", systemRandom))];
  });

  it("say who is logged out of what, for two minutes", async () => {
    const { payload, protectedHeader } = await verify(await tokens(signing).issue(client(), ended));
    expect(protectedHeader).toMatchObject({ alg: "RS256", typ: "logout+jwt" });
    const iat = Math.floor(nowMs / 1_000);
    expect(payload).toEqual({
      iss: issuer,
      aud: "shop",
      sub: ended.sub,
      sid: sessionIdOf("shop", ended),
      iat,
      exp: iat + 120,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
    });
  });

  it("are each another one, with the same session for the same admission at the same client", async () => {
    const issue = async () => (await verify(await tokens(signing).issue(client(), ended))).payload;
    const [one, two] = [await issue(), await issue()];
    expect([one.sid === two.sid, one.jti === two.jti]).toEqual([true, false]);
    const others = [
      sessionIdOf("blog", ended),
      sessionIdOf("shop", { ...ended, admittedMs: ended.admittedMs + 1 }),
      sessionIdOf("shop", { ...ended, sub: "tickets.1" }),
    ];
    expect(new Set([one.sid, ...others]).size).toBe(4);
  });

  it("are signed as the client's ID tokens are: by its algorithm, where there is a key for it", async () => {
    const headerOf = async (alg: SigningAlg, keys = signing) =>
      (await verify(await tokens(keys).issue(client(alg), ended))).protectedHeader;
    expect(await headerOf("ES256")).toMatchObject({ alg: "ES256", kid: signing[1]?.kid });
    expect(await headerOf("ES256", signing.slice(0, 1))).toMatchObject({ alg: "RS256", kid: signing[0]?.kid });
  });

  it("name no session to a client that wants none", async () => {
    const { payload } = await verify(await tokens(signing).issue(client(undefined, false), ended));
    expect([payload.sub, payload.sid]).toEqual([ended.sub, undefined]);
  });
});
