// Long: signals at all moments of a start, each by a process of its own; process.test.ts has one end by a signal.
/** How a gateway ends that is told to: behind load balancers, and at a terminal. */
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/gateway.ts";
import { startRedis } from "../../support/redis-server.ts";

describe("a gateway that is told to stop", () => {
  const startOne = () =>
    startGateway({ asProcess: true, config: { listen: { drain: "10m" }, rooms: [{ id: "tickets" }] } });

  test("goes on answering until a second signal", async () => {
    const gateway = await startOne();
    gateway.process().signal("SIGTERM");
    await gateway.process().waitForOutput(/gateway\.draining/);
    // One that a launcher passes on at once says the same again.
    gateway.process().signal("SIGTERM");
    await delay(1_100);
    expect((await fetch(`${gateway.origin}/healthz`)).status).toBe(200);
    gateway.process().signal("SIGTERM");
    expect((await gateway.process().exited).code).toBe(0);
    await gateway.stop();
  });

  test("by a key at a terminal, stops at once", async () => {
    const gateway = await startOne();
    gateway.process().signal("SIGINT");
    expect((await gateway.process().exited).code).toBe(0);
    expect(gateway.output()).not.toContain("gateway.draining");
    await gateway.stop();
  });
});

describe("a gateway that is told to stop while it starts", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("does so in good order, and serves nobody: %s", async (signal) => {
    const redis = await startRedis();
    const config = { store: { type: "redis", url: redis.url }, rooms: [{ id: "tickets" }] };
    const gateway = await startGateway({ asProcess: true, config });
    try {
      // With a room to recover, a start takes seconds.
      await gateway.kill();
      await redis.command("FLUSHALL");
      const started = gateway.start().then(
        () => true,
        () => false,
      );
      await gateway.process().waitForOutput(/room\.recovering/);
      gateway.process().signal(signal);
      expect(await gateway.process().exited).toEqual({ code: 0, signal: null });
      expect(gateway.process().output()).toMatch(/"event":"gateway\.stopped"/);
      expect(gateway.process().output()).not.toMatch(/"event":"gateway\.started"/);
      expect(await started).toBe(false);
    } finally {
      await gateway.stop();
      await redis.stop();
    }
  });
});
