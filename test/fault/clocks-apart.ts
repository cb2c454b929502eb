/**
 * Goal: a gateway whose clock is an hour off, either way, is no different from the others: logins begun at one are redeemed at
 * another, and all tell the same times.
 * Method: two real gateways on a private Redis, one of them an hour ahead, and one behind; every login crosses between two.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientId, clientSecret, initiateLoginUri, loggedOutUri, redirectUri } from "../e2e/world.ts";
import { type Gateway, startGateway } from "../support/gateway.ts";
import { createHttpClient, type HttpClient } from "../support/http-client.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { createRelyingParty } from "../support/relying-party.ts";
import { createVisitor } from "../support/visitor.ts";

const room = "line";
const http = createHttpClient();
const faketime = (offset: string) => ({
  LD_PRELOAD: "/usr/$LIB/faketime/libfaketime.so.1",
  FAKETIME: offset,
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
});

export const ahead = ["ahead", "+1h", 3_600] as const;
export const behind = ["behind", "-1h", -3_600] as const;

/** @param logins how many cross from one to the other, either way */
export function describeClocksApart(ways: readonly (typeof ahead | typeof behind)[], logins: number): void {
  describe.each(ways)("a gateway whose clock is an hour %s", (_, offset, skewSec) => {
    let redis: RedisServer;
    let right: Gateway;
    let wrong: Gateway;

    beforeAll(async () => {
      redis = await startRedis();
      const config = {
        store: { type: "redis", url: redis.url },
        rooms: [{ id: room, inlet: { type: "manual", outflow_per_minute: 600 }, admission: { duration: "20m" } }],
        clients: [
          {
            client_id: clientId(room),
            client_secret: clientSecret(room),
            redirect_uris: [redirectUri(room)],
            post_logout_redirect_uris: [loggedOutUri(room)],
            room,
            initiate_login_uri: initiateLoginUri(room),
            refresh_tokens: true,
          },
        ],
      };
      right = await startGateway({ config });
      const { issuer, secretsFile } = right;
      wrong = await startGateway({
        asProcess: true,
        config: { ...config, issuer },
        secretsFile,
        env: faketime(offset),
      });
    });
    afterAll(async () => {
      await Promise.all([right?.stop(), wrong?.stop()]);
      await redis?.stop();
    });

    /** The same addresses, answered by one of the two. */
    const by = (which: () => Gateway): HttpClient => {
      const moved = (target: string | URL) => {
        const url = new URL(target);
        return url.origin === right.origin ? new URL(`${url.pathname}${url.search}`, which().origin) : url;
      };
      return {
        request: (url, options) => http.request(moved(url), options),
        get: (url, headers) => http.get(moved(url), headers),
        close: () => undefined,
      };
    };

    const status = async (gateway: Gateway) =>
      (await http.get(`${gateway.origin}/rooms/${room}/status`)).json() as {
        updated_at: string;
        held_until: string | null;
      };

    test("has the store's time to tell, and says that its own is wrong", async () => {
      const { warnings } = (await http.get(`${wrong.origin}/readyz`)).json() as { warnings: string[] };
      expect(warnings).toEqual([expect.stringMatching(/clock is 3[56]\d\d s (ahead of|behind) the store/)]);
      expect((await http.get(`${right.origin}/readyz`)).json()).toEqual({ status: "ok" });
      const { body } = await http.get(`${wrong.origin}/metrics`);
      expect(Math.abs(Number(/^usher_clock_skew_seconds (\S+)$/m.exec(body)?.[1]) - skewSec)).toBeLessThan(60);
      await wrong.waitForOutput(/"level":40[^\n]*gateway.warning[^\n]*clock is/);
      for (const gateway of [right, wrong]) {
        expect(Math.abs(Date.parse((await status(gateway)).updated_at) - Date.now())).toBeLessThan(60_000);
      }
    });

    test("redeems what was begun elsewhere, and has redeemed elsewhere what it began", async () => {
      await http.request(`${right.origin}/admin/rooms/${room}/serving`, {
        method: "POST",
        headers: { Authorization: "Bearer admin-key-of-the-tests-0123456789abcdef" },
        body: { increment_by: 100 },
      });
      for (const [begins, redeems] of [
        [right, wrong],
        [wrong, right],
      ] as const) {
        let current = begins;
        const visitor = createVisitor({ http: by(() => current) });
        const site = createRelyingParty({
          http: by(() => redeems),
          issuer: right.issuer,
          clientId: clientId(room),
          clientSecret: clientSecret(room),
          redirectUri: redirectUri(room),
        });
        const near = (sec: unknown) => Math.abs(Number(sec) - Date.now() / 1_000);
        for (let login = 0; login < logins; login++) {
          const { claims, accessToken, refreshToken = "", expiresInSec } = await site.login(visitor);
          expect(near(claims.iat)).toBeLessThan(60);
          expect(near(claims.auth_time)).toBeLessThan(60);
          expect(Number(claims.exp) - Number(claims.iat)).toBeGreaterThan(1_000);
          expect(expiresInSec).toBeGreaterThan(60);
          expect((await site.userinfo(accessToken)).status).toBe(200);
          expect((await site.refresh(refreshToken)).status).toBe(200);
          // The session goes on at the other.
          current = current === begins ? redeems : begins;
        }
      }
    });

    test("tells until when a room is held after a loss as the others do", async () => {
      await redis.command("FLUSHALL");
      const held = async (gateway: Gateway) => Date.parse((await status(gateway)).held_until ?? "") - Date.now();
      await expect.poll(() => held(right)).toBeGreaterThan(0);
      await expect.poll(() => held(wrong)).toBeGreaterThan(0);
      for (const gateway of [right, wrong]) expect(await held(gateway)).toBeLessThan(70_000);
    });
  });
}
