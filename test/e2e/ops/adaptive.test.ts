/** What a site reports of its load, and where its operator sees what came of it: status, admin API, metrics and log. */
import { expect, test } from "vitest";
import { createAdmin } from "../../support/admin.ts";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";

test("a site that reports its load is seen to, and an off holds its line", async () => {
  const gateway = await startGateway({
    config: {
      rooms: [
        {
          id: "shop",
          inlet: {
            type: "adaptive",
            outflow_per_minute: 600,
            start_per_minute: 200,
            latency_ms: 400,
            decide_every: "1s",
          },
        },
      ],
      clients: [],
    },
  });
  const http = createHttpClient();
  const admin = createAdmin(http, gateway.origin);
  const load = async (body: object) => (await admin.request("POST", "/rooms/shop/load", body)).json();
  const status = async () => (await http.get(`${gateway.origin}/rooms/shop/status`)).json();
  const arrival = { interval: 200 };
  try {
    expect(await status()).toMatchObject({
      outflow_limit: 600,
      pace: { places_per_minute: 200 },
      adaptive: { rate_per_minute: 200, decision: "hold", reason: expect.any(String) },
    });
    expect(await load({ latency_ms: 784 })).toMatchObject({
      phase: "open",
      adaptive: { rate_per_minute: 200, target_ms: 400 },
    });
    await expect
      .poll(async () => ((await load({ latency_ms: 784, error_rate: 0.01 })) as { adaptive: object }).adaptive, arrival)
      .toMatchObject({ rate_per_minute: 142, latency_ms: 784, error_rate: 0.01 });
    const answer = (await admin.request("GET", "/rooms/shop")).json();
    expect(answer).toMatchObject({ outflow_limit: 600, settings: { inlet: { latency_ms: 400, decide_every: "1s" } } });
    const { body } = await http.get(`${gateway.origin}/metrics`);
    for (const line of [
      'usher_adaptive_rate{room="shop"} 142',
      'usher_adaptive_target_ms{room="shop"} 400',
      'usher_adaptive_latency_ms{room="shop"} 784',
      'usher_outflow_limit{room="shop"} 142',
    ]) {
      expect(body).toContain(line);
    }
    expect(body).toMatch(/usher_adaptive_decision\{room="shop",decision="\w+",reason="\w+"\} 1/);
    await expect
      .poll(() => gateway.output(), arrival)
      .toMatch(/"event":"inlet\.adapted","room":"shop","before":200,"rate_per_minute":142.*"reason":"above_target"/);

    expect(await load({ signal: "off" })).toMatchObject({ phase: "paused", phase_reason: "unhealthy" });
    expect(await status()).toMatchObject({
      phase: "paused",
      phase_reason: "unhealthy",
      adaptive: { rate_per_minute: 99 },
    });
    expect((await admin.request("GET", "/rooms/shop")).json()).toMatchObject({ holds: ["signal"] });
    expect(await load({ signal: "on" })).toMatchObject({ phase: "open", phase_reason: null });
    await expect
      .poll(() => gateway.output(), arrival)
      .toMatch(/"event":"room\.admin_step","room":"shop","step":"signal",.*"signal":"off"/);

    await admin.change("shop", { inlet: { start_per_minute: 300 } });
    expect(await status()).toMatchObject({ adaptive: { rate_per_minute: 300 } });
    await admin.change("shop", { inlet: { type: "periodic", start_per_minute: null } });
    expect(await status()).not.toHaveProperty("adaptive");
  } finally {
    http.close();
    await gateway.stop();
  }
});
