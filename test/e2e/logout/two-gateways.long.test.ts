// Long: kills a gateway, and waits until another one has its work; back-channel.test.ts has who is told of what.
/** Back-channel logout with two gateways on a shared Redis: told once, and in spite of sites and gateways that are down for a while. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type LogoutListener, startLogoutListener } from "../../support/logout-listener.ts";
import { redisStore } from "../redis-store.ts";
import { clientId, useWorld } from "../world.ts";

describe("two gateways", () => {
  const listeners = new Map<string, LogoutListener>();
  const world = useWorld(async () => {
    const rooms = await Promise.all(
      ["shop", "down", "slow"].map(async (id) => {
        const listener = await startLogoutListener(
          () => world().issuer,
          clientId(id),
          () => gateway(1).origin,
        );
        listeners.set(id, listener);
        return { id, client: { backchannel_logout_uri: `${listener.origin}/logout` } };
      }),
    );
    return { asProcess: true, store: redisStore, gateways: 2, rooms };
  });
  afterAll(() => Promise.all([...listeners.values()].map((listener) => listener.stop())));

  const listener = (room: string) => listeners.get(room) as LogoutListener;
  const gateway = (index: number) => {
    const found = world().gateways[index];
    if (found === undefined) throw new Error(`no gateway ${index}`);
    return found;
  };
  const login = async (room: string) => {
    await world().admin.increment(room, 1);
    return (await world().relyingParty(room).login(world().visitor())).claims.sub;
  };
  const end = async (room: string, sub: unknown) => {
    const answer = await world().admin.request("PATCH", `/rooms/${room}/admissions/${sub}`, { status: "revoked" });
    expect(answer.status).toBe(200);
  };

  test("tell a site of each admission once", async () => {
    const subs: unknown[] = [];
    for (let i = 0; i < 8; i++) subs.push(await login("shop"));
    await Promise.all(subs.map((sub) => end("shop", sub)));
    await expect.poll(() => listener("shop").logouts.length).toBe(8);
    // Both have asked several times since.
    await delay(3_000);
    expect(listener("shop").requests).toBe(8);
    expect(new Set(listener("shop").logouts.map(({ claims }) => claims.sub))).toEqual(new Set(subs));
  });

  test("tell a site that was down when it is back, and what a gateway was about to tell when it died", async () => {
    const [down, slow] = [await login("down"), await login("slow")];
    await gateway(1).halt();
    await listener("down").stop();
    listener("slow").answerWith(null);
    await end("down", down);
    await end("slow", slow);
    await expect.poll(() => gateway(0).output()).toContain("ECONNREFUSED");
    await expect.poll(() => listener("slow").requests).toBe(1);
    await gateway(0).kill();

    listener("slow").answerWith(200);
    await gateway(1).start();
    await gateway(1).waitUntilReady();
    await listener("down").start();
    await expect.poll(() => listener("slow").of(slow).length, { timeout: 60_000 }).toBe(1);
    await expect.poll(() => listener("down").of(down).length, { timeout: 60_000 }).toBe(1);
  });
});
