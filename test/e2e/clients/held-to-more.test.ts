/**
 * Clients that are held to more than others: a key in place of a secret, pushed authorization requests, access tokens bound to a
 * key, response modes. The relying party is openid-client.
 */
import { setTimeout as delay } from "node:timers/promises";
import { exportJWK, generateKeyPair } from "jose";
import * as oidc from "openid-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LongAnswer, startLongAnswer } from "../../support/long-answer.ts";
import { freePort } from "../../support/ports.ts";
import { type SiteServer, startSiteServer } from "../../support/site-server.ts";
import { clientId, clientSecret, initiateLoginUri, memoryStore, redirectUri, useWorld } from "../world.ts";

describe("a client that is held to more", () => {
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let keysSite: SiteServer;
  let keyRequests = 0;
  let endlessKeys: LongAnswer;
  const world = useWorld(async () => {
    keys = await generateKeyPair("ES256", { extractable: true });
    const jwk = { ...(await exportJWK(keys.publicKey)), kid: "one", alg: "ES256" };
    const port = await freePort();
    keysSite = await startSiteServer(
      (_, response) => {
        keyRequests++;
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ keys: [jwk] }));
      },
      { port },
    );
    endlessKeys = await startLongAnswer();
    const byKey = { client_secret: undefined, token_endpoint_auth_method: "private_key_jwt" };
    const pushes = { require_pushed_authorization_requests: true };
    return {
      store: memoryStore,
      rooms: [
        { id: "keys", client: { ...byKey, jwks: { keys: [jwk] } } },
        { id: "keys-there", client: { ...byKey, jwks_uri: `http://localhost:${port}/keys` } },
        { id: "keys-endless", client: { ...byKey, jwks_uri: endlessKeys.url } },
        { id: "pushed", client: pushes },
        { id: "pushed-late", client: { ...pushes, login_timeout: "2s" } },
        { id: "bound", client: { dpop_bound_access_tokens: true, refresh_tokens: true } },
        { id: "modes", client: { response_modes: ["query"] } },
      ],
    };
  });
  afterAll(() => Promise.all([keysSite?.stop(), endlessKeys?.close()]));

  async function relyingParty(room: string, authentication = oidc.ClientSecretPost(clientSecret(room))) {
    const options = { execute: [oidc.allowInsecureRequests] };
    return oidc.discovery(new URL(world().issuer), clientId(room), undefined, authentication, options);
  }
  const parametersOf = (room: string, more: Record<string, string> = {}) => ({
    redirect_uri: redirectUri(room),
    scope: "openid",
    state: "a-state",
    ...more,
  });
  const stopAt = (room: string) => (location: URL) => location.href.startsWith(redirectUri(room));
  const codeOf = async (room: string, url: URL, visitor = world().visitor()) => {
    await world().admin.increment(room, 1);
    const page = await visitor.login(url, { stopAt: stopAt(room) });
    return page.location ?? new URL("https://no.location.example/");
  };
  const checks = { expectedState: "a-state" };

  describe("a key in place of a secret", () => {
    test.each(["keys", "keys-there"])("gets tokens by it, wherever the key stands (%s)", async (room) => {
      const config = await relyingParty(room, oidc.PrivateKeyJwt({ key: keys.privateKey, kid: "one" }));
      const callback = await codeOf(room, oidc.buildAuthorizationUrl(config, parametersOf(room)));
      const tokens = await oidc.authorizationCodeGrant(config, callback, checks);
      expect(tokens.claims()).toMatchObject({ room, aud: clientId(room) });
      expect(await oidc.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
      expect(keyRequests > 0).toBe(room === "keys-there");
    });

    test("nobody gets any by another key, or by a secret", async () => {
      const stranger = await generateKeyPair("ES256");
      for (const authentication of [
        oidc.PrivateKeyJwt({ key: stranger.privateKey, kid: "one" }),
        oidc.ClientSecretPost("kept by the directory"),
        oidc.ClientSecretPost(clientSecret("keys")),
      ]) {
        const config = await relyingParty("keys", authentication);
        const callback = await codeOf("keys", oidc.buildAuthorizationUrl(config, parametersOf("keys")));
        const refused = oidc.authorizationCodeGrant(config, callback, checks);
        await expect(refused).rejects.toMatchObject({ error: "invalid_client", status: 401 });
      }
    });
  });

  test("an assertion that is good for longer than ten minutes is refused, whoever signed it", async () => {
    const answerFor = async (seconds: number) => {
      const lasting = {
        [oidc.modifyAssertion]: (_: unknown, payload: Record<string, unknown>) => {
          payload.exp = Math.floor(Date.now() / 1_000) + seconds;
        },
      };
      const config = await relyingParty("keys", oidc.PrivateKeyJwt({ key: keys.privateKey, kid: "one" }, lasting));
      return oidc.refreshTokenGrant(config, "no token").catch(({ error, status }) => [error, status]);
    };
    expect(await answerFor(540)).not.toEqual(["invalid_client", 401]);
    for (const seconds of [700, 3_600, 10 ** 9]) expect(await answerFor(seconds)).toEqual(["invalid_client", 401]);
  });

  test("keys that would fill the memory are read to a bound, once for all that ask for them", async () => {
    const stranger = await generateKeyPair("ES256");
    const config = await relyingParty("keys-endless", oidc.PrivateKeyJwt({ key: stranger.privateKey, kid: "one" }));
    const startMs = performance.now();
    const forged = Array.from({ length: 20 }, () =>
      oidc.refreshTokenGrant(config, "no token").catch((error: { status?: number }) => error.status),
    );
    expect(new Set(await Promise.all(forged))).toEqual(new Set([401]));
    // What could not be fetched is left alone for a second, and on a busy machine they take several.
    const seconds = (performance.now() - startMs) / 1_000;
    expect(endlessKeys.requests).toBeLessThanOrEqual(2 + Math.floor(seconds));
    expect(endlessKeys.sent / endlessKeys.requests).toBeLessThan(16 * 1_048_576);
  });

  describe("pushed authorization requests", () => {
    let config: oidc.Configuration;
    beforeAll(async () => {
      config = await relyingParty("pushed");
    });

    test("are parked in line, and answered at their turn", async () => {
      const visitor = world().visitor();
      const url = await oidc.buildAuthorizationUrlWithPAR(config, parametersOf("pushed"));
      expect([...url.searchParams.keys()].sort()).toEqual(["client_id", "request_uri"]);
      const parked = await visitor.navigate(url);
      expect([parked.status, parked.position]).toEqual([200, expect.any(Number)]);
      expect((await visitor.navigate(url)).position).toBe(parked.position);
      const tokens = await oidc.authorizationCodeGrant(config, await codeOf("pushed", url, visitor), checks);
      expect(tokens.claims()).toMatchObject({ room: "pushed", queue_position: parked.position });

      // It was used. The visitor is in, so a fresh one is begun.
      const again = await visitor.navigate(url, { stopAt: ({ hostname }) => hostname !== "localhost" });
      expect(again.location?.href).toBe(initiateLoginUri("pushed"));
    });

    test("with prompt=none never show a page", async () => {
      const url = await oidc.buildAuthorizationUrlWithPAR(config, parametersOf("pushed", { prompt: "none" }));
      const page = await world()
        .visitor()
        .navigate(url, { stopAt: stopAt("pushed") });
      expect(page.location?.searchParams.get("error")).toMatch(/^(login|interaction)_required$/);
    });

    test("that name a room which is not the client's are refused as others are", async () => {
      const url = await oidc.buildAuthorizationUrlWithPAR(config, parametersOf("pushed", { room: "keys" }));
      expect(await world().visitor().navigate(url)).toMatchObject({ status: 400, notice: "unknown_room" });
    });

    test("are what the client has to send: others get an error at the redirect URI, and take no place", async () => {
      const url = oidc.buildAuthorizationUrl(config, parametersOf("pushed"));
      const page = await world()
        .visitor()
        .navigate(url, { stopAt: stopAt("pushed") });
      expect(page.location?.searchParams.get("error")).toBe("invalid_request");
    });

    test.each([
      ["that is too old by their turn", false],
      ["that nobody knows any more", true],
    ])("%s cost nobody the place: a fresh login is begun", async (_, isForgotten) => {
      const room = "pushed-late";
      const visitor = world().visitor();
      const url = await oidc.buildAuthorizationUrlWithPAR(await relyingParty(room), parametersOf(room));
      if (isForgotten) url.searchParams.set("request_uri", "urn:ietf:params:oauth:request_uri:forgotten");
      const parked = await visitor.navigate(url);
      expect(parked.position).toEqual(expect.any(Number));
      if (!isForgotten) await delay(2_100);
      await world().admin.increment(room, 1);
      const sentOn = await visitor.waitInLine(parked, { stopAt: ({ hostname }) => hostname !== "localhost" });
      expect(sentOn.location?.href).toBe(initiateLoginUri(room));
      const fresh = await oidc.buildAuthorizationUrlWithPAR(await relyingParty(room), parametersOf(room));
      const entered = await visitor.navigate(fresh, { stopAt: stopAt(room) });
      expect(entered.location?.searchParams.has("code")).toBe(true);
    });

    test("are offered where a client is held to them", async () => {
      const metadata = (await world().http.get(`${world().issuer}/.well-known/openid-configuration`)).json();
      expect(metadata).toMatchObject({ pushed_authorization_request_endpoint: `${world().issuer}/par` });
    });
  });

  describe("access tokens bound to a key", () => {
    test("are good for nobody without it", async () => {
      const config = await relyingParty("bound");
      const DPoP = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair("ES256"));
      const callback = await codeOf("bound", oidc.buildAuthorizationUrl(config, parametersOf("bound")));
      const tokens = await oidc.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
      expect(tokens.token_type).toBe("dpop");
      const { sub = "" } = tokens.claims() ?? {};
      expect(await oidc.fetchUserInfo(config, tokens.access_token, sub, { DPoP })).toMatchObject({
        sub,
        room: "bound",
      });

      const other = oidc.getDPoPHandle(config, await oidc.randomDPoPKeyPair("ES256"));
      await expect(oidc.fetchUserInfo(config, tokens.access_token, sub, { DPoP: other })).rejects.toThrow();
      const bearer = await world().relyingParty("bound").userinfo(tokens.access_token);
      expect(bearer.status).toBe(401);
      const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? "", {}, { DPoP });
      expect(refreshed.token_type).toBe("dpop");
    });

    test("are the only ones that the client gets", async () => {
      const config = await relyingParty("bound");
      const callback = await codeOf("bound", oidc.buildAuthorizationUrl(config, parametersOf("bound")));
      await expect(oidc.authorizationCodeGrant(config, callback, checks)).rejects.toMatchObject({
        error: "invalid_grant",
      });
    });
  });

  test("is answered in its response modes alone, and takes no place by others", async () => {
    const config = await relyingParty("modes");
    const url = oidc.buildAuthorizationUrl(config, parametersOf("modes", { response_mode: "fragment" }));
    const page = await world()
      .visitor()
      .navigate(url, { stopAt: stopAt("modes") });
    const answer = new URLSearchParams(page.location?.hash.slice(1));
    expect([page.position, answer.get("error")]).toEqual([undefined, "invalid_request"]);
    const callback = await codeOf("modes", oidc.buildAuthorizationUrl(config, parametersOf("modes")));
    expect(callback.searchParams.has("code")).toBe(true);
  });
});
